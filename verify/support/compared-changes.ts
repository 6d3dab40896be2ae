import type { ItemIndex, RequestIndex, Tokens } from "@/lib/core/base/units";
import { KIND } from "@/lib/core/columns/columns";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import type { CheckedRun } from "./checked-agent";

/** Changes by an agent's own rules before a request. */
export interface ExactChange {
  readonly request: RequestIndex;
  readonly outcome: string;
  /** Trigger of the change, if the agent's rules give it. */
  readonly trigger?: string;
  readonly before: Tokens;
  readonly after: Tokens;
  /** Kept recorded rows, ascending. */
  readonly kept: readonly ItemIndex[];
  /** Results that became smaller or empty, ascending; absent if none did. */
  readonly reduced?: readonly ItemIndex[];
  /** Size of the summary, if it is compared. */
  readonly summary?: Tokens;
  /** Tokens sent for the summary, if they are compared. */
  readonly sent?: Tokens | undefined;
  /** Allowed difference of `before` from the policy's number; `ExactHistory.allowed` holds the reason. */
  readonly within?: Tokens;
}

/** Changes of a recording's history by an agent's own rules. */
export interface ExactHistory {
  readonly changes: readonly ExactChange[];
  /** Tokens sent with every request. */
  readonly context: readonly Tokens[];
  /** Allowed difference from the policy's context at each request, and the reason; without it both must be equal. */
  readonly allowed?: { readonly within: readonly Tokens[]; readonly reason: string };
}

/** Compares the requests that change the history, the changes, the kept and reduced rows, and the context at every request. */
export function compareChanges(run: CheckedRun, exact: ExactHistory): void {
  const { comparison, numbers } = run;
  const { changes, context, allowed } = exact;
  comparison.same("changes", shapes(numbers.compactions), shapes(changes));
  for (const [index, one] of numbers.compactions.entries()) {
    const other = changes[index];
    if (other === undefined || shapes([one]) !== shapes([other])) break;
    comparison.compared();
    compareChange(run, one, other, exact);
  }
  comparison.same("requests", numbers.context.length, context.length);
  for (const [request, tokens] of context.entries()) {
    // After the first difference, every later one is only its consequence.
    if (comparison.failed) break;
    const within = allowed?.within[request] ?? 0;
    const got = numbers.context[request] ?? -1;
    comparison.close(`context at ${request}`, got, tokens, [-within, within], allowed?.reason ?? "");
  }
}

function compareChange(
  { comparison, recording: { columns } }: CheckedRun,
  one: SimulatedCompaction,
  other: ExactChange,
  { allowed }: ExactHistory,
): void {
  const where = `${one.outcome} before request ${one.request}`;
  const close = (what: string, got: Tokens, exact: Tokens, within = 0) =>
    comparison.close(`${where}, ${what}`, got, exact, [-within, within], allowed?.reason ?? "");
  close("size before", one.tokensBefore, other.before, other.within);
  close("size after", one.tokensAfter, other.after, allowed?.within[one.request]);
  comparison.same(`${where}, trigger`, one.trigger, other.trigger ?? one.trigger);
  comparison.same(`${where}, summary`, one.summaryTokens, other.summary ?? one.summaryTokens);
  comparison.same(`${where}, sent for the summary`, one.summaryCallTokens, other.sent ?? one.summaryCallTokens);
  const kept = one.kept.filter((item) => item < columns.length);
  comparison.same(`${where}, rows kept`, kept, other.kept);
  const reduced = [...one.cleared, ...one.truncated].map(([item]) => item);
  const results = reduced.filter((item) => columns.kind[item] === KIND.tool_result).sort((a, b) => a - b);
  comparison.same(`${where}, results reduced`, results, other.reduced ?? []);
}

function shapes(changes: readonly Pick<ExactChange, "request" | "outcome">[]): string {
  return changes.map(({ request, outcome }) => `${request} ${outcome}`).join(", ");
}
