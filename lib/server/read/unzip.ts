import { Readable } from "node:stream";
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";
import { InputError, isInputError } from "../base/input-error";
import type { UnpackingEnd } from "./packing";
import type { SourceFile } from "./source-file";

/** Bytes that are packed, in a file or a part of it. */
export type PackedBytes = Pick<SourceFile, "name" | "size" | "read" | "chunks">;

type Write = (bytes: Uint8Array) => void;

/** Bytes read at once. */
const PIECE_BYTES = 16 << 10;

/** Compression methods. Source: PKWARE's APPNOTE 6.3.10, 4.4.5. */
const STORED = 0;
const DEFLATED = 8;
const ZSTANDARD = 93;

/** The samples of an evaluation log. Source: UKGovernmentBEIS/inspect_ai, src/inspect_ai/log/_recorders/eval.py. */
const SAMPLE = /^samples\/.+\.json$/;

/** By the numbers in names: the sample 10 comes after 9. */
const inOrder = new Intl.Collator("en", { numeric: true });

/**
 * Writes the samples of an evaluation log, a zip file (`.eval`), as lines in the order of their names. Throws `InputError` for other zip files, and for
 * entries that cannot be unpacked.
 * @param unzstd unpacks Zstandard
 */
export async function unzipSamples(
  file: PackedBytes,
  write: Write,
  unzstd: (bytes: PackedBytes, write: Write) => UnpackingEnd,
): Promise<UnpackingEnd> {
  const zip = await opened(file);
  const samples = await samplesOf(zip, file.name);
  if (samples.length === 0)
    throw new InputError("binary", `${file.name} is a zip file without samples of an Inspect log, not a transcript.`);
  let end: UnpackingEnd = "whole";
  for (const entry of samples) {
    const { compressionMethod: method, compressedSize } = entry;
    if (entry.isEncrypted() || ![STORED, DEFLATED, ZSTANDARD].includes(method))
      throw new InputError(
        "unreadable",
        `${file.name} is a zip file whose entries are ${entry.isEncrypted() ? "encrypted" : `packed by method ${method}`}; only stored, deflated and Zstandard ones are read.`,
      );
    try {
      if (method === ZSTANDARD) {
        const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
        if (unzstd(partOf(file, fileDataStart, compressedSize), asLine(write)) !== "whole") end = "damaged";
      } else for await (const bytes of await zip.openReadStreamPromise(entry)) asLine(write)(bytes);
    } catch (error) {
      if (isInputError(error)) throw error;
      end = "damaged"; // The entry's bytes do not match the directory; the other entries are still read.
    }
    write(LINE_END);
  }
  return end;
}

const LINE_END = Uint8Array.of(0x0a);

/** Replaces the line breaks of JSON, which occur only between values: strings escape theirs. */
function asLine(write: Write): Write {
  return (bytes) => write(bytes.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte)));
}

async function opened(file: PackedBytes): Promise<ZipFile> {
  try {
    return await fromRandomAccessReaderPromise(new FileReader(file), file.size, { autoClose: false });
  } catch {
    throw unreadable(file.name);
  }
}

async function samplesOf(zip: ZipFile, name: string): Promise<readonly Entry[]> {
  const samples: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) if (SAMPLE.test(entry.fileName)) samples.push(entry);
    return samples.sort((a, b) => inOrder.compare(a.fileName, b.fileName));
  } catch {
    throw unreadable(name);
  }
}

function unreadable(name: string): InputError {
  return new InputError(
    "unreadable",
    `${name} is a zip file that is cut off or damaged: its list of files cannot be read.`,
  );
}

class FileReader extends RandomAccessReader {
  readonly #file: PackedBytes;

  constructor(file: PackedBytes) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(partOf(this.#file, start, end - start).chunks(), { objectMode: false });
  }
}

function partOf(file: PackedBytes, start: number, size: number): PackedBytes {
  const read = (offset: number, length: number) =>
    file.read(start + offset, Math.max(0, Math.min(length, size - offset)));
  return {
    name: file.name,
    size,
    read,
    *chunks(chunkBytes = PIECE_BYTES) {
      for (let at = 0; at < size; ) {
        const bytes = Buffer.from(read(at, chunkBytes));
        if (bytes.length === 0) return;
        at += bytes.length;
        yield bytes;
      }
    },
  };
}
