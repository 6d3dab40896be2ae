import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assertDefined } from "@/lib/core/base/assert";
import { KIND, ORIGIN, type SessionColumns } from "@/lib/core/columns/columns";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { countedBySize, sizeTokenColumn } from "@/lib/core/columns/token-columns";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import { resolveSettings, SettingError, type Settings } from "@/lib/core/compaction/policy/settings";
import { type CountingMode, type Replay, replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { block } from "@/lib/core/transcript/draft";
import type { Message, Transcript } from "@/lib/core/transcript/model";
import { pruneResults } from "@/verify/agents/openclaw/prune";
import { messageStarts } from "@/verify/support/loaded-recording";
import { OPENCLAW_PRESETS, presetFor } from "../base/presets";
import { openClawEstimatorOf, openClawMeasures } from "../estimator";
import { profile as openClaw } from "../index";
import { messageOfEntry } from "../messages/entry";
import { messageTokens } from "../messages/estimate";
import type { AgentMessage } from "../messages/message";
import { nativeEntries } from "../messages/native";
import { DEFAULT_PRUNING, type PruningSettings } from "../sent/pruning-settings";
import { openClawPolicy } from "./policy";

const context: PolicyContext = { window: 200_000, agent: "openclaw" };

function settingsFor(preset: string, given: Readonly<Record<string, unknown>> = {}, own = context): Settings {
  return resolveSettings(openClawPolicy.settings(preset, own), given);
}

function run(
  drawing: string,
  preset: string,
  given: Readonly<Record<string, unknown>>,
  window = 200_000,
  counting: CountingMode = "estimate",
): Replay {
  const columns = drawColumns(drawing);
  const settings = settingsFor(preset, { entryTruncation: false, ...given }, { window, agent: null });
  return replay(countedBySize(columns, "bytes-4"), openClawPolicy, settings, { preset, window, counting });
}

const outcomes = (replayed: Replay) => replayed.compactions.map(({ request, outcome }) => `${outcome}@${request}`);

describe("if the provider counts twice as much as OpenClaw", () => {
  // Turns of a message and an answer of 500 each; the recording states 1,000 for each, and 1 for the answer.
  const turns = Array.from({ length: 12 }, (_, turn) => `u500 a500 @${1000 + 2000 * turn}`).join(" ");
  const given = { reserveTokensFloor: 0, memoryFlushTokens: 1_000_000, keepRecentTokens: 1200 };
  const compactions = (reserveTokens: number, counting: CountingMode) =>
    run(turns, "as-documented", { ...given, reserveTokens }, 25_000, counting).compactions;

  it("the policy measures the newest messages by its own count", () => {
    for (const counting of ["anchored", "calibrated"] as const) {
      expect(compactions(6000, counting)[0]).toMatchObject({ request: 10, keptItems: 3 + 1 });
    }
  });

  it("the policy uses the recorded output of the last response", () => {
    const first = (limit: number) => compactions(25_000 - limit, "anchored")[0]?.request;
    expect([first(19_000), first(19_001)]).toEqual([10, 11]);
  });
});

describe("settings", () => {
  it("have the documented names and defaults", () => {
    expect(settingsFor("as-documented")).toEqual({
      reserveTokens: 16_384,
      reserveTokensFloor: 20_000,
      keepRecentTokens: 20_000,
      maxHistoryShare: 0.5,
      historyTurns: 0,
      memoryFlushTokens: 4_000,
      pruning: "off",
      pruningTtlMinutes: 60,
      pruningTrimShare: 0.3,
      pruningClearShare: 0.5,
      pruningTrimAbove: 4000,
      pruningHeadChars: 1500,
      pruningTailChars: 1500,
      pruningMinChars: 50_000,
      pruningKeepResponses: 3,
      summaryTokens: 1500,
      failSummary: "never",
      entryTruncation: false,
    });
    expect(settingsFor("current")).toMatchObject({ toolResultChars: 64_000, reserveTokens: 16_384 });
    expect(settingsFor("current", {}, { window: 100_000, agent: "pi" })).toMatchObject({
      toolResultChars: 32_000,
      entryTruncation: true,
    });
    expect(() => settingsFor("as-documented", { toolResultChars: 1 })).toThrow(SettingError);
    // In that release head and tail are measured on the text.
    expect(() => settingsFor("current", { pruningHeadChars: 100 })).toThrow(SettingError);
  });

  it("name their source, as every constant does", () => {
    for (const spec of openClawPolicy.settings("current", context))
      expect(spec.source.text ?? spec.source.notes?.[0]).toMatch(/\w{5}/);
    for (const constant of Object.values(openClaw.constants)) expect(constant.source.text).toMatch(/openclaw@2026/);
  });

  it("come from the preset of the release", () => {
    const versions = [undefined, "2026.2.1", "2026.5.7", "2026.9.6", "2026.10.1", "2027.1.0", "odd"];
    expect(versions.map((version) => presetFor(version))).toEqual([
      "as-documented",
      "release-2026-02",
      "release-2026-05",
      "current",
      "current",
      "current",
      "as-documented",
    ]);
  });

  it("come from the preset of the last record's month if no release is named", () => {
    const ends = [null, "2026-02-03T10:00:00.000Z", "2026-06-30T10:00:00.000Z", "2026-09-01T00:00:00.000Z"];
    expect(ends.map((endedAt) => presetFor(undefined, { formatVersion: 3, endedAt }))).toEqual([
      "as-documented",
      "release-2026-02",
      "release-2026-05",
      "current",
    ]);
  });
});

describe("the preset as-documented", () => {
  it("compacts between runs above the window minus the raised reserve", () => {
    expect(
      openClawPolicy.threshold?.({ preset: "as-documented", window: 200_000, settings: settingsFor("as-documented") }),
    ).toBe(180_000);
    expect(
      openClawPolicy.threshold?.({
        preset: "as-documented",
        window: 200_000,
        settings: settingsFor("as-documented", { reserveTokens: 30_000 }),
      }),
    ).toBe(170_000);
    expect(
      openClawPolicy.threshold?.({
        preset: "as-documented",
        window: 200_000,
        settings: settingsFor("as-documented", { reserveTokensFloor: 0 }),
      }),
    ).toBe(183_616);
    const off = { memoryFlushTokens: 200_000 };
    expect(outcomes(run("u100000 a80000 u10 a10", "as-documented", off))).toEqual([]);
    expect(outcomes(run("u100000 a80001 u10 a10", "as-documented", off))).toEqual(["summary@1"]);
    // Within a run it does nothing until the window is full.
    expect(outcomes(run("u100000 c10 r85000 | a10", "as-documented", off))).toEqual([]);
    expect(outcomes(run("u100000 c10 r100000 | a10", "as-documented", off))).toEqual(["fallback@1"]);
  });

  it("loses the kept part of the first compaction at the second, in releases with that defect", () => {
    const drawing = "u100000 a60000 u15000 a10000 u5 a90000 u60000 a20000 u5 a5";
    const documented = run(drawing, "as-documented", { memoryFlushTokens: 200_000, keepRecentTokens: 20_000 });
    expect(documented.compactions[1]?.summaryCallTokens).toBeGreaterThan(25_000);
    const { compactions } = run(drawing, "release-2026-02", { memoryFlushTokens: 200_000, keepRecentTokens: 20_000 });
    expect(compactions.map((one) => [one.request, one.kept.length])).toEqual([
      [2, 3],
      [4, 2],
    ]);
    const [first, second] = compactions;
    expect(second?.kept).not.toContain(first?.kept[0]);
  });

  it("leaves a note and continues if the summary fails", () => {
    const failing = { failSummary: "always", memoryFlushTokens: 200_000 };
    const { compactions } = run("u100000 a90000 u10 a10", "as-documented", failing);
    expect(compactions).toMatchObject([{ outcome: "fallback", summaryTokens: 35 }]);
    expect(compactions[0]?.tokensAfter).toBeLessThan(100_000);
    const once = run("u100000 a90000 u10 a10", "as-documented", { failSummary: "2", memoryFlushTokens: 200_000 });
    expect(outcomes(once)).toEqual(["summary@1"]);
  });

  it("refuses windows that are too small", () => {
    expect(outcomes(run("u10 c5 r5 | a10 u10 a10", "as-documented", {}, 15_999))).toEqual(["blocked@0", "blocked@2"]);
    const roomy = { reserveTokens: 1000, reserveTokensFloor: 0 };
    expect(outcomes(run("u10 a10 u10 a10", "as-documented", roomy, 16_000))).toEqual([]);
    // With a reserve above the window, every run ends in a compaction. Nothing is summarised, so it adds only a note.
    expect(outcomes(run("u10 a10 u10 a10", "as-documented", {}, 16_000))).toEqual(["fallback@1"]);
  });

  it("writes memories down once, shortly before the threshold", () => {
    const drawing = "u100000 a76500 u10 a10 u10 a10 u3000 a10 u10 a10 u10 a10";
    const replayed = run(drawing, "as-documented", {});
    expect(outcomes(replayed)).toEqual(["skipped@2"]);
    expect(replayed.compactions[0]?.added).toMatchObject([{ label: "turn in which memories are written down" }]);
    expect(outcomes(run(drawing, "as-documented", { memoryFlushTokens: 200_000 }))).toEqual([]);
  });

  it("limits the turns of a direct chat, without counting the new prompt", () => {
    const replayed = run("u1 a1 u2 c2 r2 | a2 u3 a3 u4 a4", "as-documented", { historyTurns: 2 });
    expect(outcomes(replayed)).toEqual(["trim@4"]);
    expect(Array.from(replayed.context)).toEqual([1, 4, 8, 13, 2 + 2 + 2 + 2 + 3 + 3 + 4]);
  });
});

describe("a summary", () => {
  const off = { memoryFlushTokens: 200_000, keepRecentTokens: 10 };

  it("does not count as a turn of the chat", () => {
    // The cut keeps the newest answer, followed by two turns and the new prompt.
    const drawing = "u100000 a80001 u10 a10 u10 a10 u10 a10";
    expect(outcomes(run(drawing, "as-documented", { ...off, historyTurns: 2 }))).toEqual(["summary@1"]);
    expect(outcomes(run(drawing, "as-documented", { ...off, historyTurns: 1 }))).toEqual(["summary@1", "trim@3"]);
  });

  it("is ignored by the next summary if it was dropped with its turns", () => {
    const drawing = "u100000 a80001 u10 a10 u10 a10 u10 a10 u1 a180000 u10 a10";
    const { compactions } = run(drawing, "as-documented", { ...off, historyTurns: 1, summaryTokens: 300 });
    expect(compactions.map(({ outcome, request }) => `${outcome}@${request}`)).toEqual([
      "summary@1",
      "trim@3",
      "trim@4",
      "summary@5",
    ]);
    expect(compactions.at(-1)?.summaryCallTokens).toBe(21);
  });

  it.each(["as-documented", "current"])("is not made without new messages since the last one, %s", (preset) => {
    // A rollback removes the later messages, and the rest is still above the limit.
    const given = {
      ...off,
      memoryFlushTokens: 40_000,
      reserveTokens: 10_000,
      reserveTokensFloor: 0,
      summaryTokens: 25_000,
    };
    const drawing = (taken: string) => `u25000 a10000 u10 a10 ${taken} u10 a10`;
    expect(outcomes(run(drawing("<2"), preset, given, 40_000))).toEqual(["summary@1"]);
    expect(outcomes(run(drawing(""), preset, given, 40_000))).toEqual(["summary@1", "summary@2"]);
  });
});

describe("the preset current", () => {
  it("adds a safety margin to the prompt estimate, and gives up if the summary fails", () => {
    expect(openClawPolicy.threshold?.({ preset: "current", window: 200_000, settings: settingsFor("current") })).toBe(
      180_000,
    );
    expect(openClawPolicy.threshold?.({ preset: "current", window: 40_000, settings: settingsFor("current") })).toBe(
      30_000,
    );
    const off = { memoryFlushTokens: 200_000, toolResultChars: 400_000 };
    expect(outcomes(run("u100000 a79988 u10 a10", "current", off))).toEqual([]);
    expect(outcomes(run("u100000 a79989 u10 a10", "current", off))).toEqual(["summary@1"]);
    const failing = run("u100000 a79989 u10 a10 u10 a10", "current", { ...off, failSummary: "always" });
    expect(outcomes(failing)).toEqual(["failed@1", "failed@2"]);
    expect(failing.compactions[0]?.tokensAfter).toBe(failing.compactions[0]?.tokensBefore);
  });

  it("shortens results if that is enough, and otherwise compacts too", () => {
    const off = { memoryFlushTokens: 200_000 };
    const trimmed = run("u50000 c10 r100000 | a30000 u10 a10", "current", off);
    expect(outcomes(trimmed)).toEqual(["trim@2"]);
    expect(trimmed.compactions[0]?.truncated).toEqual([[3, 16_000]]);
    const both = run("u20000 c10 r20000 | a150000 u10 a10", "current", off);
    expect(outcomes(both)).toEqual(["summary@2"]);
  });

  it("keeps fewer messages if the provider counts more tokens than OpenClaw", () => {
    const drawing = "u80000 a9000 u9000 a9000 u9000 a70000 u5 a5";
    const kept = (overhead: number) => {
      const columns = drawColumns(`${drawing.replace("a9000", `a9000 @${80_000 + overhead}`)}`);
      const tokens = sizeTokenColumn(columns, "bytes-4");
      const settings = settingsFor(
        "current",
        { memoryFlushTokens: 1e6, keepRecentTokens: 75_000 },
        { window: 1e6, agent: null },
      );
      const options = { preset: "current", window: 200_000 + overhead, counting: "estimate" } as const;
      const given = { ...settings, reserveTokens: 40_000, reserveTokensFloor: 0 };
      return replay({ columns, tokens }, openClawPolicy, given, options).compactions[0]?.kept.length;
    };
    expect(kept(0)).toBe(3);
    expect(kept(20_000)).toBe(2);
  });

  it("limits results as they enter", () => {
    const given = { entryTruncation: true, memoryFlushTokens: 200_000 };
    const entered = (preset: string, more = {}) =>
      run("u10 c5 r60000 | a5", preset, { ...given, ...more }).context.at(-1);
    expect(entered("as-documented")).toBe(10 + 5 + 12_800);
    expect(entered("current")).toBe(10 + 5 + 12_800);
    expect(entered("current", { toolResultChars: 20_000 })).toBe(10 + 5 + 5_000);
    expect(entered("current", { entryTruncation: false })).toBe(10 + 5 + 60_000);
  });
});

/** A session of long results with pauses, with its messages in OpenClaw's shape. */
function longSession(results: readonly number[], pauseMinutes: number, moreTurns = 0) {
  const builder = new TranscriptBuilder({ keepChars: Number.MAX_SAFE_INTEGER, byteLength: (text) => text.length });
  let at = 0;
  const add = (role: Message["role"], origin: Message["origin"], ...blocks: Message["blocks"]) => {
    const index = builder.messageCount;
    if (origin === "response") builder.request({ message: index, line: 1, at });
    builder.message({ role, origin, line: 1, at, blocks });
    at += 1000;
  };
  const source = { line: 1, offset: 0, length: 1, part: 0 };
  const text = (of: string) => block("text", builder.text(of), source);
  add("user", "typed", text("Look at everything."));
  for (const [index, size] of results.entries()) {
    const callId = `c${index}`;
    add(
      "assistant",
      "response",
      block("tool_call", builder.text('{"command":"cat"}'), source, { callId, tool: "exec" }),
    );
    add("user", "tool", block("tool_result", builder.text("r".repeat(size)), source, { callId }));
  }
  add("assistant", "response", text("Done."));
  at += pauseMinutes * 60_000;
  add("user", "typed", text("And now?"));
  add("assistant", "response", text("Nothing more."));
  for (let turn = 0; turn < moreTurns; turn++) {
    add("user", "typed", text("Go on."));
    add("assistant", "response", text("Gone on."));
  }
  return builder.finish("drawn", null);
}

function contentsOf(message: Message): readonly BlockContent[] {
  return message.blocks.map((one) => ({ record: {}, text: one.text.value ?? "" }));
}

function measured(transcript: Transcript, preset: "as-documented" | "current"): [SessionColumns, Int32Array] {
  const columns = columnsFromTranscript(transcript);
  const starts = messageStarts(transcript.messages, columns.overheadRows);
  const tokens = new Int32Array(columns.length);
  const cut = new Int32Array(columns.length);
  const weighted = new Int32Array(columns.length);
  transcript.messages.forEach((message, index) => {
    const contents = contentsOf(message);
    const numbers = openClawMeasures(message, contents, "drawn");
    tokens.set(openClawEstimatorOf(preset).blocks(message, contents, "drawn"), starts[index]);
    cut.set(numbers["openclaw.cut"], starts[index]);
    weighted.set(numbers["openclaw.weightedChars"], starts[index]);
  });
  return [{ ...columns, measures: { "openclaw.cut": cut, "openclaw.weightedChars": weighted } }, tokens];
}

function prunedTokens(
  messages: readonly AgentMessage[],
  window: number,
  preset: "as-documented" | "current",
  given: Partial<PruningSettings> = {},
): number {
  const pruned = pruneResults(messages, { settings: { ...DEFAULT_PRUNING, ...given }, window, preset });
  return pruned.reduce((sum, message) => sum + messageTokens(message, preset), 0);
}

describe.each(["as-documented", "current"] as const)("pruning, %s", (preset) => {
  const given = { pruning: "cache-ttl", memoryFlushTokens: 200_000, reserveTokens: 0, reserveTokensFloor: 0 };
  const replayed = (transcript: Transcript, window: number, more = {}) => {
    const [columns, tokens] = measured(transcript, preset);
    const settings = settingsFor(preset, { ...given, ...more });
    return replay({ columns, tokens }, openClawPolicy, settings, { preset, window, counting: "estimate" });
  };

  it("clears the same results by sizes as the exact rule by messages", () => {
    let pruned = 0;
    const sizes = fc.array(fc.oneof(fc.integer({ min: 0, max: 6000 }), fc.integer({ min: 0, max: 40_000 })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 16_000, max: 120_000 }), (results, window) => {
        const transcript = longSession(results, 90);
        const sent = transcript.messages.slice(0, -1);
        const natives = sent.flatMap((message) => nativeEntries(message, contentsOf(message), "drawn"));
        const messages = natives.map(({ entry }) => assertDefined(messageOfEntry(entry, preset), "a message"));
        const whole = messages.reduce((sum, message) => sum + messageTokens(message, preset), 0);
        if (whole > window * 0.7) return;
        const { context } = replayed(transcript, window);
        expect(context.at(-1)).toBe(prunedTokens(messages, window, preset));
        if (context.at(-1) !== whole) pruned += 1;
      }),
      { numRuns: 100, seed: 3 },
    );
    expect(pruned).toBeGreaterThan(10);
  });

  it("follows the limits in the settings, like the rule over messages", () => {
    const documented = fc.record({
      maxChars: fc.constantFrom(0, 900, 4000, 12_000),
      headChars: fc.constantFrom(0, 100, 1500),
      tailChars: fc.constantFrom(0, 100, 5000),
    });
    const current = fc.record({
      maxChars: fc.constantFrom(3500, 4000, 12_000),
      headChars: fc.constant(1500),
      tailChars: fc.constant(1500),
    });
    const limits = fc.record({
      keepLastAssistants: fc.integer({ min: 0, max: 6 }),
      softTrimRatio: fc.constantFrom(0, 0.1, 0.3, 0.6),
      hardClearRatio: fc.constantFrom(0, 0.2, 0.5, 1),
      minPrunableToolChars: fc.constantFrom(0, 5000, 50_000),
      softTrim: preset === "current" ? current : documented,
    });
    const sizes = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 2, maxLength: 15 });
    const seen = new Set<number>();
    fc.assert(
      fc.property(sizes, limits, (results, given) => {
        const transcript = longSession(results, 90);
        const sent = transcript.messages.slice(0, -1);
        const natives = sent.flatMap((message) => nativeEntries(message, contentsOf(message), "drawn"));
        const messages = natives.map(({ entry }) => assertDefined(messageOfEntry(entry, preset), "a message"));
        const { maxChars, headChars, tailChars } = given.softTrim;
        const ends = preset === "current" ? {} : { pruningHeadChars: headChars, pruningTailChars: tailChars };
        const { context } = replayed(transcript, 120_000, {
          pruningTrimAbove: maxChars,
          ...ends,
          pruningKeepResponses: given.keepLastAssistants,
          pruningTrimShare: given.softTrimRatio,
          pruningClearShare: given.hardClearRatio,
          pruningMinChars: given.minPrunableToolChars,
        });
        const expected = prunedTokens(messages, 120_000, preset, given);
        expect(context.at(-1)).toBe(expected);
        if (expected !== prunedTokens(messages, 120_000, preset)) seen.add(expected);
      }),
      { numRuns: 70, seed: 5 },
    );
    expect(seen.size).toBeGreaterThan(10);
  });

  it("lasts for one request in 2026.2.1, and permanently in 2026.9.6", () => {
    const transcript = longSession([30_000, 30_000, 10, 10, 10], 90, 2);
    const whole = replayed(transcript, 40_000, { pruning: "off" }).context;
    const { context, compactions } = replayed(transcript, 40_000);
    expect(compactions).toMatchObject([{ request: 6, transient: preset === "as-documented" }]);
    expect(context[6]).toBeLessThan(whole[6] ?? 0);
    const saved = preset === "as-documented" ? 0 : (whole[6] ?? 0) - (context[6] ?? 0);
    expect([context[7], context[8]]).toEqual([(whole[7] ?? 0) - saved, (whole[8] ?? 0) - saved]);
  });

  it("counts no size for reasoning without text in the file", () => {
    const [columns, tokens] = measured(longSession([9000, 9000, 9000, 9000, 9000], 90), preset);
    const compactions = (text: number) => {
      const row = columns.origin.indexOf(ORIGIN.response);
      const none = columns.chars.map(() => 0);
      const weighted = (columns.measures["openclaw.weightedChars"] ?? none).with(row, text);
      const texts = { "openclaw.givenChars": none.with(row, text), "openclaw.weightedChars": weighted };
      const hidden = {
        ...columns,
        kind: columns.kind.with(row, KIND.thinking),
        chars: columns.chars.with(row, 20_000),
        measures: { ...columns.measures, ...texts },
      };
      const settings = settingsFor(preset, given);
      return replay({ columns: hidden, tokens }, openClawPolicy, settings, {
        preset,
        window: 40_000,
        counting: "estimate",
      }).compactions;
    };
    expect([compactions(0).length, compactions(20_000).length]).toEqual([0, 1]);
  });

  it("happens only after an idle time, and only if switched on", () => {
    const transcript = longSession([30_000, 30_000, 10, 10, 10], 90);
    expect(outcomes(replayed(transcript, 40_000))).toEqual(["clear@6"]);
    expect(outcomes(replayed(longSession([30_000, 30_000, 10, 10, 10], 30), 40_000))).toEqual([]);
    expect(outcomes(replayed(transcript, 40_000, { pruning: "off" }))).toEqual([]);
    expect(outcomes(replayed(transcript, 40_000, { pruningTtlMinutes: 120 }))).toEqual([]);
  });
});

describe("a compaction with nothing to summarise", () => {
  it("adds a note without a summary call", () => {
    const { compactions } = run("u10 a10 u10 a10", "as-documented", {}, 16_000);
    const [first] = compactions;
    // `No prior history.` has 17 characters.
    expect(first).toMatchObject({ outcome: "fallback", summaryTokens: 0, summaryCallTokens: 0, droppedItems: 0 });
    expect(first?.added).toMatchObject([{ name: "summaryNote", tokens: 5 }]);
    expect((first?.tokensAfter ?? 0) - (first?.tokensBefore ?? 0)).toBe(5);
  });
});

describe("the preset release-2026-05", () => {
  const thresholdFor = (window: number) =>
    openClawPolicy.threshold?.({
      preset: "release-2026-05",
      window,
      settings: settingsFor("release-2026-05", {}, { window, agent: "openclaw" }),
    });

  it("leaves min(8,000, half of the window) for the prompt", () => {
    expect([8_192, 15_999, 16_000, 20_000, 28_000, 32_000, 128_000, 200_000].map(thresholdFor)).toEqual([
      4_096, 7_999, 8_000, 8_000, 8_000, 12_000, 108_000, 180_000,
    ]);
  });

  it("compares the last response's usage after a run", () => {
    // 4,096 and 4,097 tokens, of which OpenClaw itself counts few.
    const used = (output: number) => run(`u10 a${output} @4090 u10 a10`, "release-2026-05", {}, 8_192);
    expect([used(6), used(7)].map(outcomes)).toEqual([[], ["fallback@1"]]);
  });

  it("compares 1.2 times its own count of the whole prompt before it is sent", () => {
    // 3,413 × 1.2 = 4,095.6, rounded up 4,096; 3,414 × 1.2 = 4,096.8.
    expect(outcomes(run("u3413 a1", "release-2026-05", {}, 8_192))).toEqual([]);
    expect(outcomes(run("u3414 a1", "release-2026-05", {}, 8_192))).toEqual([]);
    expect(outcomes(run("u3000 a10 u403 a1", "release-2026-05", {}, 8_192))).toEqual([]);
    expect(outcomes(run("u3000 a10 u404 a1", "release-2026-05", {}, 8_192))).toEqual(["fallback@1"]);
  });

  it("refuses windows below 4,000 tokens only", () => {
    expect(outcomes(run("u10 a10", "release-2026-05", {}, 3_999))).toEqual(["blocked@0"]);
    expect(outcomes(run("u10 a10", "release-2026-05", {}, 4_000))).toEqual([]);
  });
});

it("the policy adds no memory turn to OpenClaw's own recordings, which already hold it", () => {
  const drawn = fc.array(fc.tuple(fc.integer({ min: 1, max: 9_000 }), fc.integer({ min: 1, max: 9_000 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(drawn, fc.constantFrom(...OPENCLAW_PRESETS), (turns, preset) => {
      const recording = countedBySize(
        drawColumns(turns.map(([user, reply]) => `u${user} a${reply}`).join(" ")),
        "bytes-4",
      );
      const of = (memoryFlushTokens: number, own: boolean) => {
        const settings = settingsFor(preset, { memoryFlushTokens }, { window: 64_000, agent: "openclaw" });
        const options = { preset, window: 64_000, counting: "anchored", own } as const;
        const { context, compactions } = replay(recording, openClawPolicy, settings, options);
        return { context, outcomes: compactions.map(({ request, outcome }) => `${outcome}@${request}`) };
      };
      expect(of(4_000, true)).toEqual(of(64_000, false));
    }),
    { numRuns: 60 },
  );
});
