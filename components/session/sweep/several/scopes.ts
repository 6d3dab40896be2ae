import type { RowView } from "@/components/sessions/row-view";

/** Which recordings a sweep covers. */
export const SCOPES = ["chosen", "project", "agent", "all"] as const;
export type Scope = (typeof SCOPES)[number];

/** The most recordings of one sweep. Source: `sweepRequest` of the contract. */
const MOST = 2000;

/**
 * The sessions of each scope, the page's session first: those that were chosen in the list, of the same project, of the same agent, or all. Sessions that were not
 * read, and copies of others, are left out. So is a scope that adds nothing to the one before it.
 */
export function scopesOf(
  rows: readonly RowView[],
  id: string,
  chosen: readonly string[] = [],
): ReadonlyMap<Scope, readonly string[]> {
  const own = rows.find((row) => row.id === id);
  const usable = rows.filter((row) => row.id === id || (isRead(row) && row.origin?.kind !== "copy-of"));
  const among: Readonly<Record<Exclude<Scope, "chosen">, (row: RowView) => boolean>> = {
    project: ({ project }) => project !== null && project === own?.project,
    agent: ({ agentId }) => agentId !== null && agentId === own?.agentId,
    all: () => true,
  };
  const scopes = new Map<Scope, readonly string[]>();
  // What was chosen was chosen on purpose, copies included.
  if (chosen.some((one) => one !== id)) scopes.set("chosen", [...new Set([id, ...chosen])].slice(0, MOST));
  let last = 1;
  for (const scope of SCOPES) {
    if (scope === "chosen") continue;
    const others = usable.filter((row) => row.id !== id && among[scope](row)).map((row) => row.id);
    const ids = own === undefined ? [] : [id, ...others].slice(0, MOST);
    if (ids.length <= last) continue;
    scopes.set(scope, ids);
    last = ids.length;
  }
  return scopes;
}

function isRead({ state }: RowView): boolean {
  return state === "ready" || state === "no-usage";
}
