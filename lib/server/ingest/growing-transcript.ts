import { sniffReader } from "@/lib/agents/readers";
import { counters } from "../counters";
import { mayBeDocument, newBuilder } from "./feed";
import { InputError } from "./input-error";
import { Intake } from "./intake";
import { LineReading } from "./line-reading";
import { type ReadFile, type ReadOptions, readSource } from "./read-transcript";
import type { SourceFile } from "./source-file";

/** Bytes at both ends of what was read that must be the same for a file to count as grown. */
const EDGE_BYTES = 4096;

/** What was read of a file, and by what it is recognised as the same. */
interface Continued {
  readonly reading: LineReading;
  readonly inode: string;
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/**
 * The transcript of a file that is still being written: every call gives exactly what reading the file from the start
 * would give, but reads only what was added since the last one. Read from the start again: documents, packed files, files
 * that were replaced or rewritten, and those whose last line was a record and has gone on behind it.
 */
export class GrowingTranscript {
  readonly #options: ReadOptions;
  #continued: Continued | undefined;

  constructor(options: ReadOptions = {}) {
    this.#options = options;
  }

  /**
   * The file as it is now. Throws `InputError`.
   * @param beingWritten whether it is known to grow: a record that breaks off at its end is then being written, not damaged
   */
  read(file: SourceFile, beingWritten = false): ReadFile {
    const continued = this.#continued;
    this.#continued = undefined;
    // A document's end may change what its beginning means.
    if (file.isPacked || mayBeDocument(file, this.#options.name)) return readSource(file, this.#options);
    if (continued !== undefined && continues(continued, file)) {
      counters.tailsRead += 1;
      const read = this.#readOn(continued.reading, file, beingWritten);
      if (read !== undefined) return read;
    }
    counters.filesParsed += 1;
    const read = this.#readOn(this.#anew(file), file, beingWritten);
    // The file shrank while it was read: said by the reading that need not go on.
    return read ?? readSource(file, this.#options);
  }

  #anew(file: SourceFile): LineReading {
    const name = this.#options.name ?? file.name;
    if (file.size === 0) throw new InputError("empty", `${name} is empty.`);
    const { maxLineBytes, sniffRecords } = this.#options;
    return new LineReading(new Intake(newBuilder(), name, sniffReader, sniffRecords), name, maxLineBytes);
  }

  /** Reads to the file's end; `undefined` where what was read before does not hold any more. */
  #readOn(reading: LineReading, file: SourceFile, beingWritten: boolean): ReadFile | undefined {
    const from = reading.bytes;
    for (const chunk of file.chunks(this.#options.chunkBytes, from)) reading.push(chunk);
    if (reading.bytes < file.size) return undefined;
    const soFar = reading.soFar(beingWritten);
    if (reading.torn) return undefined;
    this.#continued = { reading, inode: file.inode, ...edgesOf(file, file.size) };
    return { ...soFar, version: file.version };
  }
}

function continues({ reading, inode, head, tail }: Continued, file: SourceFile): boolean {
  if (inode !== file.inode || file.size < reading.bytes) return false;
  const edges = edgesOf(file, reading.bytes);
  return Buffer.compare(edges.head, head) === 0 && Buffer.compare(edges.tail, tail) === 0;
}

function edgesOf(file: SourceFile, bytes: number): Pick<Continued, "head" | "tail"> {
  const length = Math.min(bytes, EDGE_BYTES);
  return { head: file.read(0, length), tail: file.read(bytes - length, length) };
}
