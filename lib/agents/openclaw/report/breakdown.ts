import { type Breakdown, breakdownAt, type ContextLevel } from "@/lib/core/context/breakdown";
import { type BreakdownInput, cachedAt, type OwnBreakdown } from "@/lib/core/context/own-breakdown";
import { OPENCLAW_PRESETS, openClawPreset } from "../base/presets";
import { guardWindow, type WindowGuard } from "./context-window";

/**
 * The window with OpenClaw's guard. Its own report counts overlapping characters and no messages, so the categories are ours; `context-report.ts`
 * makes the report itself. Source: README.md, "Window" and "Prompt report".
 */
export const openClawBreakdown: OwnBreakdown = {
  presets: OPENCLAW_PRESETS,
  at: (question, preset) => breakdownOf(question, guardWindow(question.window, openClawPreset(preset))),
};

function breakdownOf(question: BreakdownInput, guard: WindowGuard): Breakdown {
  const { series, request, window, isLowerBound = false, threshold, overhead } = question;
  const trigger = threshold === undefined ? question.trigger : Math.floor(window * threshold);
  const levels: ContextLevel[] = [
    ...(trigger === undefined ? [] : [{ id: "auto" as const, tokens: trigger }]),
    ...(isLowerBound
      ? []
      : [
          { id: "warnBelow" as const, tokens: guard.warnBelow },
          { id: "blockBelow" as const, tokens: guard.blockBelow },
        ]),
  ];
  const cached = cachedAt(question);
  return {
    ...breakdownAt({ series, request, window, trigger, overhead }),
    levels,
    ...(cached > 0 ? { cachedTokens: cached } : {}),
  };
}

/** The guard's state for a window. */
export function guardState(guard: WindowGuard): "ok" | "warn" | "block" {
  if (guard.blocks) return "block";
  return guard.warns ? "warn" : "ok";
}
