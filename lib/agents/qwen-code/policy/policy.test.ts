import { describe, expect, it } from "vitest";
import { FLAG, KIND, type SessionColumns } from "@/lib/core/columns/columns";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { countedBySize, sizeTokenColumn } from "@/lib/core/columns/token-columns";
import type { ContextItems, ContextView, PolicyPlan, PolicyRun } from "@/lib/core/compaction/policy/policy";
import { resolveSettings, SettingError } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { generatedSession } from "@/verify/agents/qwen-code/generated-session";
import { readTranscript } from "@/verify/support/read";
import { presetFor } from "../base/presets";
import { profile as qwenCode } from "../index";
import { qwenCodeReader } from "../read/reader";
import { PART } from "./measures";
import { qwenCodePolicy } from "./policy";

const settingsOf = (
  preset: string,
  window: number,
  given: Readonly<Record<string, unknown>> = {},
  agent = "qwen-code",
) => resolveSettings(qwenCodePolicy.settings(preset, { window, agent }), given);

/** Runs a session in test notation, with tokens under `bytes-4` and without overhead. */
function run(drawing: string, preset: string, window: number, given: Readonly<Record<string, unknown>>, change = {}) {
  const columns: SessionColumns = { ...drawColumns(drawing), ...change };
  const settings = settingsOf(preset, window, { summaryTokens: 10, ...given });
  const tokens = sizeTokenColumn(columns, "bytes-4");
  return replay({ columns, tokens }, qwenCodePolicy, settings, { preset, window, counting: "estimate" });
}

const outcomes = (...args: Parameters<typeof run>) =>
  run(...args).compactions.map(({ request, outcome }) => `${request} ${outcome}`);

describe("settings", () => {
  it("have the documented keys and defaults", () => {
    const common = { summaryTokens: 1500, failSummary: "never", entryTruncation: false };
    expect(settingsOf("as-documented", 131_072)).toEqual({
      threshold: 0.7,
      preserve: 0.3,
      usageField: "prompt",
      sessionTokenLimit: -1,
      ...common,
    });
    expect(settingsOf("current", 200_000)).toEqual({
      threshold: 0.85,
      summaryReserve: 20_000,
      autoBuffer: 13_000,
      maxFailures: 3,
      clearIdleMinutes: 60,
      clearAboveChars: 500_000,
      keepToolResults: 5,
      restoreFiles: 5,
      restoreImages: 3,
      imageTrigger: 20,
      ...common,
    });
    expect(settingsOf("current", 200_000, {}, "codex").entryTruncation).toBe(true);
  });

  it("reject values without a meaning in the rule", () => {
    for (const given of [
      { preserve: 0 },
      { preserve: 1 },
      { threshold: 1.1 },
      { usageField: "output" },
      { keepToolResults: 5 },
    ]) {
      expect(() => settingsOf("as-documented", 131_072, given)).toThrow(SettingError);
    }
    expect(() => settingsOf("current", 200_000, { keepToolResults: 0 })).toThrow(SettingError);
  });
});

describe("threshold", () => {
  const threshold = (preset: string, window: number, given = {}) =>
    qwenCodePolicy.threshold?.({ preset, window, settings: settingsOf(preset, window, given) });

  it("leaves the documented buffer of 39,322 tokens", () => {
    expect(threshold("as-documented", 131_072)).toBe(131_072 - 39_322);
  });

  it.each([
    [131_072, 98_072],
    [200_000, 167_000],
    [1_000_000, 850_000],
    [32_768, 27_853],
  ])("for a window of %d is %d in the preset current", (window, expected) => {
    expect(threshold("current", window)).toBe(expected);
  });

  it("depends on reserve and buffer", () => {
    expect(threshold("current", 200_000, { summaryReserve: 0, autoBuffer: 50_000 })).toBe(150_000);
  });
});

describe("as-documented", () => {
  it("fires if the previous request reaches the threshold", () => {
    const drawing = (size: number) => `u${size} a10 u10 a10 u10 a10`;
    expect(outcomes(drawing(69), "as-documented", 100, {})).toEqual(["2 summary"]);
    expect(outcomes(drawing(70), "as-documented", 100, {})[0]).toBe("1 summary");
  });

  it("includes the output if total usage is compared", () => {
    expect(outcomes("u60 a10 u10 a10", "as-documented", 100, {})).toEqual([]);
    expect(outcomes("u60 a10 u10 a10", "as-documented", 100, { usageField: "total" })).toEqual(["1 summary"]);
  });

  it("keeps the content after the split and the content about to be sent", () => {
    const { compactions } = run("u40 a5 u40 a5 u5 a1", "as-documented", 100, { threshold: 0.8 });
    expect(compactions.map(({ kept, added }) => [kept, added.map(({ label }) => label)])).toEqual([
      [[5], ["summary", "acknowledgement"]],
    ]);
  });

  it("does not retry after an empty or too large summary, only after a failed call", () => {
    const long = "u80 a5 u5 a5 u5 a5 u5 a5";
    expect(outcomes(long, "as-documented", 100, { failSummary: "empty" })).toEqual(["1 failed"]);
    expect(outcomes(long, "as-documented", 100, { failSummary: "1" })).toEqual(["1 failed", "2 summary"]);
    expect(outcomes(long, "as-documented", 100, { failSummary: "always" })).toEqual([
      "1 failed",
      "2 failed",
      "3 failed",
    ]);
    expect(outcomes(long, "as-documented", 100, { summaryTokens: 5000 })).toEqual(["1 failed"]);
  });

  it("is off with a threshold of 0", () => {
    expect(outcomes("u80 a5 u5 a5", "as-documented", 100, { threshold: 0 })).toEqual([]);
  });

  it("does nothing if no split is possible", () => {
    expect(outcomes("u80 c5 r5 c5 r5 c5 r5", "as-documented", 100, {})).toEqual([]);
  });
});

describe("current", () => {
  const WINDOW = 40_000;
  // ceiling 7,000; hard 17,000
  const given = { clearAboveChars: -1 };

  it("counts the last output and the new content", () => {
    expect(outcomes("u6000 a499 u500 a1", "current", WINDOW, given)).toEqual([]);
    expect(outcomes("u6000 a500 u500 a1", "current", WINDOW, given)).toEqual(["1 summary"]);
  });

  it("keeps a call whose result is about to be sent, and the result", () => {
    const { compactions } = run("u6980 a5 u10 a9 c7 r20 a5", "current", WINDOW, given);
    const last = compactions.at(-1);
    expect(last?.added.map(({ label }) => label)).toEqual(["summary", "acknowledgement"]);
    // Only the call of the response stays: it joins the acknowledgement.
    expect(last?.kept).toEqual([5, 6]);
  });

  it("keeps every call of the last response, even if it was recorded as several messages", () => {
    const drawing = "u6980 a5 u10 a9 c7 c8 x1 r20 r30 a5";
    const columns = drawColumns(drawing);
    // The second call becomes a message of its own after the first.
    const second = columns.kind.lastIndexOf(KIND.tool_call);
    for (let row = second; row < columns.length; row++) columns.message[row] = (columns.message[row] ?? 0) + 1;
    columns.flags[second] = FLAG.MESSAGE_START;
    const { compactions } = run(drawing, "current", WINDOW, given, columns);
    const results = Array.from(columns.kind).flatMap((kind, row) => (kind === KIND.tool_result ? [row] : []));
    expect(compactions.at(-1)?.kept).toEqual(expect.arrayContaining([second - 1, second, ...results]));
  });

  it("drops nested parts together with a result whose call is dropped", () => {
    const columns = drawColumns("| c5 a1 u6980 a5 u10 a9 r20 x30 a5");
    const late = columns.kind.indexOf(KIND.tool_result);
    columns.kind[late + 1] = KIND.image;
    columns.message[late + 1] = columns.message[late] ?? -1;
    const { compactions } = run("| c5 a1 u6980 a5 u10 a9 r20 x30 a5", "current", WINDOW, given, columns);
    const summary = compactions.findLast(({ outcome }) => outcome === "summary");
    expect(summary?.kept.some((item) => item === late || item === late + 1)).toBe(false);
  });

  it("stops after the set number of failures", () => {
    const long = `u7000 ${"a5 u5 ".repeat(8)} a5`;
    expect(outcomes(long, "current", WINDOW, { ...given, failSummary: "always" })).toEqual([
      "1 failed",
      "2 failed",
      "3 failed",
    ]);
    expect(outcomes(long, "current", WINDOW, { ...given, failSummary: "always", maxFailures: 1 })).toEqual([
      "1 failed",
    ]);
  });

  it("changes nothing after a failed attempt, and continues with the recorded usage", () => {
    const columns = drawColumns("u6000 a5 @7000 u5 a5 @7100 u5 a5 @7200");
    const settings = settingsOf("current", WINDOW, { ...given, failSummary: "always" });
    const tokens = sizeTokenColumn(columns, "bytes-4");
    const options = { preset: "current", window: WINDOW, counting: "anchored" } as const;
    const { compactions, totals, context } = replay({ columns, tokens }, qwenCodePolicy, settings, options);
    expect(compactions).toMatchObject([
      { request: 1, outcome: "failed", added: [], tokensBefore: 7010, tokensAfter: 7010 },
      { request: 2, outcome: "failed", added: [], tokensBefore: 7110, tokensAfter: 7110 },
    ]);
    expect(totals.tokensRewritten).toBe(0);
    expect(Array.from(context)).toEqual([7000, 7100, 7200]);
  });

  it("resets the number of failures after a summary", () => {
    const long = `u7000 ${"a5 u5 ".repeat(3)} a7000 ${"u5 a5 ".repeat(4)}`;
    expect(outcomes(long, "current", WINDOW, { ...given, maxFailures: 2, failSummary: "1" })).toEqual([
      "1 failed",
      "2 summary",
      "4 summary",
    ]);
    expect(outcomes(long, "current", WINDOW, { ...given, maxFailures: 1, failSummary: "2" })).toEqual([
      "1 summary",
      "4 failed",
    ]);
  });

  it("counts everything from the first newly cleared result on as uncached", () => {
    const drawing = `u10 ${"c1 r100 | ".repeat(6)} a1`;
    const { uncached, compactions } = run(drawing, "current", 1_000_000, {
      clearAboveChars: 1000,
      keepToolResults: 1,
    });
    expect(compactions.map(({ request, outcome }) => `${request} ${outcome}`)).toEqual([
      "3 clear",
      "4 clear",
      "5 clear",
      "6 clear",
    ]);
    // Each time one result is cleared, to 25 tokens; a call and the result that stays follow it.
    expect(Array.from(uncached)).toEqual([0, 0, 0, 126, 126, 126, 126]);
  });

  it("forces a summary above the hard threshold, and reports a refused request", () => {
    const { compactions } = run(`u20000 ${"a5 u5 ".repeat(6)} a5`, "current", WINDOW, {
      ...given,
      failSummary: "always",
      maxFailures: 1,
    });
    expect(compactions.map(({ outcome }) => outcome)).toEqual(["blocked", "blocked", "blocked"]);
    // Content about to be sent cannot be summarised.
    expect(outcomes("u10 a5 u20000 a5", "current", WINDOW, given)).toEqual(["1 blocked"]);
  });

  it("rejects a summary that used up its budget", () => {
    const first = (window: number, given: Readonly<Record<string, unknown>>) =>
      outcomes(`u${window === 200_000 ? 170_000 : 27_860} a5 u5 a1`, "current", window, given)[0];
    expect(first(200_000, { summaryTokens: 19_999 })).toBe("1 summary");
    expect(first(200_000, { summaryTokens: 20_000 })).toBe("1 failed");
    // 32,768, minus the prompt with its additions, minus a margin of 1,024, leave about 2,960.
    expect(first(32_768, { summaryTokens: 2_900 })).toBe("1 summary");
    expect(first(32_768, { summaryTokens: 3_000 })).toBe("1 failed");
    // Above the hard limit the request is refused.
    expect(outcomes("u20000 a5 u5 a1", "current", WINDOW, { ...given, summaryTokens: 19_990 })).toEqual(["1 blocked"]);
  });

  it("refuses a request whose estimate with overhead exceeds the hard limit", () => {
    const columns = drawColumns("u14000 a5 u5 a5");
    const tokens = sizeTokenColumn(columns, "bytes-4");
    tokens[0] = 4000;
    const settings = settingsOf("current", WINDOW, { ...given, summaryTokens: 10, failSummary: "always" });
    const { compactions } = replay({ columns, tokens }, qwenCodePolicy, settings, {
      preset: "current",
      window: WINDOW,
      counting: "estimate",
    });
    expect(compactions.map(({ outcome }) => outcome)).toEqual(["blocked"]);
  });

  it("has nothing to compact while the last response is the whole history", () => {
    const first = (drawing: string) => {
      // Each item is a message of its own, so that thinking and a call are two messages of one response.
      const message = Int32Array.from(drawing.split(" "), (_, at) => at);
      return outcomes(drawing, "current", 200_000, { threshold: 0 }, { message })[0];
    };
    expect(first("t50 c50 r400 a20 u10 a5")).toMatch(/^2 /);
    expect(first("u10 t50 c50 r400 a20 u10 a5")).toMatch(/^1 /);
  });

  it("compacts at the set number of tool images, and restores the set maximum", () => {
    const drawing = `u5000 ${"c1 r1 x1600 | ".repeat(4)} a1 u1 a1`;
    const columns = drawColumns(drawing);
    for (let row = 1; row < columns.length; row++) {
      if (columns.kind[row - 1] !== KIND.tool_result) continue;
      columns.kind[row] = KIND.image;
      columns.origin[row] = columns.origin[row - 1] ?? 0;
      columns.message[row] = columns.message[row - 1] ?? 0;
    }
    const at = (given: Readonly<Record<string, unknown>>) =>
      run(drawing, "current", 1_000_000, given, columns).compactions;
    expect(at({ imageTrigger: 5 })).toEqual([]);
    expect(at({ imageTrigger: 0 })).toEqual([]);
    // The third result with a picture counts only after it was sent.
    expect(at({ imageTrigger: 3 })[0]).toMatchObject({ request: 4, outcome: "summary" });
    expect(at({ imageTrigger: 3 })[0]?.added.map(({ label }) => label)).toContain("3 pictures put back");
    expect(at({ imageTrigger: 4, restoreImages: 1 })[0]?.added.map(({ label }) => label)).toContain(
      "1 pictures put back",
    );
    expect(at({ imageTrigger: 4, restoreImages: 0 })[0]?.added).toHaveLength(2);
  });

  it("counts an image as part of a tool result only if it is inside the result", () => {
    const drawing = `u5000 ${"c1 r1 x1600 | ".repeat(4)} a1 u1 a1`;
    const columns = drawColumns(drawing);
    const at = (place: "within" | "beside" | "apart") => {
      const [image, result] = [KIND.image, KIND.tool_result];
      const part = new Int32Array(columns.length);
      const [kind, message, origin] = [columns.kind.slice(), columns.message.slice(), columns.origin.slice()];
      for (let row = 1; row < columns.length; row++) {
        if (columns.kind[row - 1] !== result) continue;
        kind[row] = image;
        origin[row] = columns.origin[row - 1] ?? 0;
        if (place !== "apart") message[row] = columns.message[row - 1] ?? 0;
        part[row] = place === "within" ? PART.PICTURE | PART.WITHIN : PART.PICTURE;
      }
      const change = { kind, message, origin };
      const given = { imageTrigger: 2 };
      const measured = { ...change, measures: { "qwen-code.part": part } };
      return [
        outcomes(drawing, "current", 1_000_000, given, measured)[0],
        outcomes(drawing, "current", 1_000_000, given, change)[0],
      ];
    };
    expect(at("within")).toEqual(["3 summary", "3 summary"]);
    expect(at("apart")).toEqual([undefined, undefined]);
    // Only the measure shows that a picture follows the result.
    expect(at("beside")).toEqual([undefined, "3 summary"]);
  });

  it("clears restored images like others, oldest first, and restores the remaining ones", () => {
    // Two pictures within results are restored; after a pause, when a third one is there, one of them is cleared.
    const drawing = "u5000 c1 r1 x1600 | c1 r1 x1600 a1 u10 a1 u10 x1600 a1 u10 a1 u4000 a1";
    const columns = drawColumns(drawing);
    const image = KIND.image;
    const pictures = [...columns.kind.keys()].filter((row) => columns.chars[row] === 6400);
    for (const [index, row] of pictures.entries()) {
      columns.kind[row] = image;
      if (index === 2) continue;
      columns.origin[row] = columns.origin[row - 1] ?? 0;
      columns.message[row] = columns.message[row - 1] ?? 0;
    }
    const prompts = [...columns.kind.keys()].filter((row) => columns.chars[row] === 40);
    const late = prompts[2] ?? -1;
    const at = Float64Array.from(columns.at, (_, row) => (row >= late ? 90 * 60_000 : 0));
    const requests = { ...columns.requests, at: columns.requests.at.map(() => 0) };
    const { compactions } = run(
      drawing,
      "current",
      1_000_000,
      { imageTrigger: 2, restoreImages: 3, keepToolResults: 2, clearIdleMinutes: 60 },
      { ...columns, at, requests },
    );
    const [summary, clearing] = compactions;
    expect(summary?.added.at(-1)).toMatchObject({ name: "picturesPutBack", count: 2 });
    expect(clearing).toMatchObject({ outcome: "clear", cleared: [] });
    const putBack = summary?.added.at(-1)?.tokens ?? 0;
    expect(clearing?.truncated.map(([, tokens]) => tokens)).toEqual([putBack - 1600 + 10]);
  });

  it("clears the oldest results until half of the limit is left, and keeps the newest", () => {
    const rounds = Array.from({ length: 9 }, () => "c1 r100 |").join(" ");
    const { compactions } = run(`u5 ${rounds} a1`, "current", 1_000_000, { clearAboveChars: 3000, keepToolResults: 2 });
    expect(compactions.map(({ request, outcome, cleared }) => [request, outcome, cleared.length])).toEqual([
      [8, "clear", 5],
    ]);
    expect(compactions[0]?.tokensBefore).toBe(5 + 8 * 101);
    expect(compactions[0]?.tokensAfter).toBe(5 + 8 * 101 - 5 * 75);
  });

  it("clears results before a summary, and keeps them cleared without one", () => {
    const rounds = Array.from({ length: 9 }, () => "c1 r100 |").join(" ");
    // The size from before the clearing reaches the threshold.
    const given = { threshold: 0.000_8, clearAboveChars: 3000, keepToolResults: 2 };
    const first = (more: Readonly<Record<string, unknown>>) =>
      run(`u5 ${rounds} a1`, "current", 1_000_000, { ...given, ...more }).compactions[0];
    const made = first({});
    expect([made?.request, made?.outcome, made?.cleared.length]).toEqual([8, "summary", 0]);
    // Seven rounds and the results about to be sent, minus 75 tokens for each of the five cleared ones, plus the directive and prompt.
    expect(made?.summaryCallTokens).toBe(5 + 8 * 101 - 5 * 75 + 1000);
    const failed = first({ failSummary: "always" });
    expect([failed?.request, failed?.outcome, failed?.cleared.length]).toEqual([8, "failed", 5]);
    expect(failed?.tokensAfter).toBe(5 + 8 * 101 - 5 * 75);
  });

  it("clears after a pause only before a prompt", () => {
    const drawing = "u5 c1 r100 c1 r100 c1 r100 a1 u5 a1";
    const columns = drawColumns(drawing);
    const minute = 60_000;
    const pause = (minutes: number) => ({
      at: Float64Array.from(columns.at, (_, row) => (columns.message[row] === 8 ? minutes * minute : 0)),
      requests: { ...columns.requests, at: columns.requests.at.map(() => 0) },
    });
    const settings = { keepToolResults: 1 };
    expect(outcomes(drawing, "current", 1_000_000, settings, pause(59))).toEqual([]);
    expect(outcomes(drawing, "current", 1_000_000, settings, pause(60))).toEqual(["4 clear"]);
    expect(outcomes(drawing, "current", 1_000_000, { ...settings, clearIdleMinutes: -1 }, pause(600))).toEqual([]);
  });
});

describe("the policy's reads of the context at a request without a compaction", () => {
  /** Number of times that the policy reads items of the context, by request. */
  function looks(drawing: string, preset: string): readonly number[] {
    const counts: number[] = [];
    const watched = (items: ContextItems): ContextItems => {
      const look = <T>(answer: T): T => {
        counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
        return answer;
      };
      return {
        length: items.length,
        at: (position) => look(items.at(position)),
        list: () => look(items.list()),
        results: () => look(items.results()),
        clearable: (before) => look(items.clearable(before)),
        hasClearable: (before) => look(items.hasClearable(before)),
        has: (item) => look(items.has(item)),
        isWhole: (item) => look(items.isWhole(item)),
      };
    };
    const begin = (plan: PolicyPlan): PolicyRun => {
      const run = qwenCodePolicy.begin(plan);
      return {
        before: (view) => {
          counts.push(0);
          const items = watched(view.items);
          return run.before(
            new Proxy(view, { get: (of, name: keyof ContextView) => (name === "items" ? items : of[name]) }),
          );
        },
      };
    };
    const columns = drawColumns(drawing);
    const options = { preset, window: 1_000_000, counting: "estimate" } as const;
    replay(countedBySize(columns, "bytes-4"), { ...qwenCodePolicy, begin }, settingsOf(preset, 1_000_000), options);
    return counts;
  }

  const long = `u10 ${"c10 r90 ".repeat(50)} a10 u1 a1 ${"c10 r90 ".repeat(50)}`;

  it("are none in the documented release", () => {
    expect(Math.max(...looks(long, "as-documented"))).toBe(0);
  });

  it("are one in the current release, except at a few requests", () => {
    const counts = looks(long, "current");
    expect(counts).toHaveLength(101);
    expect(counts.filter((count) => count !== 1).length).toBeLessThanOrEqual(2);
    expect(Math.max(...counts)).toBeLessThanOrEqual(5);
  });
});

it("another agent's output enters with its size after the limits", () => {
  const columns = drawColumns("u5 c1 r10000 a5");
  const measure = Int32Array.from(columns.chars, (chars) => (chars === 40_000 ? 4_600 : 0));
  const change = { measures: { "qwen-code.enteredCurrent": measure } };
  const context = (given: Readonly<Record<string, unknown>>) =>
    run("u5 c1 r10000 a5", "current", 1_000_000, given, change).totals.final;
  expect(context({ entryTruncation: false })).toBe(10_006);
  expect(context({ entryTruncation: true })).toBe(6 + 1150);
});

it("a recording without measures replays within the engine's invariants", () => {
  for (const seed of [1, 2, 3]) {
    const columns = columnsFromTranscript(readTranscript(generatedSession(seed), qwenCodeReader));
    const tokens = sizeTokenColumn(columns, "chars-4");
    for (const preset of qwenCodePolicy.presets) {
      const settings = settingsOf(preset, 50_000, {
        threshold: 0.05,
        ...(preset === "current" ? { clearAboveChars: 2000 } : {}),
      });
      const { compactions } = replay({ columns, tokens }, qwenCodePolicy, settings, {
        preset,
        window: 50_000,
        counting: "anchored",
      });
      expect(compactions.length).toBeGreaterThan(0);
    }
  }
});

it.each([
  [undefined, "as-documented"],
  ["unknown", "as-documented"],
  ["0.12.6", "as-documented"],
  ["0.15.10", "as-documented"],
  ["0.21.2", "current"],
  ["v0.24.4-nightly", "current"],
  ["1.0.0", "current"],
])("version %s replays with preset %s", (version, preset) => {
  expect(presetFor(version)).toBe(preset);
});

it("every constant has a unit and a source", () => {
  for (const { value, unit, source } of Object.values({ ...qwenCode.constants, window: qwenCode.defaultWindow })) {
    expect(Number.isFinite(value)).toBe(true);
    expect(unit).not.toBe("");
    expect(source.text.length).toBeGreaterThan(8);
  }
});
