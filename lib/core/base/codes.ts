/** Maps each name of a column's list to its code: its index in the list. */
export function codesOf<const Names extends readonly string[]>(names: Names): Readonly<Record<Names[number], number>> {
  // `fromEntries` loses the keys' type, but the object has exactly one entry per name.
  return Object.fromEntries(names.map((name, code) => [name, code])) as Record<Names[number], number>;
}
