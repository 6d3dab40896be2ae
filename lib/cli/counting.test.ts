import { describe, expect, it } from "vitest";
import {
  breakdown,
  compareAnswer,
  contributors,
  replayResult,
  sessionSummary,
  sweepRow,
} from "@/lib/queries/contract/schemas";
import { assistantLine, put, userLine } from "@/lib/server/testing/files";
import { commandLine, jsonLines } from "./testing/program";

const { run, folder } = commandLine();

/** A session whose every request adds `added` tokens to the recorded usage, but 100 tokens of text to the file. */
function session(name: string, requests: number, added: number): string {
  const lines = Array.from({ length: requests }, (_, at) => {
    const parent = at === 0 ? null : `a${at - 1}`;
    const response = JSON.parse(assistantLine("b".repeat(200), `a${at}`, `u${at}`));
    response.message.usage = { input_tokens: 1000 + at * added, output_tokens: 1 };
    return [userLine("a".repeat(200), `u${at}`, parent), JSON.stringify(response)];
  });
  return put(folder, name, lines.flat().join("\n"));
}

/** The agent sent six times as much as the file holds, because the file's texts are masked. */
const MASKED = session("masked.jsonl", 20, 600);
const SHORT = session("short.jsonl", 5, 120);
const UNUSED = put(folder, "unused.jsonl", userLine("a".repeat(4000), "u1"));

/** Options under which the replay departs from the recording early. */
const CUSTOM = ["--policy", "custom", "--set", "triggerShare=0.3", "--set", "keepRecentTokens=100"];
const DOUBT = /ow confidence \(factor 6\.00, outside 0\.5 to 2\): estimates may be far off\./;

describe("warning of a doubtful calibration", () => {
  it("is printed by replay, unless only recorded usage counts", async () => {
    const args = ["replay", MASKED, ...CUSTOM, "--window", "20000"];
    const result = replayResult.parse(JSON.parse((await run([...args, "--json"])).out));
    expect(result).toMatchObject({ counting: "anchored", basis: "calibrated", calibration: { doubts: ["factor"] } });
    const { out } = await run(args);
    expect(out).toMatch(DOUBT);
    expect(out).toMatch(/, anchored \(calibrated × 6\.00, error \d+\.\d %\)\n/);
    expect((await run([...args, "--at", String(result.compactions[0]?.request)])).out).toMatch(DOUBT);
    const followed = await run(["replay", MASKED, "--policy", "none"]);
    expect(followed.out).toContain(", anchored (recorded usage)\n");
    expect(followed.out).not.toMatch(DOUBT);
  });

  it("is printed by compare", async () => {
    const args = ["compare", MASKED, "--policy", "recorded", ...CUSTOM, "--window", "20000"];
    const { remarks } = compareAnswer
      .omit({ runs: true })
      .parse(jsonLines((await run([...args, "--json"])).out).at(-1));
    expect(remarks).toMatchObject([{ id: "doubtfulCalibration", runs: [1], text: expect.stringMatching(DOUBT) }]);
    expect((await run(args)).out).toMatch(DOUBT);
  });

  it("is printed by sweep, contributors, breakdown and inspect", async () => {
    const vary = ["sweep", MASKED, "--policy", "custom", "--vary", "triggerShare=0.3:0.9:0.6", "--window", "20000"];
    const rows = jsonLines((await run([...vary, "--json"])).out).map((row) => sweepRow.parse(row));
    expect(rows.map(({ basis, calibration }) => [basis, calibration?.doubts])).toEqual([
      ["calibrated", ["factor"]],
      ["recorded", ["factor"]],
    ]);
    const swept = await run(vary);
    expect(swept.out).toMatch(/; counted by: calibrated, recorded usage\n/);
    expect(swept.out).toMatch(DOUBT);
    const parted = await run(["contributors", MASKED, "--json"]);
    expect(contributors.parse(JSON.parse(parted.out))).toMatchObject({
      counting: "anchored",
      basis: "recorded",
      calibration: { doubts: ["factor"] },
    });
    expect((await run(["contributors", MASKED])).out).toMatch(DOUBT);
    const broken = await run(["breakdown", MASKED, "--json"]);
    expect(breakdown.parse(JSON.parse(broken.out)).calibration?.doubts).toEqual(["factor"]);
    expect((await run(["breakdown", MASKED])).err).toMatch(DOUBT);
    const inspected = await run(["inspect", MASKED, "--json"]);
    const { accuracy } = sessionSummary.parse(JSON.parse(inspected.out));
    expect(accuracy?.map(({ calibration }) => calibration?.doubts)).toEqual([["factor"], ["factor"], ["factor"]]);
    expect((await run(["inspect", MASKED])).out).toMatch(/, calibrated × 6\.00, error \d+\.\d % \(doubtful\)\n/);
  });
});

describe("the factor of the parts of a recorded context", () => {
  const FITTED = /Parts of the messages are estimates × 1\.2\d, fitted to the recorded usage\./;
  const fitted = session("fitted.jsonl", 20, 128);

  it("is printed by breakdown and contributors", async () => {
    expect((await run(["breakdown", fitted])).err).toMatch(FITTED);
    expect((await run(["contributors", fitted])).out).toMatch(FITTED);
  });

  it("is not printed if the parts are not scaled", async () => {
    for (const file of [MASKED, SHORT]) {
      const { out, err } = await run(["breakdown", file]);
      expect(out + err).not.toMatch(/fitted/);
    }
  });
});

describe("counting basis of metrics", () => {
  it("is an uncalibrated estimate if calibration fails, whatever counting was requested", async () => {
    const { out, err } = await run(["replay", SHORT, ...CUSTOM, "--window", "4000"]);
    expect(out).toContain(", anchored (not calibrated)\n");
    expect(err).toMatch(/^context-replay: not calibrated: fewer than 8 pairs/);
    const unused = await run(["replay", UNUSED, ...CUSTOM, "--window", "4000"]);
    expect([unused.out.includes(", estimate\n"), unused.err]).toEqual([true, ""]);
  });

  it("is named per file if a sweep's recordings have different bases", async () => {
    const sweep = (...files: readonly string[]) =>
      run(["sweep", ...files, "--policy", "custom", "--vary", "triggerShare=0.9:0.9:1", "--json"]);
    const mixed = await sweep(MASKED, UNUSED);
    const rows = jsonLines(mixed.out).map((row) => sweepRow.parse(row));
    expect(rows.map(({ file, counting, basis }) => [file, counting, basis])).toEqual([
      ["masked.jsonl", "anchored", "recorded"],
      ["unused.jsonl", "estimate", "estimate"],
    ]);
    expect(mixed.err).toMatch(/^context-replay: rows of unused\.jsonl rest on an estimate.*Do not compare/);
    expect((await sweep(MASKED, SHORT)).err).toBe("");
  });

  it("follows the counting mode of contributors", async () => {
    const args = ["contributors", SHORT, "--policy", "none", "--counting", "estimate", "--json"];
    const answer = contributors.parse(JSON.parse((await run(args)).out));
    expect([answer.counting, answer.basis]).toEqual(["estimate", "estimate"]);
  });
});
