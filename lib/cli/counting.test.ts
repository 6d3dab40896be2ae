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

describe("the warning of a doubtful calibration", () => {
  it("is printed by replay unless all numbers come from recorded usage", async () => {
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

describe("the scale factor of the parts of a recorded context", () => {
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

describe("a policy that belongs to no agent", () => {
  const message = (role: string, text: string) => ({ type: "message", role, content: [{ type: "text", text }] });
  const codex = [
    { type: "session_meta", payload: { id: "s", cwd: "/home/mia", cli_version: "0.80.0" } },
    ...[
      message("user", "u".repeat(1000)),
      { type: "function_call", name: "shell", arguments: "{}", call_id: "c1" },
      { type: "function_call_output", call_id: "none", output: "o".repeat(4000) },
      message("user", "go on"),
      { type: "function_call", name: "shell", arguments: "{}", call_id: "c2" },
      { type: "function_call_output", call_id: "c2", output: "o".repeat(60_000) },
      message("assistant", "yes"),
    ].map((payload) => ({ type: "response_item", payload })),
  ].map((record) => ({ timestamp: "2026-01-05T10:00:00Z", ...record }));
  const call = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } };
  const openClaw = [
    { type: "session", version: 3, id: "s", cwd: "/home/mia" },
    { type: "custom", customType: "model-snapshot", data: {} },
    ...[
      { role: "user", content: "u".repeat(1000) },
      { role: "assistant", api: "anthropic-messages", provider: "anthropic", content: [call] },
      { role: "toolResult", toolCallId: "none", toolName: "bash", content: [{ type: "text", text: "o".repeat(4000) }] },
      { role: "user", content: "go on" },
      { role: "assistant", api: "anthropic-messages", provider: "anthropic", content: [{ type: "text", text: "yes" }] },
    ].map((one, at) => ({ type: "message", id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}`, message: one })),
  ].map((record) => ({ timestamp: "2026-02-05T10:00:00Z", ...record }));
  const use = { type: "tool_use", id: "c1", name: "Bash", input: { command: "ls" } };
  const response = JSON.parse(assistantLine("b", "a0", "u0"));
  const { usage: _unused, ...unusedMessage } = response.message;
  const claudeCode = [
    JSON.parse(userLine("a".repeat(200), "u0")),
    { ...response, message: { ...unusedMessage, content: [use] } },
    JSON.parse(userLine("go on", "u1", "a0")),
    { ...JSON.parse(assistantLine("b", "a1", "u1")), message: { ...unusedMessage, id: "m1" } },
  ];

  it.each([
    // The output of 15,015 tokens is cut to 12,022, a call without an output gets one of 17, and the output without a call has no size.
    ["rollout-unpaired.jsonl", codex, [268, 322, 12_362]],
    ["claw-unpaired.jsonl", openClaw, [250, 284]],
    ["claude-unpaired.jsonl", claudeCode, [50, 67]],
  ])("counts calls and results as the recording's agent sends them: %s", async (name, records, contexts) => {
    const file = put(folder, name, records.map((record) => JSON.stringify(record)).join("\n"));
    const runs = ["recorded", "none", "custom", "rent-to-buy"].map(async (policy) => {
      const { out } = await run(["replay", file, "--policy", policy, "--counting", "estimate", "--json"]);
      return [policy, replayResult.parse(JSON.parse(out)).series.contextTokens];
    });
    expect(Object.fromEntries(await Promise.all(runs))).toEqual({
      recorded: contexts,
      none: contexts,
      custom: contexts,
      "rent-to-buy": contexts,
    });
  });
});

describe("the counting basis of metrics", () => {
  it("is an uncalibrated estimate if calibration fails, whatever counting was requested", async () => {
    const { out, err } = await run(["replay", SHORT, ...CUSTOM, "--window", "4000"]);
    expect(out).toContain(", anchored (not calibrated)\n");
    expect(err).toMatch(/^context-replay: not calibrated: fewer than 8 pairs/);
    const unused = await run(["replay", UNUSED, ...CUSTOM, "--window", "4000"]);
    expect([unused.out.includes(", estimate\n"), unused.err]).toEqual([true, ""]);
  });

  it("is named per file if a sweep's recordings differ in it", async () => {
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

  it("is that of the counting mode given to contributors", async () => {
    const args = ["contributors", SHORT, "--policy", "none", "--counting", "estimate", "--json"];
    const answer = contributors.parse(JSON.parse((await run(args)).out));
    expect([answer.counting, answer.basis]).toEqual(["estimate", "estimate"]);
  });
});
