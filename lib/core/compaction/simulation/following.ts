import type { RequestIndex, Tokens } from "../../base/units";
import { boundariesOf, KIND, type SessionColumns } from "../../columns/columns";
import type { Policy, PolicyPlan } from "../policy/policy";
import { trajectoryOf } from "./trajectory";

/**
 * Tokens of the results that the agent makes up for the calls of a response: they are sent with the next request, and the response's usage does not
 * include them.
 */
export function madeUpResultTokens(
  { pairedTokens }: Pick<Policy, "pairedTokens">,
  plan: PolicyPlan,
  point: RequestIndex,
): Tokens {
  let tokens = 0;
  if (pairedTokens === undefined) return tokens;
  const { end, responseEnd, items } = trajectoryOf(plan.columns);
  for (let position = end[point] ?? 0; position < (responseEnd[point] ?? 0); position++) {
    const item = items[position] ?? -1;
    if (plan.columns.kind[item] === KIND.tool_call) tokens += pairedTokens(plan, item, 0);
  }
  return tokens;
}

/** Output tokens of a recorded response; absent if its usage does not state them. */
export function recordedOutput({ requests }: SessionColumns, request: RequestIndex): Tokens | undefined {
  const output = requests.output[request] ?? -1;
  return output < 0 ? undefined : output;
}

/**
 * The first recorded compaction or clearing that the simulation does not follow. Turns that the user takes back are followed: they leave the
 * simulated context too.
 */
export function firstChange(columns: SessionColumns, followsClearings: boolean): RequestIndex | undefined {
  const rows = [...boundariesOf(columns, "compaction"), ...(followsClearings ? [] : boundariesOf(columns, "clearing"))];
  return columns.boundaries.request[Math.min(...rows)];
}
