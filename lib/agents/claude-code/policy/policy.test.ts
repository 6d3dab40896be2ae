import { describe, expect, it } from "vitest";
import { FLAG } from "@/lib/core/columns/columns";
import { countedBySize } from "@/lib/core/columns/token-columns";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import { resolveSettings, SettingError, type Settings } from "@/lib/core/compaction/policy/settings";
import { type CountingMode, replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { projectSlug } from "../base/places";
import { presetFor } from "../base/presets";
import { claudeCodePolicy } from "./policy";
import { autoCompactThreshold } from "./threshold";

const CONTEXT = { window: 200_000, agent: "claude-code" } as const;

function settings(preset = "reported", given: Record<string, unknown> = {}, window: number = CONTEXT.window): Settings {
  return resolveSettings(claudeCodePolicy.settings(preset, { ...CONTEXT, window }), given);
}

describe("threshold", () => {
  it.each([
    ["reported", 200_000, 167_000],
    ["reported", 1_000_000, 967_000],
    ["2026-11", 200_000, 167_000],
    ["2026-11", 1_000_000, 967_000],
    ["reported-2025", 200_000, 155_000],
    ["reported-2025", 1_000_000, 955_000],
    ["reported", 20_000, 0],
  ])("preset %s and a window of %d give the threshold %d", (preset, window, expected) => {
    expect(autoCompactThreshold(window, settings(preset, {}, window))).toBe(expected);
  });

  it("an override lowers the threshold and never raises it", () => {
    expect(autoCompactThreshold(200_000, settings("reported", { pctOverride: 70 }))).toBe(126_000);
    expect(autoCompactThreshold(200_000, settings("reported", { pctOverride: 100 }))).toBe(167_000);
    expect(autoCompactThreshold(200_000, settings("reported", { pctOverride: null }))).toBe(167_000);
  });

  it("refuses an override that is not a percentage", () => {
    for (const pctOverride of [0, 0.8, 101, "70"]) {
      expect(() => settings("reported", { pctOverride })).toThrow(SettingError);
    }
  });

  it("uses the configured window, but at most the model's own", () => {
    expect(autoCompactThreshold(1_000_000, settings("reported", { autoCompactWindow: 200_000 }))).toBe(167_000);
    expect(autoCompactThreshold(200_000, settings("reported", { autoCompactWindow: 1_000_000 }))).toBe(167_000);
    expect(() => settings("reported", { autoCompactWindow: 99_999 })).toThrow(SettingError);
    expect(() => settings("reported", { autoCompactWindow: 1_000_001 })).toThrow(SettingError);
  });

  it("reserves no more than 20,000 for the output", () => {
    expect(autoCompactThreshold(200_000, settings("reported", { maxOutputTokens: 8192 }))).toBe(178_808);
    expect(autoCompactThreshold(200_000, settings("reported", { maxOutputTokens: 64_000 }))).toBe(167_000);
  });
});

it("the policy has the documented settings and defaults", () => {
  expect(settings()).toEqual({
    maxOutputTokens: 20_000,
    autoBuffer: 13_000,
    pctOverride: null,
    autoCompactWindow: null,
    reattachedTokens: null,
    reattachedRest: 3700,
    clearIdleMinutes: 0,
    keepToolResults: 5,
    summaryTokens: 1500,
    failSummary: "never",
    entryTruncation: false,
  });
});

/** A context of three items; the test case sets the sizes of the last request. */
function view(metrics: Partial<ContextView>): ContextView {
  const unused = new Proxy({} as ContextView["columns"], {
    get: (_target, name) => {
      throw new Error(`the policy looked at column ${String(name)}`);
    },
  });
  return {
    columns: unused,
    request: 5,
    window: 200_000,
    items: {
      length: 3,
      at: (position) => position + 1,
      list: () => Int32Array.from({ length: 3 }, (_, position) => position + 1),
      results: () => new Int32Array(0),
      clearable: () => [],
      hasClearable: () => false,
      has: () => true,
      isWhole: () => true,
    },
    tokensOf: () => 1000,
    countOf: () => 1000,
    synthetic: () => undefined,
    overhead: 15_000,
    sent: new Int32Array(6),
    lastInput: 0,
    lastOutput: 0,
    recordedOutput: undefined,
    added: 0,
    addedCount: 0,
    history: 18_000,
    turnStart: false,
    firstInput: 0,
    compactions: 0,
    summaryCalls: 0,
    ...metrics,
  };
}

const answer = (shown: ContextView, chosen: Settings) =>
  claudeCodePolicy
    .begin({ columns: shown.columns, preset: "reported", settings: chosen, window: shown.window })
    .before(shown);

describe("the policy's trigger", () => {
  it.each([
    ["does not fire one token below the threshold", { lastInput: 160_000, lastOutput: 6_000, addedCount: 999 }, false],
    ["fires at the threshold", { lastInput: 160_000, lastOutput: 6_000, addedCount: 1_000 }, true],
    ["ignores the whole estimate once there is usage", { lastInput: 1_000, history: 190_000 }, false],
    ["uses the estimate before the first response", { history: 167_000 }, true],
  ])("%s", (_name, metrics, expected) => {
    expect(answer(view(metrics), settings("reported", { reattachedTokens: 0 })) !== undefined).toBe(expected);
  });
});

describe("the output size of the last response", () => {
  /** True if it compacts before the second request: the first sent 900, and 20 came after its response of 50. */
  const fires = (partial: boolean, output: number, counting: CountingMode = "anchored") => {
    const base = drawColumns("u10 a50 @900 u20 a1 @970");
    const flags = base.flags.map((bits, row) => bits | (partial && row === 2 ? FLAG.PARTIAL_OUTPUT : 0));
    const requests = { ...base.requests, output: Int32Array.of(output, 1) };
    const columns = { ...base, flags, requests };
    const inForce = settings("reported", { maxOutputTokens: 0, autoBuffer: 30 }, 1000);
    const options = { window: 1000, counting, own: true };
    return replay(countedBySize(columns, "bytes-4"), claudeCodePolicy, inForce, options).compactions.length > 0;
  };

  it("is the recorded output, however small or large", () => {
    expect([fires(false, 3), fires(false, 49), fires(false, 50)]).toEqual([false, false, true]);
    expect(fires(false, -1)).toBe(true);
  });

  it("is at least the content's size if only the stream's first count was recorded", () => {
    expect([fires(true, 3), fires(true, 49), fires(true, 90)]).toEqual([true, true, true]);
  });

  it("is the content's size if the counting mode ignores recorded usage", () => {
    expect([fires(false, 3, "estimate"), fires(true, 3, "estimate")]).toEqual([true, true]);
  });
});

describe("the policy's compaction", () => {
  it("drops everything, and adds the summary and the reattached content", () => {
    const retention = answer(
      view({ history: 170_000 }),
      settings("reported", { summaryTokens: 3000, reattachedTokens: 8000 }),
    );
    expect(retention?.kept).toEqual([]);
    expect(retention?.added.map(({ category, tokens }) => [category, tokens])).toEqual([
      ["summaries", 3000],
      ["attachments", 8000],
    ]);
    expect(retention).toMatchObject({ outcome: "summary", summaryTokens: 3000, summaryCallTokens: 170_000 });
  });

  it("reattaches the session's files plus a constant size, or a chosen size instead", () => {
    const columns = drawColumns("u10 c5 r400 a1 u900 a1");
    const attached = (given: Record<string, unknown>) => {
      const inForce = settings("reported", { maxOutputTokens: 0, autoBuffer: 0, ...given }, 1000);
      const options = { window: 1000, counting: "estimate" } as const;
      const run = replay(countedBySize(columns, "bytes-4"), claudeCodePolicy, inForce, options);
      return run.compactions[0]?.added[1];
    };
    expect(attached({})).toMatchObject({ tokens: 400 + 3700, files: ["file-1.ts"] });
    expect(attached({ reattachedRest: 20 })).toMatchObject({ tokens: 420 });
    expect(attached({ reattachedTokens: 22_000 })).toMatchObject({ tokens: 22_000 });
    expect(attached({ reattachedTokens: 22_000 })).not.toHaveProperty("files");
  });

  it("keeps the context unchanged if the summary call fails", () => {
    const over = { history: 170_000 };
    const retention = answer(view(over), settings("reported", { failSummary: 1 }));
    expect(retention).toMatchObject({ kept: [[0, 3]], added: [], outcome: "failed", summaryTokens: 0 });
    const second = answer(
      view({ ...over, summaryCalls: 1 }),
      settings("reported", { failSummary: 1, reattachedTokens: 0 }),
    );
    expect(second?.outcome).toBe("summary");
  });
});

it.each([
  [undefined, "reported"],
  ["unknown", "reported"],
  ["1.0.128", "reported-2025"],
  ["2.0.76", "reported-2025"],
  ["2.1.20", "reported-2025"],
  ["2.1.24", "reported-2025"],
  ["2.1.25", "reported"],
  ["2.1.285", "reported"],
  ["2.1.286", "2026-11"],
  ["2.2.0", "2026-11"],
  ["2.1.126-beta", "reported"],

  ["3.0.0", "2026-11"],
])("version %s replays with preset %s", (version, preset) => {
  expect(presetFor(version)).toBe(preset);
});

it.each([
  ["/home/ada/my_shop.v2", "-home-ada-my-shop-v2"],
  ["/Users/lin/项目", "-Users-lin---"],
  ["/tmp/😀", "-tmp---"],
  ["C:\\Users\\me", "C--Users-me"],
])("a project at %s has the folder %s", (path, slug) => {
  expect(projectSlug(path)).toBe(slug);
});
