import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Chars, Tokens } from "@/lib/core/base/units";
import { bpeOf, type Encoding } from "./tables";

/** Counts texts by one encoding, and caches recent counts. */
export interface TokenCounter {
  count(text: string): Tokens;
  /** The work so far: `texts` were requested, `hits` of them were cached; `counted` went through the encoding, with `chars` UTF-16 units. */
  readonly stats: Readonly<CounterStats>;
}

interface CounterStats {
  texts: number;
  hits: number;
  counted: number;
  chars: Chars;
}

/** Maximum cached texts of a counter: some 10 MB at most. */
const REMEMBERED = 50_000;
/** A text up to this length is its own key; a longer text is identified by a hash. */
const OWN_KEY_CHARS = 64;

/** A counter with an empty memory. The whole process shares the encoding's table. */
export function createTokenCounter(encoding: Encoding): TokenCounter {
  const known = new LRUCache<string, number>({ max: REMEMBERED });
  const stats: CounterStats = { texts: 0, hits: 0, counted: 0, chars: 0 };
  return { count: (text) => countOnce(text, known, stats, encoding), stats };
}

function countOnce(text: string, known: LRUCache<string, number>, stats: CounterStats, encoding: Encoding): Tokens {
  stats.texts++;
  const long = text.length > OWN_KEY_CHARS;
  const key = long ? digest(text) : text;
  const hit = known.get(key);
  if (hit !== undefined) {
    stats.hits++;
    return hit;
  }
  const tokens = bpeOf(encoding).count(text);
  stats.counted++;
  stats.chars += text.length;
  known.set(long ? key : detached(text), tokens);
  return tokens;
}

/** Texts that differ only in lone surrogates share a digest, and a count, since each surrogate is encoded as U+FFFD. */
function digest(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("base64");
}

/** A copy: as a key, a slice of a file's text would keep all of that text in memory. */
function detached(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
