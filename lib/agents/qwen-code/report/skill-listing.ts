import type { Tokens } from "@/lib/core/base/units";
import { type Content, partsOf } from "../messages/content";
import { contextTextTokens } from "../messages/estimates";

/** Lists of skills that 0.24 puts into the conversation. Source: README.md, "Context report, current". */

const ENTRY_OPEN = "<skill>\n<name>\n";
const NAME_CLOSE = "\n</name>";
const ENTRY_CLOSE = "</skill>";

interface ListedSkill {
  readonly name: string;
  readonly tokens: Tokens;
}

export interface SkillListing {
  /** Tokens of the whole text, including its marks. */
  readonly tokens: Tokens;
  /** The skills by name in small letters; later entries win. */
  readonly byName: ReadonlyMap<string, ListedSkill>;
}

export const NO_LISTING: SkillListing = { tokens: 0, byName: new Map() };

/** Both lists as one; entries of the second win. */
export function mergedListings(a: SkillListing, b: SkillListing): SkillListing {
  return { tokens: a.tokens + b.tokens, byName: new Map([...a.byName, ...b.byName]) };
}

/** The skills that a text lists; `undefined` where it is not a list of skills. */
export function listingOf(text: string): SkillListing | undefined {
  if (!text.includes("<available_skills>") && !text.includes("No skills are currently available.")) return undefined;
  const byName = new Map<string, ListedSkill>();
  for (const { name, entry } of entriesOf(text)) {
    byName.set(name.toLowerCase(), { name, tokens: contextTextTokens(entry) });
  }
  return { tokens: contextTextTokens(text), byName };
}

/** The lists of skills among the texts of a conversation, and those texts. A list without an entry is ordinary text. */
export function tailListings(contents: readonly Content[]): {
  readonly listing: SkillListing;
  readonly texts: ReadonlySet<string>;
} {
  let listing = NO_LISTING;
  const texts = new Set<string>();
  for (const { text } of contents.flatMap(partsOf)) {
    if (typeof text !== "string") continue;
    const found = listingOf(text);
    if (found === undefined || found.byName.size === 0) continue;
    listing = mergedListings(listing, found);
    texts.add(text);
  }
  return { listing, texts };
}

function* entriesOf(text: string): Generator<{ readonly name: string; readonly entry: string }> {
  let from = 0;
  for (;;) {
    const start = text.indexOf(ENTRY_OPEN, from);
    const nameEnd = start < 0 ? -1 : text.indexOf(NAME_CLOSE, start + ENTRY_OPEN.length);
    const close = nameEnd < 0 ? -1 : text.indexOf(ENTRY_CLOSE, nameEnd + NAME_CLOSE.length);
    if (close < 0) return;
    from = close + ENTRY_CLOSE.length;
    yield { name: unescaped(text.slice(start + ENTRY_OPEN.length, nameEnd)), entry: text.slice(start, from) };
  }
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}
