import { policyById } from "@/lib/agents/policies";
import {
  type Check,
  type CheckedBoundary,
  type Fidelity,
  type FidelityMetrics,
  fidelityOf,
} from "@/lib/core/analysis/fidelity";
import type { Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { type Calibration, calibrate } from "@/lib/core/context/calibration";
import { hasUsageBy } from "@/lib/core/context/own-breakdown";
import type { Recording } from "@/lib/core/context/recording";
import type { ContextWindow } from "@/lib/core/transcript/model";
import type { CheckedBoundaryWire, FidelityMetricsWire, FidelityWire } from "@/lib/queries/contract/types";
import { instant } from "@/lib/queries/wire/instant";
import { toCalibration } from "../session/calibration";
import {
  chosenOf,
  type PolicyChoice,
  type PreparedPolicy,
  preparePolicy,
  presetOfVersion,
} from "../session/session-context";

/** Accuracy of the recording's own policy on its compactions, with the settings of the check. */
interface SessionFidelity {
  readonly recording: Recording;
  readonly prepared: PreparedPolicy;
  readonly fidelity: Fidelity;
  readonly calibration: Calibration | undefined;
}

/**
 * Checks the policy of the session's own agent, in the preset of its version, against its recorded compactions. `undefined` if no policy of that
 * agent is known. Throws `SettingError` for a value out of range.
 * @param recording with the measures of that policy, counted by that agent's estimator
 * @param settings replace defaults, to see the effect of one of them; settings that the policy does not have are ignored
 * @param isTrimmed true if the file lacks its beginning
 */
export function checkFidelity(
  recording: Recording,
  settings: PolicyChoice["settings"] = {},
  isTrimmed = false,
): SessionFidelity | undefined {
  const { facts } = recording;
  const policy = facts.agent === null ? undefined : policyById(facts.agent);
  if (policy === undefined) return undefined;
  const choice = { policy: policy.id, preset: presetOfVersion(policy, facts) };
  const { specs } = preparePolicy(choice, recording);
  const own = Object.fromEntries(
    specs.flatMap(({ key }) => (Object.hasOwn(settings, key) ? [[key, settings[key]]] : [])),
  );
  const prepared = preparePolicy({ ...choice, settings: own }, recording);
  const inForce = { policy, ...chosenOf(prepared) };
  const evidence = {
    isTrimmed,
    lacksUsage: policy.countsWithoutUsage !== true && !hasUsageBy(recording.columns, recording.columns.requests.length),
    isWindowUnknown: facts.contextWindow.source === "inferred",
    windowAt: windowAtOf(facts.contextWindow),
  };
  return { recording, prepared, fidelity: fidelityOf(recording, inForce, evidence), calibration: calibrate(recording) };
}

/** The window by request, if a session's models have several. */
function windowAtOf({ changes }: ContextWindow): ((request: number) => Tokens) | undefined {
  const [first] = changes ?? [];
  if (changes === undefined || first === undefined) return undefined;
  return (request) => changes.findLast((change) => change.request <= request)?.tokens ?? first.tokens;
}

/** A check in the contract's format. */
export function toFidelity({ recording, prepared, fidelity, calibration }: SessionFidelity): FidelityWire {
  const { boundaries, threshold, reanchored, freeRunning } = fidelity;
  return {
    policy: prepared.policy.id,
    preset: prepared.preset,
    window: prepared.window,
    threshold: threshold ?? null,
    calibration: toCalibration(calibration),
    recorded: boundaries.length,
    manual: boundaries.filter((boundary) => boundary.reanchored.verdict === "manual").length,
    overflow: boundaries.filter((boundary) => boundary.reanchored.verdict === "overflow").length,
    untold: boundaries.filter((boundary) => boundary.reanchored.verdict === "untold").length,
    reanchored: metricsWire(reanchored),
    freeRunning: metricsWire(freeRunning),
    boundaries: boundaries.map((boundary) => boundaryWire(boundary, recording.columns)),
  };
}

function metricsWire(metrics: FidelityMetrics): FidelityMetricsWire {
  const { errorBefore = null, errorAfter = null, alarms, ...counts } = metrics;
  return { ...counts, errorBefore, errorAfter, alarms: [...alarms] };
}

function boundaryWire(boundary: CheckedBoundary, columns: SessionColumns): CheckedBoundaryWire {
  const { row, request, tokensBefore = null, tokensAfter = null, lastRecorded = null, wouldSend = null } = boundary;
  const { missing = null } = boundary;
  return {
    request,
    line: columns.boundaries.line[row] ?? 0,
    at: instant(columns.requests.at[request - 1]),
    tokensBefore,
    tokensAfter,
    lastRecorded,
    wouldSend,
    missing,
    reanchored: checkWire(boundary.reanchored),
    freeRunning: checkWire(boundary.freeRunning),
  };
}

function checkWire({ verdict, prediction, error }: Check): CheckedBoundaryWire["reanchored"] {
  return { verdict, prediction: prediction ?? null, error: error ?? null };
}
