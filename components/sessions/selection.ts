/** The most sessions that can be selected: their ids stand in the address. */
export const MOST_SELECTED = 200;

/** The most sessions on one axis: more lines are not told apart. */
export const MOST_COMPARED = 6;

/** The selected sessions, and how one is added or taken away. */
export interface Selection {
  readonly ids: readonly string[];
  readonly toggle: (id: string) => void;
  readonly clear: () => void;
}

/** A selection with one session more, or without it. A full one stays as it is. */
export function toggledId(ids: readonly string[], id: string): string[] {
  const others = ids.filter((one) => one !== id);
  if (others.length < ids.length || ids.length >= MOST_SELECTED) return others;
  return [...ids, id];
}

/** The address of the page that compares sessions on one axis. */
export function compareHref(ids: readonly string[]): string {
  return `/compare?sessions=${ids.map(encodeURIComponent).join(",")}`;
}

/** The address of a sweep over sessions: it stands on the page of the first one. */
export function sweepHref([first = "", ...others]: readonly string[]): string {
  const rest = others.map(encodeURIComponent).join(",");
  return `/sessions/${encodeURIComponent(first)}?lens=sweep${rest === "" ? "" : `&with=${rest}`}`;
}
