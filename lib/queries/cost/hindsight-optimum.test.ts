import { basename, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { assertDefined } from "@/lib/core/base/assert";
import { allSteps } from "@/lib/core/base/steps";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { pointCount } from "@/lib/core/columns/points";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { uncompacted } from "@/lib/core/compaction/policies/left-behind";
import { scheduledPolicy } from "@/lib/core/compaction/policies/scheduled";
import { PolicyError } from "@/lib/core/compaction/policy/policy-error";
import { replay } from "@/lib/core/compaction/replay";
import { trajectoryOf } from "@/lib/core/compaction/simulation/trajectory";
import { type Recording, recordingOf } from "@/lib/core/context/recording";
import { hindsightOptimum } from "@/lib/core/cost/simulated/hindsight-optimum";
import { costBasis } from "@/lib/core/cost/simulated/simulated-cost";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { runs } from "@/lib/core/testing/runs";
import { readTranscript } from "@/lib/server/read/read-transcript";
import { summarise } from "../boundaries/summarise";
import { runAtHindsightOptimum } from "../replays/hindsight-run";
import { metricInput, runReplay } from "../replays/replay-result";
import { sweepRange } from "../replays/sweep";
import { totalCost } from "./hindsight-optimum";
import { ReplayCosts, sharesPrefixOf } from "./simulated-cost";

const SAMPLES = [
  "claude-code-duplicate-shipments.jsonl",
  "claude-code-report-timezone.jsonl",
  "codex-sliding-window.jsonl",
  "qwen-code-export-timeout.jsonl",
];

function opened(sample: string): Recording {
  const path = join(process.cwd(), "public", "samples", sample);
  const { transcript } = readTranscript(path);
  return recordingOf(
    summarise(transcript, basename(path)),
    countedBySize(columnsFromTranscript(transcript), "bytes-4"),
  );
}

/**
 * Policies with one swept setting. The last two keep a share of the history that a compaction finds, so an earlier compaction changes what a later one
 * keeps.
 */
const POLICIES = [
  { policy: "claude-code", swept: "pctOverride", values: [20, 35, 50, 70, 90], settings: {} },
  { policy: "custom", swept: "triggerShare", values: [0.1, 0.2, 0.35, 0.5, 0.8], settings: { keepRecentTokens: 0 } },
  { policy: "custom", swept: "triggerShare", values: [0.1, 0.2, 0.35, 0.5, 0.8], settings: { keepRecentShare: 0.3 } },
  { policy: "qwen-code", swept: "threshold", values: [0.1, 0.2, 0.25, 0.3, 0.5, 0.7], settings: {} },
] as const;

describe.each(SAMPLES)("the hindsight optimum of %s", (sample) => {
  const recording = opened(sample);
  const costs = new ReplayCosts(recording, LISTED_PRICES);

  it.each(POLICIES)(
    "costs at most as much as any value of $swept under $policy",
    ({ policy, swept, values, settings }) => {
      const found = values.map((value) => {
        const ran = runReplay({ policy, settings: { ...settings, [swept]: value } }, recording);
        const cost = costs.of(ran.prepared, ran.replay);
        return { regret: costs.regret(ran, cost), best: costs.hindsightOptimum(ran), cost };
      });
      for (const { regret, best, cost } of found) {
        expect(best).toEqual(found[0]?.best);
        expect(cost?.total ?? 0).toBeGreaterThanOrEqual((best?.cost ?? Number.NaN) / 1e6);
        expect(regret).toBeCloseTo(((cost?.total ?? Number.NaN) * 1e6) / (best?.cost ?? Number.NaN) - 1, 9);
      }
    },
  );

  it.each(POLICIES)("costs at most as much as $policy acting in pauses", ({ policy, settings }) => {
    for (const [idleMinutes, keepAliveMinutes] of [
      [1, 0],
      [4, 30],
      [54, 0],
      [0, 120],
    ] as const) {
      const acting = { idleMinutes, keepAliveMinutes, idleTokens: 0 };
      const ran = runReplay({ policy, settings: { ...settings, ...acting } }, recording);
      const best = costs.hindsightOptimum(ran)?.cost ?? Number.NaN;
      expect(costs.of(ran.prepared, ran.replay)?.total).toBeGreaterThanOrEqual(best / 1e6);
    }
  });

  it("costs at most as much as the hindsight optimum without actions in pauses", () => {
    const kept = fc.integer({ min: 0, max: 30_000 });
    const property = fc.property(fc.constantFrom("custom", "pi", "codex"), kept, (id, tokens) => {
      const key = id === "codex" ? "userMessageTokens" : "keepRecentTokens";
      const { prepared, counting } = runReplay({ policy: id, settings: { [key]: tokens } }, recording);
      const { policy, preset, settings, window } = prepared;
      const options = { preset, window: window.tokens, counting, own: policy.id === recording.facts.agent };
      const { replay: never, simulated, left } = allSteps(uncompacted(recording, policy, settings, options));
      const session = {
        ...{ context: never.context, shared: never.shared ?? [], estimated: never.estimated },
        simulated: { context: simulated.context, shared: simulated.shared ?? [] },
        ...{ left, turnStart: trajectoryOf(recording.columns).turnStart },
      };
      const basis = costBasis(recording.columns, costs.requests);
      const still = hindsightOptimum(basis, session, window.tokens, sharesPrefixOf({ policy, settings }));
      if (still === undefined) return;
      const scheduled = scheduledPolicy(policy, new Set(still.requests), still);
      const ran = replay(recording, scheduled, settings, options);
      const total = totalCost(assertDefined(costs.sumOf(prepared, ran), "cost")) ?? Number.NaN;
      expect(costs.hindsightOptimum({ prepared, counting, recording })?.cost).toBeLessThanOrEqual(total);
    });
    fc.assert(property, { numRuns: runs(20) });
  });

  it("is found even if the policy fails under another trigger", () => {
    const ran = runReplay({ policy: "custom", settings: { triggerShare: 0.3 } }, recording);
    const { policy, settings } = ran.prepared;
    const failed = { ...policy, summarises: false as const, begin: () => ({ before: () => undefined }) };
    const newCosts = new ReplayCosts(recording, LISTED_PRICES);
    const prepared = { ...ran.prepared, policy: failed, settings: { ...settings, triggerShare: 0.2 } };
    expect(newCosts.hindsightOptimum({ ...ran, prepared })).toBeUndefined();
    expect(newCosts.hindsightOptimum(ran)).toEqual(costs.hindsightOptimum(ran));
    expect(newCosts.hindsightOptimum(ran)).toBeDefined();
  });

  it("is the same if the search runs in steps with other replays between them", () => {
    const ran = runReplay({ policy: "codex" }, recording);
    const search = new ReplayCosts(recording, LISTED_PRICES).searchSchedule(ran);
    let steps = 0;
    let step = search.next();
    for (; step.done !== true; step = search.next()) {
      steps += 1;
      runReplay({ policy: "codex", settings: { autoCompactLimit: 20_000 + steps } }, recording);
    }
    expect(step.value).toEqual(costs.hindsightOptimum(ran));
    // At least three replays: without compactions, to size the kept items, and of the schedule.
    if (step.value !== undefined)
      expect(steps).toBeGreaterThanOrEqual(3 * Math.floor(pointCount(recording.columns) / 16));
  });

  it.each(POLICIES)(
    "has a replay of $policy that costs at most as much as any value of $swept, the base of regret",
    (one) => {
      const request = { policy: one.policy, settings: one.settings };
      const best = runAtHindsightOptimum(request, recording, costs);
      const { cost, bestUsd, regret } = metricInput(best, costs, { regret: true });
      const ran = runReplay(request, recording);
      const base = costs.hindsightOptimum(ran);
      expect([cost?.total, bestUsd, regret]).toEqual([(base?.cost ?? Number.NaN) / 1e6, cost?.total, 0]);
      expect(best.replay.compactions.map(({ request: at }) => at)).toEqual(base?.requests);
      expect(best.prepared.policy.threshold).toBeUndefined();
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 95 }), (percent) => {
          const value = one.swept === "pctOverride" ? percent : percent / 100;
          const other = runReplay({ ...request, settings: { ...one.settings, [one.swept]: value } }, recording);
          expect(costs.of(other.prepared, other.replay)?.total).toBeGreaterThanOrEqual(cost?.total ?? Number.NaN);
        }),
        { numRuns: 25 },
      );
    },
  );

  it("costs in a replay what the search found, within 1 %", () => {
    const { prepared, counting } = runReplay({ policy: "custom", settings: { keepRecentTokens: 0 } }, recording);
    const best = costs.hindsightOptimum({ prepared, counting, recording });
    const options = {
      preset: prepared.preset,
      window: prepared.window.tokens,
      counting,
      own: recording.facts.agent === "claude-code",
    };
    const { replay, simulated, left, pauses } = allSteps(
      uncompacted(recording, prepared.policy, prepared.settings, options),
    );
    const session = {
      context: replay.context,
      shared: replay.shared ?? [],
      estimated: replay.estimated,
      simulated: { context: simulated.context, shared: simulated.shared ?? [] },
      left,
      pauses,
      turnStart: trajectoryOf(recording.columns).turnStart,
    };
    const found = hindsightOptimum(
      costBasis(recording.columns, costs.requests),
      session,
      prepared.window.tokens,
      undefined,
    );
    expect(found?.requests).toEqual(best?.requests);
    expect(Math.abs((found?.cost ?? 0) - (best?.cost ?? 0))).toBeLessThan((best?.cost ?? 0) / 100);
  });

  it("is unknown for a policy that clears older results too, and for the recording", () => {
    for (const policy of ["recorded", "none", "gemini-cli"]) {
      const ran = runReplay({ policy }, recording);
      expect(costs.hindsightOptimum(ran)).toBeUndefined();
      expect(costs.regret(ran, costs.of(ran.prepared, ran.replay))).toBeNull();
    }
  });
});

it("the hindsight optimum is unknown if a user's own policy fails during the search", () => {
  const recording = opened("codex-sliding-window.jsonl");
  const costs = new ReplayCosts(recording, LISTED_PRICES);
  const ran = runReplay({ policy: "custom", settings: { keepRecentTokens: 500 } }, recording);
  const { policy } = ran.prepared;
  const begin: typeof policy.begin = (...given) =>
    Object.defineProperty(policy.begin(...given), "compact", {
      value: () => {
        throw new PolicyError("my-policy.mjs, line 3: it fails.");
      },
    });
  const failing = { ...ran, prepared: { ...ran.prepared, policy: { ...policy, begin } } };
  expect(costs.hindsightOptimum(failing)).toBeUndefined();
  expect(costs.regret(failing, costs.of(ran.prepared, ran.replay))).toBeNull();
});

it("a sweep over triggers prices each point once, and searches the hindsight optimum once", () => {
  const recording = opened("codex-sliding-window.jsonl");
  const costs = new ReplayCosts(recording, LISTED_PRICES);
  const priced = vi.spyOn(costs, "sumOf");
  const vary = [{ key: "triggerShare", from: 0.2, to: 0.6, step: 0.1 }];
  const plan = { policy: "custom", vary, settings: { keepRecentTokens: 500 } };
  expect(sweepRange(plan, recording, costs, { from: 0, to: 5 }).map(({ metrics }) => metrics.regret)).toEqual(
    Array(5).fill(null),
  );
  expect(priced.mock.calls.length).toBe(5);
  const points = sweepRange({ ...plan, regret: true }, recording, costs, { from: 0, to: 5 });
  expect(points.every(({ metrics }) => (metrics.regret ?? -1) >= 0)).toBe(true);
  // The schedule that was found is also replayed and priced.
  expect(priced.mock.calls.length).toBe(11);
});

it("the hindsight optimum is searched once for settings that differ only in the trigger", () => {
  const recording = opened("codex-sliding-window.jsonl");
  const costs = new ReplayCosts(recording, LISTED_PRICES);
  const best = (settings: Record<string, number>) =>
    costs.hindsightOptimum(runReplay({ policy: "custom", settings }, recording));
  const found = best({ triggerShare: 0.5 });
  expect(found).toBeDefined();
  expect(best({ triggerShare: 0.7 })).toBe(found);
  expect(best({ triggerShare: 0.5, keepRecentTokens: 500 })).not.toBe(found);
});

it("the hindsight optimum is searched again after the policy's measures have arrived", () => {
  const recording = opened("claude-code-duplicate-shipments.jsonl");
  const { columns } = recording;
  const claudeCodeMeasures = ["claude-code.fileChars", "claude-code.fileLines"];
  // Files of 60,000 characters: re-attached content costs more than sizes alone show.
  const measured = claudeCodeMeasures.map((name) => [name, new Int32Array(columns.length).fill(60_000)] as const);
  const later = { ...recording, columns: { ...columns, measures: Object.fromEntries(measured) } };
  const bestIn = (costs: ReplayCosts, one: Recording) =>
    costs.hindsightOptimum(runReplay({ policy: "claude-code" }, one));
  const costs = new ReplayCosts(recording, LISTED_PRICES);
  const bySizes = bestIn(costs, recording);
  expect(bestIn(costs, later)).toEqual(bestIn(new ReplayCosts(later, LISTED_PRICES), later));
  expect(bestIn(costs, later)).not.toEqual(bySizes);
  expect(bestIn(costs, recording)).toBe(bySizes);
});
