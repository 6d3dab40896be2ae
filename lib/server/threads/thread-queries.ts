import type { ContextProfile } from "@/lib/core/context/profile";
import type { ContributorsChoice } from "@/lib/queries/contexts/contributors";
import type {
  BoundaryAnswer,
  BoundaryDetails,
  BoundaryRequest,
  CompareAnswer,
  CompareRequest,
  Contributors,
  LedgerAnswer,
  LedgerRequest,
  ReplayRequest,
  ReplayResult,
} from "@/lib/queries/contract/schemas";

interface AskedContributors extends ContributorsChoice {
  readonly estimator?: string | undefined;
  readonly profile?: ContextProfile | undefined;
}

/** Queries about one session that may name a user's policy, and their answers. */
export interface ThreadQueries {
  readonly replay: { readonly asked: ReplayRequest; readonly answer: ReplayResult };
  readonly compare: { readonly asked: CompareRequest; readonly answer: CompareAnswer };
  readonly boundary: { readonly asked: BoundaryRequest; readonly answer: BoundaryDetails };
  readonly boundaryTexts: { readonly asked: BoundaryRequest; readonly answer: BoundaryAnswer };
  readonly ledger: { readonly asked: LedgerRequest; readonly answer: LedgerAnswer };
  readonly contributors: { readonly asked: AskedContributors; readonly answer: Contributors };
}

export type ThreadQuery = {
  readonly [Kind in keyof ThreadQueries]: { readonly kind: Kind; readonly asked: ThreadQueries[Kind]["asked"] };
}[keyof ThreadQueries];

export function policiesOf({ kind, asked }: ThreadQuery): readonly string[] {
  const runs = kind === "compare" ? asked.runs : [asked];
  return runs.flatMap(({ policy }) => policy ?? []);
}

/** The models whose prices a query needs for its costs. */
export function modelsOf({ kind, asked }: ThreadQuery): readonly string[] {
  const runs = kind === "compare" ? asked.runs : [asked];
  return runs.flatMap((run) => ("on" in run ? (run.on ?? []) : []));
}
