import { Readable } from "node:stream";
import { createContext, Script } from "node:vm";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { Decompress } from "fzstd";
import { inWords } from "../byte-words";
import { InputError, systemCode } from "./input-error";
import { LIMITS } from "./limits";
import type { Packing, UnpackingEnd, Utf16 } from "./packing";
import type { SourceFile } from "./source-file";
import { zstdOutline } from "./zstd-frames";

/** How many bytes the decoder gets at once: it may output a great deal for them before we can stop it. */
const PIECE_BYTES = 16 << 10;
const OUTLINE_WINDOW_BYTES = 1 << 20;

/**
 * Unpacks a file piece by piece into `write`, and returns how it ended. Throws `InputError` where nothing could be unpacked or the limit is exceeded:
 * a few kilobytes can stand for any number of gigabytes.
 */
export async function unpack(
  file: SourceFile,
  packing: Packing,
  write: (bytes: Uint8Array) => void,
  limit: number = LIMITS.unpackedBytes,
  pieceMs: number = LIMITS.zstdPieceMs,
): Promise<UnpackingEnd> {
  let unpacked = 0;
  const limited = (bytes: Uint8Array) => {
    unpacked += bytes.length;
    if (unpacked > limit) throw tooLarge(file.name, limit);
    write(bytes);
  };
  const end = await unpackInto(limited, file, packing, pieceMs);
  if (unpacked === 0 && end !== "whole") {
    throw new InputError(
      "unreadable",
      `${file.name} is a ${packing} file that is ${end}: nothing of it can be unpacked.`,
    );
  }
  return end;
}

function unpackInto(
  write: (bytes: Uint8Array) => void,
  file: SourceFile,
  packing: Packing,
  pieceMs: number,
): UnpackingEnd | Promise<UnpackingEnd> {
  switch (packing) {
    case "zstd":
      return unzstd(file, write, pieceMs);
    case "utf-16le":
    case "utf-16be":
      return recode(file, packing, write);
    default:
      return inflate(file, packing, write);
  }
}

/** Writes UTF-16 as UTF-8, without the byte order mark. Half of a character reads as U+FFFD. */
function recode(file: SourceFile, encoding: Utf16, write: (bytes: Uint8Array) => void): UnpackingEnd {
  const decoder = new TextDecoder(encoding);
  for (const chunk of file.chunks()) write(Buffer.from(decoder.decode(chunk, { stream: true })));
  write(Buffer.from(decoder.decode()));
  return "whole";
}

function tooLarge(name: string, limit: number): InputError {
  return new InputError("too-large", `${name} unpacks to more than the limit of ${inWords(limit)}.`);
}

/** What Node says of Brotli's bytes that cannot be. */
const BROTLI_DAMAGED = /^ERR__ERROR_FORMAT/;

async function inflate(
  file: SourceFile,
  packing: "gzip" | "brotli",
  write: (bytes: Uint8Array) => void,
): Promise<UnpackingEnd> {
  const unpacked = Readable.from(pieces(file)).pipe(packing === "gzip" ? createGunzip() : createBrotliDecompress());
  try {
    for await (const bytes of unpacked) write(bytes);
    return "whole";
  } catch (error) {
    const code = systemCode(error) ?? "";
    if (code === "Z_BUF_ERROR") return "cut off";
    if (code === "Z_DATA_ERROR" || BROTLI_DAMAGED.test(code)) return "damaged";
    throw error;
  }
}

/** The decoder's error codes are numbers; this one means that the file ends too early. */
const UNEXPECTED_END = 5;

function unzstd(file: SourceFile, write: (bytes: Uint8Array) => void, pieceMs: number): UnpackingEnd {
  refuseCostly(file);
  let refusal: unknown;
  const decoder = new Decompress((bytes) => {
    try {
      write(bytes);
    } catch (error) {
      refusal = error;
      throw error;
    }
  });
  try {
    for (const piece of pieces(file)) within(pieceMs, () => decoder.push(piece));
    within(pieceMs, () => decoder.push(new Uint8Array(0), true));
    return "whole";
  } catch (error) {
    // This is not the decoder's error, but ours, which came through it.
    if (refusal !== undefined) throw refusal;
    const isEnd = error instanceof Error && "code" in error && error.code === UNEXPECTED_END;
    return isEnd ? "cut off" : "damaged";
  }
}

const CALL = new Script("work()");
const CALLED: { work?: () => void } = createContext({});

/** Does work that nothing else can end: in damaged bytes the decoder may look for the end of a table of codes for ever. Throws if it takes longer. */
function within(ms: number, work: () => void): void {
  CALLED.work = work;
  CALL.runInContext(CALLED, { timeout: ms });
}

/**
 * Refuses a file that would take too long. It may ask for any window and have any number of blocks, and the decoder moves the whole window once per
 * block.
 */
function refuseCostly(file: SourceFile): void {
  const { window, moved } = zstdOutline(windowedRead(file), file.size);
  if (window <= LIMITS.zstdWindowBytes && moved <= LIMITS.zstdMovedBytes) return;
  throw new InputError(
    "unreadable",
    `${file.name} is packed in a way that takes too long to unpack here; unpack it with zstd -d first.`,
  );
}

/** Reads from a window over the file, since the outline asks for a few bytes at a time. */
function windowedRead(file: SourceFile): (offset: number, length: number) => Uint8Array {
  let start = 0;
  let window: Uint8Array = new Uint8Array(0);
  return (offset, length) => {
    if (offset < start || offset + length > start + window.length) {
      start = offset;
      window = file.read(offset, OUTLINE_WINDOW_BYTES);
    }
    return window.subarray(offset - start, offset - start + length);
  };
}

/** The chunks are copied, since the decoders keep what they are given. */
function* pieces(file: SourceFile): Generator<Uint8Array, void, void> {
  for (const chunk of file.chunks(PIECE_BYTES)) yield new Uint8Array(chunk);
}
