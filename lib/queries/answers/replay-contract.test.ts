import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { POLICIES } from "@/lib/agents/registry";
import type { SettingSpec, SettingValue } from "@/lib/core/compaction/policy/settings";
import { recordingOf } from "@/lib/core/context/recording";
import { type ReplayRequest, type ReplayResult, replayResult } from "@/lib/queries/contract/schemas";
import { preparePolicy } from "@/lib/queries/session/session-context";
import { OpenedSession } from "@/lib/server/sessions/opened-session";
import { LocalRunner } from "@/lib/server/threads/local-runner";
import { replaySession } from "./session-answers";

const NAME = "codex-sliding-window.jsonl";
const WINDOW = 24_000;
const runner = new LocalRunner();
const path = join("public", "samples", NAME);
const session = new OpenedSession(path, await runner.ingest({ path, name: NAME }), runner);
const tokens = await session.tokens("bytes-4");

/** Both ends of a setting, values beyond its slider, and all its choices. */
function values(spec: SettingSpec): readonly SettingValue[] {
  if (spec.type === "boolean") return [true, false];
  if (spec.type === "choice") return spec.orCount ? [...spec.choices, 7] : spec.choices;
  if (spec.type === "optional-number") return [null, spec.min, spec.max];
  const isBounded = spec.unit === "share";
  return [spec.min, spec.max, ...(isBounded ? [] : [10_000_000])];
}

/** Checks invariants of replay metrics. */
function accounted({ series, totals, compactions, window, thresholdTokens }: ReplayResult) {
  const sums = series.contextTokens.map((_, point) =>
    Object.values(series.byCategory).reduce((sum, one) => sum + (one[point] ?? Number.NaN), 0),
  );
  const { contextTokens: context } = series;
  expect(sums).toEqual(context);
  expect(totals).toMatchObject({
    requests: context.length,
    peak: Math.max(...context, ...compactions.map(({ tokensBefore }) => tokensBefore)),
    final: context.at(-1),
    tokensSent: context.reduce((sum, one) => sum + one, 0),
    summaryCallTokens: compactions.reduce((sum, one) => sum + one.summaryCallTokens, 0),
    // One more for a compaction after the last request.
    requestsOverWindow: [...context, 0].filter((sent, request) => {
      const before = compactions.find((one) => one.request === request)?.tokensBefore ?? 0;
      return Math.max(sent, before) > (window.whole ?? window.tokens);
    }).length,
  });
  expect(totals.tokensRewritten).toBeLessThanOrEqual(totals.tokensSent);
  expect(compactions.map(({ request }) => request)).toEqual(
    compactions.map(({ request }) => request).sort((a, b) => a - b),
  );
  for (const one of compactions) {
    const metrics = Object.values(one).filter((value) => typeof value === "number");
    expect(metrics.every((value) => Number.isInteger(value) && value >= 0)).toBe(true);
  }
  expect(Number.isInteger(thresholdTokens ?? 0)).toBe(true);
}

const presets = POLICIES.flatMap(({ id, presets }) => presets.map((preset) => [id, preset] as const));

describe.each(presets)("%s@%s", (policy, preset) => {
  const { specs } = preparePolicy(
    { policy, preset, window: WINDOW },
    recordingOf(session.summary, { columns: session.columns, tokens }),
  );
  const ask = (request: Omit<ReplayRequest, "policy" | "preset">) =>
    replaySession(session, { policy, preset, ...request });

  it.each(specs.map((spec) => [spec.key, spec] as const))("accepts every value of %s", async (key, spec) => {
    for (const value of values(spec)) {
      const result = replayResult.parse(await ask({ window: WINDOW, settings: { [key]: value } }));
      accounted(result);
      // The recording itself is not simulated; settings on inputs are reported if they change something.
      if (value !== spec.default && policy !== "recorded") {
        expect(result.settings[key]).toBe(key === "failSummary" && Number(value) > 0 ? Number(value) : value);
      }
    }
  });

  it.each(["estimate", "calibrated", "anchored"] as const)(
    "accounts for every token when counted by %s",
    async (counting) => {
      for (const window of [1, 100, WINDOW, Number.MAX_SAFE_INTEGER]) {
        const result = replayResult.parse(await ask({ window, counting }));
        accounted(result);
        if (window === WINDOW) expect(await ask({ window, counting })).toEqual(result);
      }
    },
  );
});
