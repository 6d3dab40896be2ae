/**
 * The lenses of the session page in the order of their tabs. The keys, the address, the words (`session.lens`), the list of keys in the
 * help and the contents (`session-view.tsx`, by the compiler) follow: a further lens is a line here.
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

/** The lens of a name that comes from elsewhere. */
export function lensNamed(name: string): Lens | undefined {
  return LENSES.find((lens) => lens === name);
}

/** The key of a lens: its place. */
export function lensKey(lens: Lens): string {
  return String(LENSES.indexOf(lens) + 1);
}
