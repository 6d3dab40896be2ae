import { describe, expect, it } from "vitest";
import { geminiEstimator, geminiMeasures } from "@/lib/agents/gemini-cli/estimator";
import { geminiPolicy } from "@/lib/agents/gemini-cli/policy/policy";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { differencesOf, metIn } from "@/verify/support/cross-check";
import { describeCrossCheck, fixtureGroups } from "@/verify/support/describe-cross-check";
import { loadRecording } from "@/verify/support/loaded-recording";
import { randomNumbers } from "@/verify/support/random";
import { type RecordingSource, recordingSources, sampledSources } from "@/verify/support/recording-sources";
import { SAMPLED } from "@/verify/support/varied-settings";
import { crossCheck } from "./cross-check";

/** This checks a seeded sample; `npm run verify cross-check` runs the whole check. */
describeCrossCheck(crossCheck, [
  ...fixtureGroups(["gemini-cli"]),
  { name: "recordings", sources: sampledSources(recordingSources(), 3, 9, 500_000), sampling: SAMPLED },
]);

/** A session of many turns, calls and large outputs, generated from a seed. */
function generatedSession(seed: number): Uint8Array {
  const random = randomNumbers(seed);
  const text = (chars: number) => "word 词语 ".repeat(Math.ceil(chars / 8)).slice(0, chars);
  const lines: unknown[] = [{ sessionId: "drawn", projectHash: "h", startTime: "2026-01-01T00:00:00.000Z" }];
  lines.push({ id: "env", type: "user", content: [{ text: `<session_context>\n${text(400)}` }] });
  for (let turn = 0; turn < 25; turn++) {
    lines.push({ id: `u${turn}`, type: "user", content: [{ text: text(20 + random(900)) }] });
    const responses = 1 + random(5);
    for (let step = 0; step < responses; step++) {
      const calls = step === responses - 1 ? 0 : random(3);
      const tools = ["read_file", "run_shell_command", "ask_user"];
      lines.push({
        id: `g${turn}-${step}`,
        type: "gemini",
        content: text(random(500)),
        model: "gemini-3-pro",
        toolCalls: Array.from({ length: calls }, (_, index) => {
          const [id, name] = [`c${turn}-${step}-${index}`, tools[random(3)]];
          const output = random(3) === 0 ? text(30_000 + random(90_000)) : text(random(4000));
          return { id, name, args: { path: "a" }, result: [{ functionResponse: { id, name, response: { output } } }] };
        }),
      });
    }
  }
  return Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n"));
}

function drawnSource(seed: number): RecordingSource {
  return { name: `drawn ${seed}`, format: "gemini-cli", bytes: () => generatedSession(seed) };
}

describe("generated sessions", () => {
  const met = new Map<string, number>();

  it.each([1, 4])("replay the same under the policy and the independent rules: seed %i", async (seed) => {
    const runs = await crossCheck(drawnSource(seed), { ...SAMPLED, chosen: 5 });
    expect(differencesOf(runs)).toEqual([]);
    for (const [what, times] of metIn(runs)) met.set(what, (met.get(what) ?? 0) + times);
    // There must be compressions and maskings; a generated window may have none.
    const chosen = runs.filter(({ label }) => label !== "defaults" && !label.startsWith("varied"));
    for (const { compactions } of chosen) expect(compactions).toBeGreaterThan(1);
  });

  it("include truncations alone, and maskings after compressions of every outcome", () => {
    for (const what of ["only cut", "masked after: summary", "masked after: failed", "masked after: trim"]) {
      expect(met.get(what), what).toBeGreaterThan(0);
    }
  });

  const { columns, tokens } = loadRecording(drawnSource(9), geminiEstimator, geminiMeasures);
  const outcomes = (given: Readonly<Record<string, unknown>>) => {
    const specs = geminiPolicy.settings("current", { window: 50_000, agent: "gemini-cli" });
    const options = { window: 50_000, counting: "estimate" } as const;
    const { compactions } = replay({ columns, tokens }, geminiPolicy, resolveSettings(specs, given), options);
    return compactions.map(({ outcome }) => outcome);
  };

  it("keep the history if the summary call fails, and try again", () => {
    expect(outcomes({ failSummary: 1 }).slice(0, 2)).toEqual(["failed", "summary"]);
    expect(outcomes({ failSummary: "always" }).filter((outcome) => outcome === "failed").length).toBeGreaterThan(5);
  });

  it("request no further summary after one larger than the history, and truncate results", () => {
    const given = { summaryTokens: 50_000, toolResponseTokens: 5000 };
    for (const failSummary of ["never", "2"]) {
      const [first, ...later] = outcomes({ ...given, failSummary });
      expect([first, later.includes("failed"), later.includes("summary")]).toEqual(["failed", false, false]);
      expect(later.filter((outcome) => outcome === "trim").length).toBeGreaterThan(2);
    }
    // The first call broke off, which does not count as a larger summary; the second one does.
    expect(outcomes({ ...given, failSummary: 1 }).filter((outcome) => outcome === "failed")).toHaveLength(2);
  });

  it("mask a result only once, however little that saves", () => {
    const text = (chars: number) => "a".repeat(chars);
    const call = (id: string, output: string) => ({
      id,
      name: "read_file",
      args: {},
      result: [{ functionResponse: { id, name: "read_file", response: { output } } }],
    });
    // A preview is 1 token smaller than the first of these, and the later outputs make it old.
    const outputs = [text(710), ...Array.from({ length: 24 }, () => text(39_000))];
    const lines: unknown[] = [{ sessionId: "s", projectHash: "h", startTime: "2026-01-01T00:00:00.000Z" }];
    outputs.forEach((output, at) => {
      lines.push({ id: `u${at}`, type: "user", content: [{ text: "go on" }] });
      lines.push({ id: `g${at}`, type: "gemini", content: "ok", toolCalls: [call(`c${at}`, output)] });
    });
    const bytes = Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n"));
    const source: RecordingSource = { name: "s", format: "gemini-cli", bytes: () => bytes };
    const { columns, tokens } = loadRecording(source, geminiEstimator, geminiMeasures);
    const row = columns.kind.indexOf(4);
    const [whole, masked] = ["tokens", "masked"].map((name) => columns.measures[`gemini-cli.${name}`]?.[row] ?? 0);
    expect([tokens[row], masked]).toEqual([whole, (whole ?? 0) - 1]);
    const settings = resolveSettings(geminiPolicy.settings("current", { window: 1e8, agent: "gemini-cli" }), {});
    const run = replay({ columns, tokens }, geminiPolicy, settings, { window: 1e8, counting: "estimate" });
    expect(run.compactions.length).toBeGreaterThan(1);
    expect(run.compactions.filter(({ cleared }) => cleared.some(([item]) => item === row))).toHaveLength(1);
  });
});
