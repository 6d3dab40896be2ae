import type { SessionColumns } from "../columns/columns";
import type { Policy, PolicyPlan } from "./policy/policy";

/** Sizes of the items as sent: cut by the policy's entry rule if it is in force, then with calls and results paired. */
export function sizesOnEntry(tokens: Int32Array, policy: Policy, plan: PolicyPlan): Int32Array {
  const { columns, preset, settings, own } = plan;
  const { pairedTokens } = policy;
  const entryRule = settings.entryTruncation === true ? policy.entryRule : undefined;
  if (entryRule === undefined && pairedTokens === undefined) return tokens;
  const key = JSON.stringify([preset, own, entryRule?.settings.map((name) => settings[name])]);
  const known = entrySizes.get(tokens);
  if (known?.key === key && known.policy === policy && known.columns === columns) return known.sizes;
  const sizes = tokens.map((size, row) => {
    if (row < columns.overheadRows) return size;
    const entered = entryRule?.tokens(plan, row, size) ?? size;
    return pairedTokens?.(plan, row, entered) ?? entered;
  });
  entrySizes.set(tokens, { key, policy, columns, sizes });
  return sizes;
}

/** Last sizes on entry for each token column: a moving slider of another setting requests the same sizes repeatedly. */
const entrySizes = new WeakMap<
  Int32Array,
  { readonly key: string; readonly policy: Policy; readonly columns: SessionColumns; readonly sizes: Int32Array }
>();
