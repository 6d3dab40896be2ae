import type { ItemIndex } from "../base/units";
import { FLAG, type SessionColumns } from "../columns/columns";
import type { Policy, PolicyPlan } from "./policy/policy";

/** Sizes of the items as a policy's agent sends them. */
export interface EntrySizes {
  readonly sizes: Int32Array;
  /** First row that the entry rule shortened, apart from those that only the recording has; `undefined` if there is none. */
  readonly firstCut: ItemIndex | undefined;
}

/** Sizes of the items as sent: cut by the policy's entry rule if it is in force, then with calls and results paired. */
export function sizesOnEntry(tokens: Int32Array, policy: Policy, plan: PolicyPlan): EntrySizes {
  const { columns, preset, settings, own } = plan;
  const { pairedTokens } = policy;
  const entryRule = settings.entryTruncation === true ? policy.entryRule : undefined;
  if (entryRule === undefined && pairedTokens === undefined) return { sizes: tokens, firstCut: undefined };
  const key = JSON.stringify([preset, own, entryRule?.settings.map((name) => settings[name])]);
  const known = entrySizes.get(tokens);
  if (known?.key === key && known.policy === policy && known.columns === columns) return known;
  let firstCut: ItemIndex | undefined;
  const sizes = tokens.map((size, row) => {
    if (row < columns.overheadRows) return size;
    const entered = entryRule?.tokens(plan, row, size) ?? size;
    if (entered !== size && ((columns.flags[row] ?? 0) & FLAG.RECORDED_ONLY) === 0) firstCut ??= row;
    return pairedTokens?.(plan, row, entered) ?? entered;
  });
  const found = { key, policy, columns, sizes, firstCut };
  entrySizes.set(tokens, found);
  return found;
}

/** Last sizes on entry for each token column: a moving slider of another setting requests the same sizes repeatedly. */
const entrySizes = new WeakMap<
  Int32Array,
  EntrySizes & { readonly key: string; readonly policy: Policy; readonly columns: SessionColumns }
>();
