import type { BoundaryEntry } from "../../shared/boundaries/entries";
import { type BoundaryRun, isRun, type Listed } from "../../shared/boundaries/runs";

interface Place {
  readonly key: string;
  readonly level: 1 | 2 | 3;
  /** Position among its siblings, counted from 1. */
  readonly position: number;
  readonly siblings: number;
  /** Row index of its parent, −1 for a section. */
  readonly parent: number;
}

/** A row of the tree of boundaries: a section (recorded or simulated), a boundary or run within it, or a boundary within a run. */
export type TreeRow = Place &
  (
    | { readonly type: "section"; readonly kind: BoundaryEntry["kind"]; readonly count: number; readonly open: boolean }
    | { readonly type: "run"; readonly run: BoundaryRun; readonly open: boolean }
    | { readonly type: "entry"; readonly entry: BoundaryEntry }
  );

/** The recorded or the simulated section: its number of boundaries, and their list rows. */
export interface BoundarySection {
  readonly kind: BoundaryEntry["kind"];
  readonly count: number;
  readonly listed: readonly Listed[];
}

/**
 * The visible rows.
 * @param turned keys of the rows that are not in their initial state: sections start open, runs start folded
 */
export function treeRows(sections: readonly BoundarySection[], turned: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  sections.forEach(({ kind, count, listed }, index) => {
    const parent = rows.length;
    const open = !turned.has(kind);
    const place = { key: kind, level: 1, position: index + 1, siblings: sections.length, parent: -1 } as const;
    rows.push({ ...place, type: "section", kind, count, open });
    if (open)
      for (const [at, one] of listed.entries()) pushListed(rows, one, { at, of: listed.length, parent }, turned);
  });
  return rows;
}

interface Among {
  readonly at: number;
  readonly of: number;
  readonly parent: number;
}

function pushListed(rows: TreeRow[], listed: Listed, among: Among, turned: ReadonlySet<string>): void {
  const place = {
    key: listed.key,
    level: 2,
    position: among.at + 1,
    siblings: among.of,
    parent: among.parent,
  } as const;
  if (!isRun(listed)) {
    rows.push({ ...place, type: "entry", entry: listed });
    return;
  }
  const own = rows.length;
  const open = turned.has(listed.key);
  rows.push({ ...place, type: "run", run: listed, open });
  if (!open) return;
  listed.entries.forEach((entry, index) => {
    const inner = {
      key: entry.key,
      level: 3,
      position: index + 1,
      siblings: listed.entries.length,
      parent: own,
    } as const;
    rows.push({ ...inner, type: "entry", entry });
  });
}

/** The effect of a key in the tree: the row to go to, or `turn` to fold or unfold the current one. Source: WAI-ARIA practices, tree view. */
export function treeMove(key: string, rows: readonly TreeRow[], at: number): number | "turn" | undefined {
  const row = rows[at];
  const last = rows.length - 1;
  if (row === undefined) return undefined;
  switch (key) {
    case "ArrowDown":
      return Math.min(last, at + 1);
    case "ArrowUp":
      return Math.max(0, at - 1);
    case "Home":
      return 0;
    case "End":
      return last;
    case "ArrowRight":
      if (row.type === "entry") return undefined;
      return row.open ? Math.min(last, at + 1) : "turn";
    case "ArrowLeft":
      if (row.type !== "entry" && row.open) return "turn";
      return row.parent < 0 ? undefined : row.parent;
    default:
      return undefined;
  }
}
