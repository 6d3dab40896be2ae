import type { Tokens } from "@/lib/core/base/units";
import type { ContextView, Policy } from "@/lib/core/compaction/policy";
import { type CountingMode, replay } from "@/lib/core/compaction/replay";
import { resolveSettings } from "@/lib/core/compaction/settings";
import { overheard } from "@/lib/core/testing/policies";
import { POLICIES } from "../policies";
import { Comparison, type CrossCheckRun } from "./cross-check";
import { customEstimator } from "./custom-cross-check";
import { Ledger } from "./ledger";
import { type LoadedRecording, loadRecording } from "./loaded-recording";
import { sumOf } from "./numbers";
import { recordedFigures } from "./recorded-figures";
import type { RecordingSource } from "./recording-sources";
import { stepsOf } from "./steps";

/**
 * Every policy's figures in the counting modes beyond the estimate: what the engine tells a policy before each request, and what
 * it says was sent, against a ledger kept over a plain list of items. What a policy does with its figures is the same in every mode,
 * and compared with its exact layer by the estimate. Not `recorded`: it shows the recording and simulates nothing.
 */
export function crossCheck(source: RecordingSource): readonly CrossCheckRun[] {
  return crossChecked(loadRecording(source, customEstimator));
}

export function crossChecked(recording: LoadedRecording): readonly CrossCheckRun[] {
  const { tokens, overhead, transcript } = recording;
  const whole = sumOf(tokens) - overhead;
  const largest = Math.max(
    ...transcript.requests.map((_, request) => recordedFigures(recording).context(request) ?? 0),
    0,
  );
  const windows = [200_000, overhead + Math.floor(whole / 3) + 100, Math.max(1, Math.floor(largest * 0.8))];
  return POLICIES.filter(({ id }) => id !== "recorded").flatMap((policy) =>
    MODES.flatMap((counting) =>
      windows.flatMap((window) =>
        policy.presets.map((preset) => checked(recording, { policy, preset, counting, window })),
      ),
    ),
  );
}

const MODES = ["anchored", "calibrated"] as const;
/** Bounds of the sliders only. */
const LARGEST: Tokens = 100_000_000;

interface Choice {
  readonly policy: Policy;
  readonly preset: string;
  readonly counting: CountingMode;
  readonly window: Tokens;
}

function checked(recording: LoadedRecording, { policy, preset, counting, window }: Choice): CrossCheckRun {
  const { columns, tokens, agent } = recording;
  const figures = recordedFigures(recording);
  const specs = policy.settings(preset, { window: LARGEST, agent });
  const settings = resolveSettings(specs, { summaryTokens: 40, entryTruncation: false });
  const ledger = new Ledger(
    recording,
    figures,
    counting === "anchored",
    policy.looksBack?.({ preset, settings, window }) === true,
  );
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
    const told = [view.history, view.lastInput, view.lastOutput, view.added, view.addedCount];
    const exact = [history, lastInput, lastOutput, added, addedCount];
    if (told.some((figure, at) => figure !== exact[at]))
      comparison.same(`${where}, what the policy is told`, told, exact);
  };
  const watched = overheard(policy, {
    asked: compare,
    answered: (compaction) => {
      ledger.apply(compaction);
      comparison.compared();
    },
  });
  const run = replay(columns, tokens, watched, settings, { preset, window, counting });
  bringUpTo(steps.length);
  comparison.same("calibration", run.calibration?.factor ?? 0, figures.factor ?? 0);
  if (!comparison.failed) comparison.same("context at every request", Array.from(run.context), ledger.contexts);
  const label = `${policy.id}, ${counting}, a window of ${window}`;
  return comparison.run(preset, label);
}
