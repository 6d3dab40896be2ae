import { POLICIES } from "@/lib/agents/registry";
import type { MessageMeasures } from "@/lib/agents/shared/server-profile";
import { sumOf } from "@/lib/core/base/numbers";
import type { Tokens } from "@/lib/core/base/units";
import type { ContextView, Policy } from "@/lib/core/compaction/policy/policy";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { type CountingMode, replay } from "@/lib/core/compaction/replay";
import { listeningPolicy } from "@/lib/core/testing/policies";
import type { ItemEstimator } from "@/lib/core/tokens/item-estimator";
import { anyEstimator, everyMeasure } from "./any-estimator";
import { wideBounds } from "./checked-agent";
import { Comparison, type CrossCheck, type CrossCheckRun } from "./cross-check";
import { customEstimator } from "./custom-cross-check";
import { generatedRecording } from "./generated-recording";
import { Ledger } from "./ledger";
import { type LoadedRecording, loadRecording } from "./loaded-recording";
import { recordedMetrics } from "./recorded-metrics";
import { stepsOf } from "./steps";
import type { Variant } from "./variant";
import { DEFAULT_SAMPLING, type Sampling, someOf, variedChoices } from "./varied-settings";

/**
 * Checks every policy's metrics in every counting mode against a ledger kept over a plain list of items: the numbers that the engine gives a policy
 * before each request, and the tokens that it reports as sent. A policy uses its metrics equally in every mode; the comparison with its exact layer
 * checks that use, with estimated sizes. Settings, windows, counting modes and the estimator are varied. `recorded` is omitted, since it shows the
 * recording and simulates nothing.
 */
export const crossCheck: CrossCheck = (source, sampling) =>
  checkedRuns((...counted) => loadRecording(source, ...counted), sampling);

/** The same over a session that is generated from text. */
export function checkedGenerated(drawing: string, sampling?: Sampling): Promise<readonly CrossCheckRun[]> {
  return checkedRuns((...counted) => generatedRecording(drawing, ...counted), sampling);
}

async function checkedRuns(
  load: (estimator: ItemEstimator, measures: MessageMeasures) => LoadedRecording,
  sampling: Sampling = DEFAULT_SAMPLING,
): Promise<readonly CrossCheckRun[]> {
  const measures = await everyMeasure();
  const recording = load(customEstimator, measures);
  const any = load(await anyEstimator(recording.name, sampling), measures);
  return POLICIES.filter(({ id }) => id !== "recorded").flatMap((policy) =>
    policy.presets.flatMap((preset) => {
      const of = `${policy.id} ${preset} ${recording.name}`;
      const chosen = someOf(variantsOf(recording, policy), of, sampling);
      const varied = variedChoices(variantsOf(any, policy), { of, ...variedFrom(policy, any, preset) }, sampling);
      return [
        ...chosen.map((variant) => checked(recording, policy, preset, variant)),
        ...varied.map((variant) => checked(any, policy, preset, variant)),
      ];
    }),
  );
}

function variantsOf(recording: LoadedRecording, { id }: Policy): readonly Variant[] {
  const { tokens, overhead, transcript } = recording;
  const whole = sumOf(tokens) - overhead;
  const { context } = recordedMetrics(recording);
  const largest = Math.max(...transcript.requests.map((_, request) => context(request) ?? 0), 0);
  const windows = [200_000, overhead + Math.floor(whole / 3) + 100, Math.max(1, Math.floor(largest * 0.8))];
  return (["anchored", "calibrated"] as const).flatMap((counting) =>
    windows.map((window) => ({ label: `${id}, ${counting}, a window of ${window}`, window, counting, given: {} })),
  );
}

/** Tool results enter whole and calls unpaired: the ledger does not know the agents' rules for sent messages. */
const WHOLE = { entryTruncation: false };

function variedFrom(policy: Policy, { tokens, agent }: LoadedRecording, preset: string) {
  const settingsIn = (window: Tokens) =>
    policy.settings(preset, { window, agent }).filter(({ key }) => !Object.hasOwn(WHOLE, key));
  const counting: readonly CountingMode[] = ["estimate", "anchored", "calibrated"];
  return { tokens: sumOf(tokens), settingsIn, counting };
}

/** True if recorded clearings bring texts of their own, without usage: such a recording is followed unchanged, and the ledger knows only items. */
function addsWithClearings({ transcript, columns }: LoadedRecording): boolean {
  const hasUsage = columns.requests.input.some((tokens) => tokens > 0);
  const clears = transcript.boundaries.some(({ kind }) => kind === "clearing");
  return !hasUsage && clears && transcript.messages.some(({ recordedOnly }) => recordedOnly === true);
}

function checked(
  recording: LoadedRecording,
  policy: Policy,
  preset: string,
  { label, window, given, counting = "estimate" }: Variant,
): CrossCheckRun {
  const { columns, tokens, agent } = recording;
  const metrics = recordedMetrics(recording);
  const specs = policy.settings(preset, { window: wideBounds(window), agent });
  const settings = resolveSettings(specs, { summaryTokens: 40, ...given, ...WHOLE });
  const ledger = new Ledger(recording, metrics, counting, policy.looksBack?.({ preset, settings, window }) === true);
  const comparison = new Comparison();
  const steps = stepsOf(recording);
  let sent = 0;
  const bringUpTo = (request: number) => {
    while (sent < request) ledger.send(sent++);
  };
  const compare = (view: ContextView) => {
    bringUpTo(view.request);
    const step = steps[view.request];
    if (step === undefined || comparison.failed) return;
    const { history, lastInput, lastOutput, added, addedCount } = ledger.enter(step);
    const where = `request ${view.request}`;
    const received = [view.history, view.lastInput, view.lastOutput, view.added, view.addedCount];
    const exact = [history, lastInput, lastOutput, added, addedCount];
    if (received.some((metric, at) => metric !== exact[at]))
      comparison.same(`${where}, what the policy receives`, received, exact);
  };
  const { pairedTokens: _, ...unpaired } = policy;
  const watched = listeningPolicy(unpaired, {
    asked: compare,
    answered: (compaction) => {
      ledger.apply(compaction);
      comparison.compared();
    },
  });
  const run = replay({ columns, tokens }, watched, settings, { preset, window, counting });
  bringUpTo(steps.length);
  const factor = counting === "estimate" ? undefined : metrics.factor;
  comparison.same("calibration", run.calibration?.factor ?? 0, factor ?? 0);
  if (!comparison.failed && !addsWithClearings(recording))
    comparison.same("context at every request", Array.from(run.context), ledger.contexts);
  return comparison.run(preset, label);
}
