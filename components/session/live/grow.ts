import { notifyManager, type Query, type QueryClient } from "@tanstack/react-query";
import { getSession } from "@/lib/api/client";
import type { SessionAnswer } from "@/lib/api/types";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { columnsKey, goneOn, type HeldColumns } from "../state/held-columns";
import { NEEDS } from "../state/use-measures";

/** What the server derives of the whole file. It is asked for again when somebody looks at it anew, or when the file has come to rest. */
const DERIVED: ReadonlySet<unknown> = new Set([
  ...["accuracy", "boundary", "fidelity", "ledger", "overhead", "report", "summary"],
]);

/**
 * Brings what the page shows of a session up to its file: the delta of its columns and its facts, both of the same version, put in force at once.
 * Does nothing until the page shows something. Rejects with `ApiError` and `CodecError`.
 * @returns whether everything is up to date; false while further columns of the shown version are on their way
 */
export async function grow(client: QueryClient, id: string): Promise<boolean> {
  const key = columnsKey(id);
  const held = client.getQueryData<HeldColumns>(key);
  const facts = client.getQueryData<SessionAnswer>(["session", id]);
  if (held === undefined || facts === undefined) return true;
  if (client.isFetching({ predicate: (query) => isFurther(query, id) }) > 0) return false;
  const next = await goneOn(id, withFurther(client, id, held));
  if (next.version === held.version && facts.version === held.version) return true;
  const answer = await getSession(id, undefined, next.version);
  notifyManager.batch(() => {
    client.setQueryData(key, next);
    client.setQueryData(["session", id], answer);
  });
  outdate(client, id, "none");
  return true;
}

/** Marks what the server derived of an earlier state of the file. @param refetch whether what is looked at is asked for again at once */
export function outdate(client: QueryClient, id: string, refetch: "active" | "none"): void {
  const predicate = ({ queryKey }: Query) =>
    queryKey[0] === "session" && queryKey[1] === id && DERIVED.has(queryKey[2]);
  void client.invalidateQueries({ predicate, refetchType: refetch });
}

/** Whether a query loads tokens or measures of a session beyond those that came with its columns. */
function isFurther({ queryKey: [what, of, kind] }: Query, id: string): boolean {
  return what === "session" && of === id && (kind === "tokens" || kind === "measures");
}

/**
 * The columns with the tokens and measures that were loaded of this version, so that they go on too; but for what is not asked of a file that is being
 * written.
 */
function withFurther(client: QueryClient, id: string, held: HeldColumns): HeldColumns {
  let { columns, measured } = held;
  const loaded = client.getQueryCache().findAll({ predicate: (query) => isFurther(query, id) });
  for (const { queryKey, state } of loaded) {
    const [, , kind, name, version] = queryKey;
    if (version !== held.version || state.data == null || typeof name !== "string" || name === NEEDS) continue;
    // Only the queries of `use-tokens` and `use-measures` have such keys.
    if (kind === "tokens") columns = { ...columns, tokens: { ...columns.tokens, [name]: state.data as Int32Array } };
    else {
      columns = { ...columns, measures: { ...columns.measures, ...(state.data as SessionColumns["measures"]) } };
      measured = [...new Set([...measured, name])];
    }
  }
  return { ...held, columns, measured };
}
