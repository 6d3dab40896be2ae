import { expect, test } from "vitest";
import "@/lib/agents/registry";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordedReplay } from "@/lib/core/compaction/policies/recorded";
import { recordingOf } from "@/lib/core/context/recording";
import { metricsOf } from "@/lib/core/metrics/values";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { drawColumns } from "@/lib/core/testing/draw";
import { unknownFacts } from "@/lib/core/testing/unknown-facts";
import { ReplayCosts } from "@/lib/queries/cost/simulated-cost";
import { metricInput, runReplay } from "@/lib/queries/replays/replay-result";
import type { AddedRun } from "../shared/runs/run-param";
import { type ComparedRun, RunCache, recordedRun } from "./compared-runs";
import { firstSettings } from "./comparison";

const WINDOW = 100_000;
const columns = drawColumns("u1000 a3000 u1000 c50 r9000 a500 u4000 a3000 u200 a100".repeat(6));
const recording = recordingOf(unknownFacts(WINDOW), countedBySize(columns, "bytes-4"));
const costs = new ReplayCosts(recording, LISTED_PRICES);
const input = { ...recording, counting: "estimate" as const, costs };
const recorded = recordedRun(recordedReplay(recording, WINDOW), recording, undefined, costs);

function run(policy: string, given: Partial<AddedRun> = {}): AddedRun {
  return { policy, preset: null, window: null, settings: {}, schedule: "own", ...given };
}

/** The recording and added runs. */
function compared(...added: readonly AddedRun[]): readonly ComparedRun[] {
  return [recorded, ...new RunCache().runsOf(added, input)];
}

const contextsOf = (runs: readonly ComparedRun[]) => runs.map(({ replay }) => replay.context.join());

test("a policy is added to a comparison with its documented settings", () => {
  expect(firstSettings("codex", compared(run("custom")), input)).toEqual(run("codex"));
  expect(firstSettings("codex", compared(run("codex", { settings: { autoCompactLimit: 20_000 } })), input)).toEqual(
    run("codex"),
  );
});

test("a policy added again gets another trigger, so that its result differs, any number of times", () => {
  const added = [run("custom")];
  for (let time = 0; time < 3; time++) added.push(firstSettings("custom", compared(...added), input));
  expect(added.slice(1).map(({ settings }) => Object.keys(settings))).toEqual(Array(3).fill(["triggerShare"]));
  expect(new Set(contextsOf(compared(...added))).size).toBeGreaterThanOrEqual(4);
});

test("runs with equal settings are the same whether or not the preset is named", () => {
  const named = compared(run("custom", { preset: "default" }));
  expect(firstSettings("custom", named, input).settings).not.toEqual({});
});

test("a policy's hindsight optimum is another run than the policy", () => {
  expect(firstSettings("custom", compared(run("custom", { schedule: "best" })), input)).toEqual(run("custom"));
});

test("a policy without a trigger can be added again, too", () => {
  expect(firstSettings("none", compared(run("none")), input).policy).toBe("none");
});

test("requests near the window are counted over the whole window, as on the command line", () => {
  const contextWindow = { tokens: WINDOW / 2, whole: WINDOW, source: "recorded" as const };
  const partly = { ...recording, facts: { ...recording.facts, agent: "codex", contextWindow } };
  const page = recordedRun(recordedReplay(partly, contextWindow.tokens), partly, undefined, costs);
  const ran = runReplay({ policy: "recorded" }, partly, costs);
  const printed = metricsOf(metricInput(ran, costs, { regret: false }));
  expect(page.metrics.requestsNearWindow).toBe(printed.requestsNearWindow);
  expect(printed.requestsNearWindow).toBeGreaterThan(0);
});
