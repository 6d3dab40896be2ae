import type { RequestIndex, Share, Tokens } from "@/lib/core/base/units";
import type { Breakdown as CoreBreakdown } from "@/lib/core/context/breakdown";
import type { Calibration } from "@/lib/core/context/calibration";
import { splitOverhead } from "@/lib/core/context/context-overhead";
import type { BreakdownInput } from "@/lib/core/context/own-breakdown";
import { recordedSeries } from "@/lib/core/context/recorded";
import { allOverhead, type Recording, type RecordingFacts } from "@/lib/core/context/recording";
import type { Breakdown } from "@/lib/queries/contract/types";
import { toCalibration } from "../session/calibration";
import { asSent, ownThreshold, recordedWindow } from "../session/session-context";
import { type BreakdownView, breakdownView, shownThreshold, viewedBreakdown } from "./breakdown-view";
import { requestPointOf } from "./contributors";

export interface BreakdownChoice {
  /** A request point, or the last one. */
  readonly at: RequestIndex | "last";
  readonly window?: Tokens | undefined;
  /** Trigger as a share of the window; default: the trigger of the recording's own agent, if its policy is known. */
  readonly threshold?: Share | undefined;
  /** `ours` for this program's, or the agent's own as `ID@PRESET`; default: the agent's own for its version, if there is one. */
  readonly preset?: string | undefined;
}

/** A breakdown of the recorded context, and its inputs. */
export interface ViewedBreakdown {
  readonly view: BreakdownView;
  readonly window: RecordingFacts["contextWindow"];
  readonly threshold: Share | null;
  readonly breakdown: CoreBreakdown;
  /** Scales the parts of the messages to the usage; `undefined` for plain estimates. */
  readonly calibration: Calibration | undefined;
}

/**
 * The breakdown of the recorded context at a request. Throws `ChoiceError` for an unknown request or preset.
 * @param counted the recording, with the measures that its own agent's policy needs, if any
 */
export function recordedBreakdown(choice: BreakdownChoice, counted: Recording): ViewedBreakdown {
  const recording = asSent(counted);
  const { facts, columns, tokens, overhead } = recording;
  const request = requestPointOf(choice.at, columns);
  const view = breakdownView(facts, choice.preset);
  const window = recordedWindow(facts, choice.window, view.preset);
  const own = ownThreshold(recording, { preset: view.preset, window: choice.window });
  const series = recordedSeries(recording);
  const input: BreakdownInput = {
    columns,
    tokens,
    series: splitOverhead(series, overhead),
    simulated: false,
    request,
    window: window.tokens,
    isLowerBound: window.source === "inferred",
    threshold: choice.threshold,
    trigger: own?.tokens,
    overhead: allOverhead(recording),
  };
  return {
    view,
    window,
    threshold: shownThreshold(choice.threshold, own?.tokens, window.tokens, own?.settings),
    breakdown: viewedBreakdown(view, input),
    calibration: series.calibration,
  };
}

/** A breakdown in the contract's format. @param agentReport data of the agent's own report, if any */
export function toBreakdown(
  { view, window, threshold, breakdown, calibration }: ViewedBreakdown,
  agentReport?: Breakdown["agentReport"],
): Breakdown {
  const { request, total, rows, levels, tier, cachedTokens } = breakdown;
  return {
    request,
    window,
    preset: view.name,
    threshold,
    total,
    calibration: toCalibration(calibration),
    categories: rows.map((row) => ({
      id: row.id,
      tokens: row.tokens,
      share: row.tokens / window.tokens,
      kind: row.kind,
      ...(row.items === undefined ? {} : { items: [...row.items] }),
      ...(row.parts === undefined ? {} : { parts: [...row.parts] }),
    })),
    ...(levels === undefined ? {} : { levels: [...levels] }),
    ...(tier === undefined ? {} : { tier }),
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(agentReport === undefined ? {} : { agentReport }),
  };
}
