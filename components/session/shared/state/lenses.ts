/**
 * The lenses of the session page, in tab order. The keys, the address, the words (`session.lens`), the help's list of keys and
 * the contents (`session-view.tsx`, checked by the compiler) all follow this list: to add a lens, add it here.
 */
export const LENSES = [
  "timeline",
  "composition",
  "contributors",
  "boundaries",
  "compare",
  "sweep",
  "accuracy",
  "cost",
] as const;

export type Lens = (typeof LENSES)[number];

const BESIDE_PANEL: ReadonlySet<Lens> = new Set(["timeline", "compare", "sweep", "cost"]);

/** Whether a lens stands beside the replay panel. */
export function hasPanel(lens: Lens): boolean {
  return BESIDE_PANEL.has(lens);
}

/** The lens of a name that comes from outside; `undefined` where there is none. */
export function lensNamed(name: string): Lens | undefined {
  return LENSES.find((lens) => lens === name);
}

/** The key of a lens: its position, counted from 1. */
export function lensKey(lens: Lens): string {
  return String(LENSES.indexOf(lens) + 1);
}
