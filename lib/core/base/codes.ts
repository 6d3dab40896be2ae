/** The codes of a column's names: each one's place in the list, by name. */
export function codesOf<const Names extends readonly string[]>(names: Names): Readonly<Record<Names[number], number>> {
  // Every name of the list has an entry, and nothing else has.
  return Object.fromEntries(names.map((name, code) => [name, code])) as Record<Names[number], number>;
}
