import { listingOf, type SkillListing } from "@/lib/agents/qwen-code/estimator";
import { type Content, partsOf } from "@/lib/agents/qwen-code/messages/content";

export const NO_LISTING: SkillListing = { tokens: 0, byName: new Map() };

/** Both lists as one; entries of the second win. */
export function mergedListings(a: SkillListing, b: SkillListing): SkillListing {
  return { tokens: a.tokens + b.tokens, byName: new Map([...a.byName, ...b.byName]) };
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
