import type { RequestIndex, Tokens } from "../base/units";
import { recordedContext } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";

/** The estimate of the items between two neighbouring requests, and the growth of the recorded context over them. */
export interface UsagePair {
  /** The later of the two requests. */
  readonly request: RequestIndex;
  readonly estimate: Tokens;
  readonly recorded: Tokens;
}

/**
 * Pairs of (estimate added, usage added) between neighbouring requests that both have usage, without a boundary in between. Pairs without growth of
 * the recorded context, or without anything to estimate, are omitted: they say nothing about a token rule. Source: docs/method.md, "Counting".
 */
export function usagePairs(recording: CountedColumns): readonly UsagePair[] {
  const { columns } = recording;
  const boundaries = new Set(columns.boundaries.request);
  const pairs: UsagePair[] = [];
  for (let request = 1; request < columns.requests.length; request++) {
    const before = recordedContext(columns, request - 1);
    const after = recordedContext(columns, request);
    if (before < 0 || after <= before || boundaries.has(request)) continue;
    const estimate = added(recording, request);
    if (estimate > 0) pairs.push({ request, estimate, recorded: after - before });
  }
  return pairs;
}

/** Estimate of the items that a request sent for the first time: the response before it, and the items after that. */
function added({ columns, tokens }: CountedColumns, request: RequestIndex): Tokens {
  const { firstItem } = columns.requests;
  const end = firstItem[request] ?? 0;
  let sum = 0;
  for (let row = firstItem[request - 1] ?? 0; row < end; row++) sum += tokens[row] ?? 0;
  return sum;
}
