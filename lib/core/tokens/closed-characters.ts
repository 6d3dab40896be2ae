/**
 * Characters of three bytes (Chinese, Japanese, Korean, Thai, …) that a merge may take as one part from the start instead of three: a third of the
 * parts and a quarter of the lookups, with the same result. Byte-pair merging would complete such a character before any other merge touches it,
 * provided that
 *
 * 1. the character is a token, and merging its three bytes alone ends in it. Call the greatest rank on that way its *price*;
 * 2. every token that contains the character and more has a rank above the price, so none is made before the character is whole;
 * 3. at neither of its edges do the bytes allow a token with a part of a character on one side and other bytes on the other.
 *
 * Until then the character's own merges have the lowest rank, no token across its edges can be made, and the order of merges elsewhere does not
 * depend on it. 1 and 2 are properties of the table (`closed`); 3 is checked at each edge (`isOpenEdge`).
 */
import { byteAt, intAt } from "./arrays";

export interface ClosedCharacters {
  /** By code point: 1 if conditions 1 and 2 hold. */
  readonly closed: Uint8Array;
  /** Bit sets: the row (8 words) is the kind of bytes after an edge, the bit within it the byte before the edge. */
  readonly openEdges: Int32Array;
}

/** Part of a vocabulary that the conditions need. */
interface Tokens {
  readonly size: number;
  readonly bytes: Uint8Array;
  readonly offsets: Int32Array;
  readonly pairs: Int32Array;
}

const CODE_POINTS = 0x10000;
const UNUSED = 0x7fffffff;
/** Rows of `openEdges`: by the low bits of a three-byte lead and the byte after it, then one row for every other kind of lead. */
const THREE_BYTE_ROWS = 16 * 64;
const ROWS = THREE_BYTE_ROWS + 16;

/** Finds a vocabulary's closed characters, and the edges at which condition 3 fails. */
export function findClosedCharacters(tokens: Tokens): ClosedCharacters {
  const openEdges = new Int32Array(ROWS * 8);
  const prices = new Int32Array(CODE_POINTS).fill(UNUSED);
  const firstUses = new Int32Array(CODE_POINTS).fill(UNUSED);
  for (let id = 0; id < tokens.size; id++) {
    const start = intAt(tokens.offsets, id);
    const end = intAt(tokens.offsets, id + 1);
    if (end - start === 3 && isThreeByteLead(byteAt(tokens.bytes, start))) setPrice(prices, tokens, id, start);
    else noteUses(firstUses, openEdges, tokens.bytes, start, end, id);
  }
  return { closed: Uint8Array.from(prices, (price, point) => (price < intAt(firstUses, point) ? 1 : 0)), openEdges };
}

/** True if a character of three bytes begins with this byte. */
export function isThreeByteLead(byte: number): boolean {
  return byte >= 0xe0 && byte < 0xf0;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Code point of the three bytes at `at`. */
function threeByteCodePoint(bytes: Uint8Array, at: number): number {
  return ((byteAt(bytes, at) & 0x0f) << 12) | ((byteAt(bytes, at + 1) & 0x3f) << 6) | (byteAt(bytes, at + 2) & 0x3f);
}

/**
 * Sets the price of a character whose token has three bytes. The token begins with a three-byte lead, so it is a whole character, unless a table
 * contains invalid UTF-8.
 */
function setPrice(prices: Int32Array, { bytes, pairs }: Tokens, id: number, start: number): void {
  const left = intAt(pairs, (byteAt(bytes, start) << 8) | byteAt(bytes, start + 1));
  const right = intAt(pairs, (byteAt(bytes, start + 1) << 8) | byteAt(bytes, start + 2));
  prices[threeByteCodePoint(bytes, start)] = Math.max(id, Math.min(left, right));
}

/** Records the whole characters in a longer token, and its edges with a part of a character on either side. */
function noteUses(
  firstUses: Int32Array,
  openEdges: Int32Array,
  bytes: Uint8Array,
  start: number,
  end: number,
  id: number,
): void {
  let at = start;
  while (at < end && isContinuation(byteAt(bytes, at))) at++;
  if (at > start && at < end) openEdge(openEdges, bytes, at, end);
  while (at < end) {
    const next = at + widthOf(byteAt(bytes, at));
    if (next > end) {
      if (at > start) openEdge(openEdges, bytes, at, end);
      return;
    }
    if (next - at === 3) {
      const point = threeByteCodePoint(bytes, at);
      firstUses[point] = Math.min(intAt(firstUses, point), id);
    }
    at = next;
  }
}

function widthOf(lead: number): number {
  return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Opens the edge before `at`. If the token ends after the lead byte, opens it for every possible next byte. */
function openEdge(openEdges: Int32Array, bytes: Uint8Array, at: number, end: number): void {
  const before = byteAt(bytes, at - 1);
  const lead = byteAt(bytes, at);
  const known = at + 1 < end || !isThreeByteLead(lead);
  const first = known ? byteAt(bytes, at + 1) & 0x3f : 0;
  const last = known ? first : 0x3f;
  for (let second = first; second <= last; second++) {
    const word = rowOf(lead, second) * 8 + (before >> 5);
    openEdges[word] = intAt(openEdges, word) | (1 << (before & 31));
  }
}

function rowOf(lead: number, second: number): number {
  return isThreeByteLead(lead) ? ((lead & 0x0f) << 6) | (second & 0x3f) : THREE_BYTE_ROWS + (lead >> 4);
}

/** Checks conditions 1 and 2 for the three bytes at `at`. */
export function isClosed({ closed }: ClosedCharacters, bytes: Uint8Array, at: number): boolean {
  return byteAt(closed, threeByteCodePoint(bytes, at)) !== 0;
}

/** True if some token may join the bytes around the edge before `at` with a part of a character on either side. */
export function isOpenEdge({ openEdges }: ClosedCharacters, bytes: Uint8Array, at: number): boolean {
  const before = byteAt(bytes, at - 1);
  const row = rowOf(byteAt(bytes, at), byteAt(bytes, at + 1));
  return ((intAt(openEdges, row * 8 + (before >> 5)) >>> (before & 31)) & 1) !== 0;
}
