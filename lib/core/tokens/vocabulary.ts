/**
 * Tokens of an encoding by their bytes. A token's id is its rank: the order in which training merged the pairs. Lookups use a polynomial hash,
 * because the hash of a part follows from those of two prefixes, so a merge looks up a pair without reading its bytes. The bytes of a hit are then
 * compared.
 */
import { assert } from "../base/assert";
import { byteAt, intAt, powerOfTwo } from "./arrays";
import { type ClosedCharacters, findClosedCharacters } from "./closed-characters";
import { extendHash, LONGEST_HASHED } from "./hash";

/** Tables in the format of js-tiktoken's ranks: the split pattern, and lines of `! <first id> <token> <token> …` with the tokens' bytes in base64. */
export interface BpeTable {
  readonly pat_str: string;
  readonly bpe_ranks: string;
}

export interface Vocabulary {
  readonly size: number;
  /** Bytes of all tokens in sequence, and the start of each. */
  readonly bytes: Uint8Array;
  readonly offsets: Int32Array;
  readonly longest: number;
  /** Hash table with open addressing: pairs of hash and id + 1; 0 if empty. */
  readonly slots: Int32Array;
  /** One bit per token, chosen by its hash. It rejects most strings that are not tokens, in memory small enough for the processor's cache. */
  readonly filter: Int32Array;
  /** Ids of the two-byte tokens by those bytes, the most frequent lookups of merges. ABSENT if there is none. */
  readonly pairs: Int32Array;
  readonly characters: ClosedCharacters;
}

/** Not a token. It is above every id, so that the minimum of several ids needs no extra test. */
export const ABSENT = 0x7fffffff;

const FILTER_WORDS = 2 ** 16;
const BLANK = 0x20;
const EQUALS = 0x3d;

const SEXTETS = new Uint8Array(128);
for (let i = 0; i < 64; i++) {
  SEXTETS["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".charCodeAt(i)] = i;
}

/** Reads a table. Throws if its ids have gaps, or if a byte is not a token, since some text could then not be encoded. */
export function readVocabulary(ranks: string): Vocabulary {
  const tokens = readTokens(ranks);
  const size = tokens.offsets.length - 1;
  const table = {
    ...tokens,
    size,
    slots: new Int32Array(powerOfTwo(size * 2.5) * 2),
    filter: new Int32Array(FILTER_WORDS),
    pairs: new Int32Array(0x10000).fill(ABSENT),
  };
  for (let id = 0; id < size; id++) insert(table, id);
  const vocabulary = { ...table, longest: longestOf(tokens.offsets), characters: findClosedCharacters(table) };
  for (let byte = 0; byte < 256; byte++) {
    const id = findToken(vocabulary, Uint8Array.of(byte), 0, 1, extendHash(0, byte));
    assert(id !== ABSENT, `a token for byte ${byte}`);
  }
  return vocabulary;
}

function readTokens(ranks: string): Pick<Vocabulary, "bytes" | "offsets"> {
  const bytes = new Uint8Array(Math.ceil((ranks.length * 3) / 4));
  const offsets: number[] = [0];
  let length = 0;
  for (const line of ranks.split("\n")) {
    if (line === "") continue;
    const header = /^\S* (\d+)/.exec(line);
    assert(Number(header?.[1]) === offsets.length - 1, `a line of ranks that continues with ${offsets.length - 1}`);
    for (let at = header?.[0].length ?? 0; at < line.length; ) {
      const end = tokenEnd(line, at + 1);
      length = decodeBase64(line, at + 1, end, bytes, length);
      offsets.push(length);
      at = end;
    }
  }
  return { bytes: bytes.slice(0, length), offsets: Int32Array.from(offsets) };
}

function tokenEnd(line: string, start: number): number {
  let i = start;
  while (i < line.length && line.charCodeAt(i) !== BLANK) i++;
  return i;
}

/** Writes the decoded bytes at `to` and returns their end. */
function decodeBase64(text: string, start: number, end: number, into: Uint8Array, to: number): number {
  let bits = 0;
  let count = 0;
  let length = to;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit === EQUALS) break;
    bits = (bits << 6) | byteAt(SEXTETS, unit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      into[length++] = bits >> count;
    }
  }
  return length;
}

function longestOf(offsets: Int32Array): number {
  let longest = 0;
  for (let i = 1; i < offsets.length; i++) longest = Math.max(longest, intAt(offsets, i) - intAt(offsets, i - 1));
  assert(longest <= LONGEST_HASHED, `tokens of at most ${LONGEST_HASHED} bytes`);
  return longest;
}

function insert(
  { bytes, offsets, slots, filter, pairs }: Omit<Vocabulary, "longest" | "characters">,
  id: number,
): void {
  const start = intAt(offsets, id);
  const end = intAt(offsets, id + 1);
  let hash = 0;
  for (let i = start; i < end; i++) hash = extendHash(hash, byteAt(bytes, i));
  if (end - start === 2) pairs[(byteAt(bytes, start) << 8) | byteAt(bytes, start + 1)] = id;
  const mixed = mix(hash);
  const word = (mixed >>> 5) & (filter.length - 1);
  filter[word] = intAt(filter, word) | (1 << (mixed & 31));
  let slot = (mixed << 1) & (slots.length - 1);
  while (slots[slot + 1] !== 0) slot = (slot + 2) & (slots.length - 1);
  slots[slot] = hash;
  slots[slot + 1] = id + 1;
}

function mix(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}

/** Id of the two-byte token at `at`; ABSENT if there is none. */
export function rankOfPair({ pairs }: Vocabulary, bytes: Uint8Array, at: number): number {
  return intAt(pairs, (byteAt(bytes, at) << 8) | byteAt(bytes, at + 1));
}

/** Id of the token with the bytes from `start` to `end` and the hash `hash`; ABSENT if there is none. */
export function findToken(vocabulary: Vocabulary, bytes: Uint8Array, start: number, end: number, hash: number): number {
  const { slots, filter } = vocabulary;
  const mixed = mix(hash);
  if (((intAt(filter, (mixed >>> 5) & (filter.length - 1)) >>> (mixed & 31)) & 1) === 0) return ABSENT;
  let slot = (mixed << 1) & (slots.length - 1);
  for (;;) {
    const id = intAt(slots, slot + 1) - 1;
    if (id < 0) return ABSENT;
    if (intAt(slots, slot) === hash && isToken(vocabulary, id, bytes, start, end)) return id;
    slot = (slot + 2) & (slots.length - 1);
  }
}

function isToken(vocabulary: Vocabulary, id: number, bytes: Uint8Array, start: number, end: number): boolean {
  const offset = intAt(vocabulary.offsets, id);
  if (intAt(vocabulary.offsets, id + 1) - offset !== end - start) return false;
  const tokens = vocabulary.bytes;
  for (let i = start; i < end; i++) if (byteAt(tokens, offset + i - start) !== byteAt(bytes, i)) return false;
  return true;
}
