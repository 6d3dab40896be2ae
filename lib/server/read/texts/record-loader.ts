import { LRUCache } from "lru-cache";
import { type JsonObject, objectField } from "@/lib/core/records/fields";
import { parseJson } from "@/lib/core/records/nesting";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { BlockSource } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { counters } from "../../base/counters";
import { changedError } from "../../base/input-error";
import { decodeUtf8 } from "../decode";
import type { SourceFile } from "../source-file";

/** Bytes per read, so that neighbouring records come from one read. */
const WINDOW_BYTES = 1 << 20;
/**
 * Maximum kept parsed records, measured by their length in the file; the last one is kept whatever its size. Texts are mostly loaded in file order,
 * and long-lived objects are expensive to collect.
 */
const CACHE_BYTES = 1 << 18;

/** Position of a text in its file. */
export type TextSource = Omit<BlockSource, "line">;

interface LoadedRecord {
  readonly record: Readonly<Record<string, unknown>>;
  readonly texts: readonly string[];
}

/**
 * Loads the texts that a transcript holds by reference. Fast in file order, correct in any order, bounded in memory: it holds a window of the file
 * and a few parsed records.
 */
export class RecordLoader {
  readonly #file: SourceFile;
  readonly #reader: Reader;
  readonly #cache = new LRUCache<number, LoadedRecord>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (_value, key) => this.#sizes.get(key) ?? 1,
    dispose: (_value, key) => this.#sizes.delete(key),
  });
  readonly #sizes = new Map<number, number>();
  #window: Uint8Array = new Uint8Array(0);
  #windowStart = 0;
  #last: { offset: number; loaded: LoadedRecord } | undefined;

  constructor(file: SourceFile, reader: Reader) {
    this.#file = file;
    this.#reader = reader;
  }

  /** The block's content. Throws `InputError` "changed" if the file no longer holds it. */
  content(source: TextSource): BlockContent {
    const loaded = this.#record(source);
    const text = loaded.texts[source.part];
    if (text === undefined) throw changedError(this.#file.name);
    return { text, record: loaded.record };
  }

  #record(source: TextSource): LoadedRecord {
    if (this.#last?.offset === source.offset) return this.#last.loaded;
    const loaded = this.#cache.get(source.offset) ?? this.#parse(source);
    this.#last = { offset: source.offset, loaded };
    return loaded;
  }

  #parse(source: TextSource): LoadedRecord {
    counters.recordsLoaded += 1;
    const record = parseRecord(decodeUtf8(this.#bytes(source.offset, source.length)));
    if (record === undefined) throw changedError(this.#file.name);
    const loaded = { record, texts: this.#reader.texts(record) };
    if (source.length <= CACHE_BYTES) {
      this.#sizes.set(source.offset, Math.max(1, source.length));
      this.#cache.set(source.offset, loaded);
    }
    return loaded;
  }

  #bytes(offset: number, length: number): Uint8Array {
    const start = offset - this.#windowStart;
    if (start < 0 || start + length > this.#window.length) {
      const rest = Math.max(0, this.#file.size - offset);
      this.#window = this.#file.read(offset, Math.max(length, Math.min(WINDOW_BYTES, rest)));
      this.#windowStart = offset;
      return this.#window.subarray(0, length);
    }
    return this.#window.subarray(start, start + length);
  }
}

function parseRecord(text: string): JsonObject | undefined {
  try {
    // Only whole objects are records; anything else here means that the file has changed.
    return objectField(parseJson(text));
  } catch {
    // Unparsable content has changed; the caller reports it.
    return undefined;
  }
}
