/**
 * An id, or none where a publisher's tool has masked it: a masked id names nothing, so that what carries one is one of its own, linked
 * to nothing else. Readers take every id of a file through here. Source: docs/interfaces.md, "How inspect counts", masked ids.
 */
export function idOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && !isMasked(value) ? value : undefined;
}

/**
 * A name that is shown and links nothing (a folder, a model, a title): masked in part it still says something, so that only one of
 * which nothing but the mask is left is none.
 */
export function nameOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && !NOTHING_BUT_MASK.test(value) ? value : undefined;
}

/**
 * Masking tools write `REDACTED` in the place of what they hide, some in brackets, some of an id's random part alone: what is left of
 * two ids may then be equal. One that states a hash of what it hides (`[REDACTED_TEXT len=29 sha=74dc…]`) still tells ids apart.
 */
function isMasked(id: string): boolean {
  return id.includes("REDACTED") ? !id.includes(" sha=") : BRACKETED.test(id);
}

const BRACKETED = /^[<[(]redacted[>\])]$/i;
const NOTHING_BUT_MASK = /^(?:REDACTED|[<[(]redacted[>\])])$/i;
