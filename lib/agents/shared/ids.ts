/**
 * A usable id, or `undefined` if a publisher's tool has masked it: a masked id identifies nothing, so its record stands alone and is linked to
 * nothing else. Readers pass every id of a file through here. Source: docs/interfaces.md, "How inspect counts", masked ids.
 */
export function idOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && !isMasked(value) ? value : undefined;
}

/**
 * A name for display that links nothing (a folder, a model, a title). A partly masked name is still useful, so only one that consists of nothing but
 * the mask is dropped.
 */
export function nameOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && !NOTHING_BUT_MASK.test(value) ? value : undefined;
}

/**
 * True for an id masked by a tool, which writes `REDACTED` in its place. Some put it in brackets; some mask only the random part of an id, so two
 * different ids may become equal. A mask that states a hash of the hidden text (`[REDACTED_TEXT len=29 sha=74dc…]`) still distinguishes ids.
 */
function isMasked(id: string): boolean {
  return id.includes("REDACTED") ? !id.includes(" sha=") : BRACKETED.test(id);
}

const BRACKETED = /^[<[(]redacted[>\])]$/i;
const NOTHING_BUT_MASK = /^(?:REDACTED|[<[(]redacted[>\])])$/i;
