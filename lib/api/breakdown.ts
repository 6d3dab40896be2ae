import type { RequestIndex, Share, Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { pointCount } from "@/lib/core/columns/points";
import { breakdownAt } from "@/lib/core/context/breakdown";
import { recordedSeries } from "@/lib/core/context/recorded";
import type { Breakdown } from "./contract";
import { ChoiceError, ownThreshold, type SessionFacts } from "./session-context";

/** What may be chosen for a breakdown. */
export interface BreakdownChoice {
  /** A request point, or the last one. */
  readonly at: RequestIndex | "last";
  readonly window?: Tokens | undefined;
  /** Trigger as a share of the window; without it the recording's own agent's is used, where its policy is known. */
  readonly threshold?: Share | undefined;
}

/** The breakdown of the recorded context, as `breakdown` prints it. Throws `ChoiceError` for a request that is not there. */
export function toBreakdown(
  choice: BreakdownChoice,
  session: SessionFacts,
  columns: SessionColumns,
  tokens: Int32Array,
): Breakdown {
  const last = pointCount(columns) - 1;
  const request = choice.at === "last" ? last : choice.at;
  if (!Number.isInteger(request) || request < 0 || request > last) {
    throw new ChoiceError(`no request ${request}; requests go from 0 to ${last}`);
  }
  const window =
    choice.window === undefined ? session.contextWindow : { tokens: choice.window, source: "user" as const };
  const own = ownThreshold(session, columns, tokens);
  const trigger = choice.threshold === undefined ? own?.tokens : Math.floor(window.tokens * choice.threshold);
  const { total, rows } = breakdownAt(recordedSeries(columns, tokens), request, window.tokens, trigger);
  return {
    request,
    window,
    preset: own?.preset ?? "ours",
    threshold: trigger === undefined ? null : trigger / window.tokens,
    total,
    categories: rows.map((row) => ({
      id: row.id,
      tokens: row.tokens,
      share: row.tokens / window.tokens,
      kind: row.kind,
      ...(row.parts === undefined ? {} : { parts: [...row.parts] }),
    })),
  };
}
