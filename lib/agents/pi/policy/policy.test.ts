import { describe, expect, it } from "vitest";
import { KIND } from "@/lib/core/columns/columns";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { resolveSettings, SettingError } from "@/lib/core/compaction/policy/settings";
import { type CountingMode, replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { presetFor } from "../base/presets";
import { piPolicy } from "./policy";

/** Sizes are tokens; without usage there is no overhead. */
function run(
  drawing: string,
  given: Record<string, unknown> = {},
  window = 200_000,
  preset = "current",
  counting: CountingMode = "estimate",
) {
  const columns = drawColumns(drawing);
  const specs = piPolicy.settings(preset, { window, agent: "pi" });
  const settings = resolveSettings(specs, { summaryTokens: 100, ...given });
  const tokens = sizeTokenColumn(columns, "bytes-4");
  return replay({ columns, tokens }, piPolicy, settings, { preset, window, counting });
}

describe("trigger", () => {
  it("is checked only between turns in v0.51.0", () => {
    const chosen = { window: 200_000, settings: {} };
    expect(piPolicy.thresholdRule?.({ ...chosen, preset: "v0.51.0" })).toBe("betweenTurns");
    expect(piPolicy.thresholdRule?.({ ...chosen, preset: "current" })).toBeUndefined();
  });

  it("fires only above the window minus the reserve", () => {
    expect(run("u183000 a616 u1 a1", { keepRecentTokens: 100 }).compactions).toEqual([]);
    expect(run("u183000 a617 u1 a1", { keepRecentTokens: 100 }).compactions).toMatchObject([
      { request: 1, trigger: "threshold" },
    ]);
    expect(piPolicy.threshold?.({ preset: "current", window: 200_000, settings: { reserveTokens: 16_384 } })).toBe(
      183_616,
    );
  });

  it("excludes the next typed message between turns", () => {
    expect(run("u183000 a616 u9000 a1", { keepRecentTokens: 100 }).compactions).toEqual([]);
    expect(run("u183000 a616 u17000 a1", { keepRecentTokens: 100 }).compactions).toMatchObject([
      { trigger: "overflow" },
    ]);
  });

  it("includes results within a run in `current`, and is not checked there in `v0.51.0`", () => {
    const drawing = "u150000 | c10 r40000 a5 u1 a1";
    expect(run(drawing).compactions).toMatchObject([{ request: 1, trigger: "threshold" }]);
    expect(run(drawing, {}, 200_000, "v0.51.0").compactions).toMatchObject([{ request: 2, trigger: "threshold" }]);
  });

  it("fires for a request longer than the window, which is then sent again", () => {
    const { compactions, totals } = run("u100000 a10 u150000 a5", {}, 200_000, "v0.51.0");
    expect(compactions).toMatchObject([{ request: 1, trigger: "overflow", tokensAfter: 150_100 }]);
    expect(totals).toMatchObject({ peak: compactions[0]?.tokensBefore, requestsOverWindow: 1 });
  });

  it("does not fire if nothing would be summarised", () => {
    expect(run("u250000 a5").compactions).toEqual([]);
    expect(run("u190000 a1 u1 a1", { keepRecentTokens: 200_000 }).compactions).toEqual([]);
  });
});

describe("if the provider counts twice as much as pi", () => {
  /** Turns of a message and an answer of 50 each; the recording states 100 for each. */
  const turns = (count: number, behind = "") =>
    `${Array.from({ length: count }, (_, turn) => `u50 a50 @${100 + 200 * turn}`).join(" ")} ${behind}`;

  it.each(["v0.51.0", "current"])(
    "the policy fills the budget for the newest messages by pi's own count: %s",
    (preset) => {
      // Before request 10 the last response's total is 2,000; messages of 50 reach 120 with the third.
      const given = { reserveTokens: 600, keepRecentTokens: 120 };
      for (const counting of ["anchored", "calibrated"] as const) {
        const [first] = run(turns(12), given, 2500, preset, counting).compactions;
        expect(first).toMatchObject({ request: 10, keptItems: 3 + 1, tokensAfter: 50 + 100 + 4 * 100 });
      }
    },
  );

  it("the policy counts items after the last response by pi's own count", () => {
    // The last request sent 1,900 and got 1; the results after it count 100, scaled to 200.
    const given = { keepRecentTokens: 120 };
    const fires = (reserveTokens: number) =>
      run(turns(9, "u50 c50 @1900 r100 a50 @2101"), { ...given, reserveTokens }, 2500, "current", "anchored")
        .compactions.length > 0;
    expect([fires(2500 - 2000), fires(2500 - 2001)]).toEqual([true, false]);
  });

  it("the policy uses the recorded output of the last response", () => {
    // The recorded usage counts the answer of 50 as 1.
    const given = { keepRecentTokens: 120 };
    const fires = (reserveTokens: number) =>
      run(turns(11), { ...given, reserveTokens }, 2500, "v0.51.0", "anchored").compactions.length > 0;
    expect([fires(2500 - 1900), fires(2500 - 1901)]).toEqual([true, false]);
  });
});

describe("a compaction", () => {
  it("keeps the newest messages that reach the budget, and the next typed message", () => {
    const { compactions } = run("u170000 a2000 u10000 a15000 u7 a1");
    expect(compactions).toMatchObject([
      {
        request: 2,
        outcome: "summary",
        tokensBefore: 197_007,
        tokensAfter: 25_107,
        summaryTokens: 100,
        droppedItems: 2,
      },
    ]);
  });

  it("includes the part kept by the previous compaction in `current`, but loses it in 0.51", () => {
    // Rows 1 to 8, after the empty overhead row.
    const drawing = "u500 a410 u200 a20 u30 a610 u50 a60";
    const kept = (preset: string) =>
      run(drawing, { reserveTokens: 100, keepRecentTokens: 420 }, 1000, preset).compactions.map((one) => one.kept);
    expect(kept("v0.51.0")).toEqual([
      [1, 2, 3],
      [3, 4, 5],
      [6, 7],
    ]);
    expect(kept("current")).toEqual([
      [2, 3, 4, 5],
      [6, 7],
    ]);
  });

  it("keeps everything if the summary call failed", () => {
    const { compactions } = run("u170000 a14000 u1 a1 u1 a1", { failSummary: "1", keepRecentTokens: 100 });
    expect(compactions.map((one) => one.outcome)).toEqual(["failed", "summary"]);
    expect(compactions[0]?.tokensAfter).toBe(compactions[0]?.tokensBefore);
    expect(compactions[0]?.summaryCallTokens).toBeGreaterThan(0);
  });

  it("lists the files read by all earlier calls in the summary", () => {
    const drawing = "u900 | c5 r10 a10 u900 | c5 r10 a10 u900 a1";
    const { compactions } = run(drawing, { reserveTokens: 100, keepRecentTokens: 1 }, 1000);
    expect(compactions.at(-1)?.added[0]?.files).toEqual(["file-1.ts", "file-2.ts"]);
  });

  it("adds the note on a split turn and the file lists even to an empty summary", () => {
    const { length } = "\n\n---\n\n**Turn Context (split turn):**\n\n";
    const summaries = (drawing: string, preset: string, measures = {}, other = {}) => {
      const columns = { ...drawColumns(drawing), measures, ...other };
      const given = { failSummary: "empty", reserveTokens: 100, keepRecentTokens: 1 };
      const settings = resolveSettings(piPolicy.settings(preset, { window: 1000, agent: "pi" }), given);
      const tokens = sizeTokenColumn(columns, "bytes-4");
      return replay({ columns, tokens }, piPolicy, settings, {
        preset,
        window: 1000,
        counting: "estimate",
      }).compactions.map(({ summaryTokens }) => summaryTokens);
    };
    expect(summaries("u900 a10 u1 a1", "v0.51.0")).toEqual([Math.ceil((length + "No prior history.".length) / 4)]);
    // The second compaction names no new file, and repeats the list. A file that is named again is listed once.
    const drawing = "u500 | c5 r10 a10 u500 a10 u500 | c5 r10 a10 u500 a10 u1 a1";
    const { file, kind } = drawColumns(drawing);
    const fileChars = kind.map((one) => (one === KIND.tool_call ? 9 : 0));
    const measures = { "pi.fileChars": Int32Array.from(fileChars) };
    const list = (files: number) => Math.ceil(("\n\n<read-files>\n</read-files>".length + 10 * files) / 4);
    expect(summaries(drawing, "current", measures)).toEqual([1, 1, 2].map(list));
    expect(summaries(drawing, "current", measures, { file: file.map((one) => Math.min(one, 0)) })).toEqual(
      [1, 1, 1].map(list),
    );
  });

  it("sends less to the summary call in `current`, which cuts results to 2,000 characters", () => {
    const drawing = "u10 | c10 r180000 a5000 u1 a1";
    const call = (preset: string) => run(drawing, { keepRecentTokens: 100 }, 200_000, preset).compactions[0];
    expect(call("v0.51.0")?.summaryCallTokens).toBe(180_020);
    expect(call("current")?.summaryCallTokens).toBe(20 + 510);
  });
});

describe("entry rule", () => {
  it("cuts outputs of other agents to 50 KB, unless it is switched off", () => {
    const entered = (entryTruncation: boolean) => run("u10 | c10 r50000 a5", { entryTruncation }).context.at(-1);
    expect(entered(false)).toBe(50_020);
    expect(entered(true)).toBe(20 + 12_800);
  });

  it("is exact under pi's own rule, and proportional under another", () => {
    const columns = drawColumns("u10 | c10 r50001 a5");
    const row = columns.kind.indexOf(KIND.tool_result);
    const measured = {
      ...columns,
      measures: { "pi.outputChars": Int32Array.from(columns.kind, (_, at) => (at === row ? 1001 : -1)) },
    };
    const plan = { columns: measured, preset: "current", settings: {}, window: 200_000 };
    const entered = (tokens: number, at = row) => piPolicy.entryRule?.tokens(plan, at, tokens);
    expect(entered(50_001)).toBe(251);
    expect(entered(100_002)).toBe(Math.ceil((100_002 * 1001) / 200_004));
    expect(entered(10, row - 1)).toBe(10);
  });

  it("is on by default for recordings of other agents only", () => {
    const byDefault = (agent: string | null) =>
      piPolicy.settings("current", { window: 1, agent }).find((spec) => spec.key === "entryTruncation")?.default;
    expect([byDefault("pi"), byDefault("codex"), byDefault(null)]).toEqual([false, true, true]);
  });
});

describe("settings", () => {
  it("are the same in both presets, and reject values out of range", () => {
    for (const preset of piPolicy.presets) {
      const specs = piPolicy.settings(preset, { window: 8192, agent: null });
      expect(resolveSettings(specs, {})).toMatchObject({ reserveTokens: 16_384, keepRecentTokens: 20_000 });
      expect(() => resolveSettings(specs, { reserveTokens: -1 })).toThrow(SettingError);
    }
  });

  it.each([
    ["0.49.3", "v0.51.0"],
    ["0.84.3", "v0.51.0"],
    ["0.84.4", "current"],
    ["1.5.2", "current"],
    ["odd", "current"],
    [undefined, "current"],
  ])("version %s replays with preset %s", (version, preset) => {
    expect(presetFor(version)).toBe(preset);
  });

  it.each([
    // A header without a version is of format 1, which no release since 0.31.0 writes.
    [1, "2026-11-20T09:00:00.000Z", "v0.51.0"],
    [2, "2026-11-20T09:00:00.000Z", "v0.51.0"],
    [3, "2026-11-20T09:00:00.000Z", "current"],
    [3, null, "current"],
    [null, null, "current"],
    // A session that ended before the first release that compacts within a run was written by an earlier one.
    [3, "2026-08-27T23:59:59.999Z", "v0.51.0"],
    [3, "2026-08-28T00:00:00.000Z", "current"],
    [null, "2026-01-20T09:00:00.000Z", "v0.51.0"],
  ])("without a version, format %s that ended at %s replays with preset %s", (formatVersion, endedAt, preset) => {
    expect(presetFor(undefined, { formatVersion, endedAt })).toBe(preset);
    expect(presetFor("1.5.2", { formatVersion, endedAt })).toBe("current");
  });
});
