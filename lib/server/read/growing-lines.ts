import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { InputError } from "../base/input-error";
import { type FeedOptions, LineReading, mayBeDocument } from "./feed";
import type { Intake } from "./intake";
import type { SourceFile } from "./source-file";

/** A file counts as grown if this many bytes at both ends of its known part are unchanged. */
const EDGE_BYTES = 4096;

/** The known part of a file, and its identification. */
interface Continued {
  readonly reading: LineReading;
  readonly inode: string;
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/** The current lines of a file. */
interface LinesRead {
  readonly transcript: Transcript;
  readonly reader: Reader;
  /** True if only new bytes were read. */
  readonly readOn: boolean;
  /** State that continues as the file grows; a new one if the file is read from its start again. */
  readonly reading: object;
}

/**
 * The lines of a growing file: every call passes on the new ones. The lines start again from the first, with a new intake, if the file was replaced
 * or rewritten, or if its last line was already taken as a record and then continued.
 */
export class GrowingLines {
  readonly #options: FeedOptions;
  readonly #newIntake: (name: string) => Intake;
  #continued: Continued | undefined;

  /** @param newIntake makes the intake of all lines from the first one */
  constructor(options: FeedOptions, newIntake: (name: string) => Intake) {
    this.#options = options;
    this.#newIntake = newIntake;
  }

  /**
   * Reads to the file's end. `undefined` if it does not consist of lines that may grow (documents, packed files), or if it shrank in the meantime:
   * then it has to be read whole. Throws `InputError`.
   * @param beingWritten true if the file is known to grow: an incomplete record at its end is then being written, not damaged
   */
  read(file: SourceFile, beingWritten: boolean): LinesRead | undefined {
    const continued = this.#continued;
    this.#continued = undefined;
    // A document's end may change the meaning of its beginning.
    if (file.isPacked || mayBeDocument(file, this.#options.name)) return undefined;
    if (continued !== undefined && continues(continued, file)) {
      const read = this.#readOn(continued.reading, file, beingWritten);
      if (read !== undefined) return { ...read, readOn: true };
    }
    const read = this.#readOn(this.#newReading(file), file, beingWritten);
    return read === undefined ? undefined : { ...read, readOn: false };
  }

  #newReading(file: SourceFile): LineReading {
    const { name = file.name, maxLineBytes } = this.#options;
    if (file.size === 0) throw new InputError("empty", `${name} is empty.`);
    return new LineReading(this.#newIntake(name), name, maxLineBytes);
  }

  /** Reads to the file's end; `undefined` if the known part is no longer valid. */
  #readOn(reading: LineReading, file: SourceFile, beingWritten: boolean): Omit<LinesRead, "readOn"> | undefined {
    for (const chunk of file.chunks(this.#options.chunkBytes, reading.bytes)) reading.push(chunk);
    if (reading.bytes < file.size) return undefined;
    const soFar = reading.soFar(beingWritten);
    if (reading.torn) return undefined;
    this.#continued = { reading, inode: file.inode, ...edgesOf(file, file.size) };
    return { ...soFar, reading };
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
