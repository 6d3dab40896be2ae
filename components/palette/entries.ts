type PaletteGroup = "lens" | "command" | "policy" | "setting" | "page" | "theme" | "session";

/** What can be chosen in the palette. It either leads to an address or does something. */
export interface PaletteEntry {
  /** Unique within the palette, and the same however the entries change. */
  readonly id: string;
  readonly group: PaletteGroup;
  readonly title: string;
  /** What else is known of it; it is searched as well. */
  readonly hint?: string | undefined;
  /** The key that does the same. */
  readonly shortcut?: string;
  /** Whether it is in force already. */
  readonly isCurrent?: boolean;
  readonly action: { readonly href: string } | (() => void);
}

/** The entries that hold every word of a query, best first; equals keep their order. An empty query leaves all as they are. */
export function rankedEntries(entries: readonly PaletteEntry[], query: string): readonly PaletteEntry[] {
  const words = folded(query)
    .split(/\s+/)
    .filter((word) => word !== "");
  return entries
    .flatMap((entry) => {
      const rank = rankOf(entry, words);
      return rank === undefined ? [] : [{ entry, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}

/** 0 is best; `undefined` where a word is nowhere. */
function rankOf({ title, hint = "" }: PaletteEntry, words: readonly string[]): number | undefined {
  const [name, more] = [folded(title), folded(hint)];
  if (!words.every((word) => name.includes(word) || more.includes(word))) return undefined;
  if (name.startsWith(words.join(" "))) return 0;
  if (words.every((word) => ` ${name}`.includes(` ${word}`))) return 1;
  return words.every((word) => name.includes(word)) ? 2 : 3;
}

function folded(text: string): string {
  return text.normalize("NFKC").toLocaleLowerCase();
}

/** The entry that Enter runs: the one that was moved to, as long as it is listed, else the first. What arrives later moves it nowhere. */
export function selectedEntry(entries: readonly PaletteEntry[], movedTo: string | null): PaletteEntry | undefined {
  return entries.find(({ id }) => id === movedTo) ?? entries[0];
}

/** The neighbour of an entry; behind the last comes the first. */
export function neighbour(entries: readonly PaletteEntry[], id: string | undefined, by: 1 | -1) {
  const at = entries.findIndex((entry) => entry.id === id);
  return entries[(at + by + entries.length) % entries.length];
}
