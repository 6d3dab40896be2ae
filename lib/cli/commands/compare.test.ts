import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { compareAnswer, comparedRun, difference, replayResult, sweepRow } from "@/lib/queries/contract/schemas";
import { put, userLine } from "@/lib/server/testing/files";
import { commandLine, jsonLines, LONG } from "../testing/program";

const { run, folder } = commandLine();

/** A session that its agent never compacted. */
const UNCOMPACTED = join(process.cwd(), "public", "samples", "claude-code-report-timezone.jsonl");

describe("compare", () => {
  const args = ["--policy", "custom", "--set", "triggerShare=0.3", "--policy", "codex@current", "--policy", "none"];

  it("prints each run with its settings and replay's metrics, then the differences", async () => {
    const { code, out, err } = await run(["compare", LONG, ...args, "--window", "150000", "--json"]);
    expect([code, err]).toEqual([0, ""]);
    const printed = jsonLines(out);
    const runs = printed.slice(0, -1).map((one) => comparedRun.parse(one));
    expect(runs.map(({ policy, preset }) => `${policy}@${preset}`)).toEqual([
      "custom@default",
      "codex@current",
      "none@default",
    ]);
    const alone = await run(["replay", LONG, ...args.slice(0, 4), "--window", "150000", "--json"]);
    const { series: _series, band: _band, ...custom } = replayResult.parse(JSON.parse(alone.out));
    expect(runs[0]).toEqual({ ...custom, schedule: "own" });
    expect(runs[0]?.compactions.length).toBeGreaterThan(0);
    const rows = z.object({ difference: z.array(difference) }).parse(printed.at(-1)).difference;
    expect(rows.find(({ metric }) => metric === "compactions")).toEqual({
      metric: "compactions",
      values: runs.map(({ compactions }) => compactions.length),
      best: expect.any(Number),
      apart: [],
    });
  });

  it("marks a policy's hindsight optimum as hindsight, and never as the best run", async () => {
    const both = ["--policy", "custom", "--set", "triggerShare=0.9", "--policy", "custom", "--schedule", "best"];
    const { code, out, err } = await run(["compare", LONG, ...both]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^compacted at +its own rule +best timing in hindsight$/m);
    expect(out).toMatch(/^cost by list prices( +\$\d+\.\d+){2}$/m);
    expect(out).toContain("\ncustom: best timing in hindsight. It compacts before the requests");
    const printed = jsonLines((await run(["compare", LONG, ...both, "--json"])).out);
    const [own, best] = printed.slice(0, 2).map((one) => comparedRun.parse(one));
    expect([own?.schedule, best?.schedule, best?.thresholdTokens]).toEqual(["own", "best", null]);
    expect(best?.totals.costUsd?.total).toBe(own?.totals.bestUsd);
    expect([(own?.totals.regret ?? 0) > 0, best?.totals.regret]).toEqual([true, 0]);
  });

  it.each([
    [["--schedule", "best", ...args], "It must follow the --policy that it belongs to."],
    [[...args, "--schedule", "worst"], "It must be own or best."],
    [["--policy", "none", "--policy", "recorded", "--schedule", "best"], "recorded has no hindsight optimum here: "],
  ])("rejects %j", async (given, sentence) => {
    const { code, out, err } = await run(["compare", LONG, ...given]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
  });

  it("prints costs with their bounds and the price list they use", async () => {
    const priced = ["--on", "claude-opus-5", "--ttl", "1h", "--price-date", "2026-09-30"];
    const { out } = await run(["compare", LONG, ...args, ...priced]);
    expect(out).toMatch(/^cost by list prices( +\$\d+\.\d\d[ *]*){3}$/m);
    expect(out).toMatch(/^cost by list prices.*\n +(\$\d+\.\d\d–\$\d+\.\d\d +){2}/m);
    expect(out).toContain("Priced as claude-opus-5; another model's tokenizer would have counted other tokens.\n");
    expect(out).toContain("Prices of 2026-09-30, whenever the requests were.\n");
    const [json] = jsonLines((await run(["compare", LONG, ...args, ...priced, "--json"])).out);
    expect(comparedRun.parse(json).costTerms).toEqual({
      ttl: "1h",
      on: "claude-opus-5",
      priceDate: "2026-09-30",
      otherTokenizer: true,
    });
  });

  it.each([
    [["--on", "nobody-1"], "There is no price of a model nobody-1."],
    [["--price-date", "2026-02-30"], "It must be recorded, today, or a day as 2026-09-01."],
  ])("rejects %j", async (given, sentence) => {
    const { code, out, err } = await run(["compare", LONG, ...args, ...given]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
  });

  it("counts overhead from a context profile, like replay and sweep", async () => {
    const plain = put(folder, "plain.jsonl", userLine("One.", "u1"));
    const profile = put(folder, "profile.json", JSON.stringify({ systemPrompt: 5000 }));
    const given = ["--overhead", profile, "--json"];
    const compared = await run(["compare", plain, "--policy", "none", "--policy", "custom", ...given]);
    const replayed = await run(["replay", plain, "--policy", "none", ...given]);
    const swept = await run(["sweep", plain, "--policy", "custom", "--vary", "triggerShare=0.5:0.5:1", ...given]);
    const { peak } = replayResult.parse(JSON.parse(replayed.out)).totals;
    expect(peak).toBeGreaterThan(5000);
    expect(comparedRun.parse(jsonLines(compared.out)[0]).totals.peak).toBe(peak);
    expect(sweepRow.parse(JSON.parse(swept.out)).totals.peak).toBe(peak);
  });

  it("names the counting rules if presets of the same agent count differently", async () => {
    const file = join(process.cwd(), "public", "samples", "codex-duplicate-messages.jsonl");
    const compared = (...policies: string[]) => run(["compare", file, ...policies.flatMap((one) => ["--policy", one])]);
    const differing = await compared("codex@as-documented", "codex@current", "none");
    expect(differing.out).toMatch(/^token rule +codex +codex@current +codex@release-2026-01$/m);
    expect((await compared("codex@release-2026-01", "none")).out).not.toContain("token rule");
  });

  it("reports no difference if neither the recording nor a policy compacts", async () => {
    const both = ["compare", UNCOMPACTED, "--policy", "recorded", "--policy", "none"];
    const { out } = await run([...both, "--json"]);
    const printed = jsonLines(out);
    const runs = printed.slice(0, -1).map((one) => comparedRun.parse(one));
    expect(runs.map(({ counting, basis }) => [counting, basis])).toEqual([
      ["anchored", "recorded"],
      ["anchored", "recorded"],
    ]);
    const { difference: rows, remarks } = compareAnswer.omit({ runs: true }).parse(printed.at(-1));
    for (const { values } of rows) expect(new Set(values.filter((value) => value !== null)).size).toBeLessThan(2);
    expect(remarks[0]).toMatchObject({ id: "noDifference", runs: [0, 1] });
    const text = (await run(both)).out;
    expect(text).toMatch(/\ncounted by +recorded usage +recorded usage\n/);
    expect(text).toContain("\nno difference: every compared metric is the same.\n");
    expect(text).not.toMatch(/\d \*/);
  });

  it("does not compare an uncalibrated estimate with recorded usage, and states the reason", async () => {
    const estimate = ["--policy", "recorded", "--policy", "none", "--counting", "estimate"];
    const { out } = await run(["compare", UNCOMPACTED, ...estimate, "--json"]);
    const { difference: rows, remarks } = compareAnswer.omit({ runs: true }).parse(jsonLines(out).at(-1));
    for (const { values, best, apart } of rows) expect([values[0], best, apart]).toEqual([null, null, [0]]);
    expect(remarks).toMatchObject([{ id: "usageApart", runs: [0], text: expect.stringContaining("not compared") }]);
    const text = (await run(["compare", UNCOMPACTED, ...estimate])).out;
    expect(text).toMatch(/\ncounted by +recorded usage +estimate\n/);
    expect(text, "each has its own value").toMatch(/\ntokens sent +[\d,]+ +[\d,]+\n/);
    expect(text).toContain("\nrecorded: counted by recorded usage; the others by an estimate");
    expect(text).not.toMatch(/\d \*/);
    const more = await run(["compare", UNCOMPACTED, ...estimate, "--policy", "custom", "--set", "triggerShare=0.2"]);
    expect(more.out).toMatch(/\ntokens sent +[\d,]+ +[\d,]+ +[\d,]+ \*\n/);
  });

  it("prints a table if --json is absent", async () => {
    const { out } = await run(["compare", LONG, ...args]);
    expect(out).toMatch(/custom@default +codex@current +none@default/);
    expect(out).toMatch(/tokens sent +[\d,]*,\d{3} \* +[\d,]+ +[\d,]+/);
    const same = await run(["compare", LONG, "--policy", "none", "--policy", "none"]);
    expect(same.out).toMatch(/\npeak +[\d,]+ +[\d,]+\n/);
  });
});
