import { Readable } from "node:stream";
import { createContext, Script } from "node:vm";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { Decompress } from "fzstd";
import { bytesInWords } from "../base/byte-words";
import { InputError, systemCode } from "../base/input-error";
import { LIMITS } from "../base/limits";
import type { Packing, UnpackingEnd, Utf16 } from "./packing";
import type { SourceFile } from "./source-file";
import type { PackedBytes } from "./unzip";

/** Bytes per decoder step: it may output a great deal for them before it can be stopped. */
const PIECE_BYTES = 16 << 10;
const OUTLINE_WINDOW_BYTES = 1 << 20;

/**
 * Unpacks a file piece by piece into `write`, and returns the outcome. Throws `InputError` if nothing could be unpacked or the limit is exceeded: a
 * few kilobytes can unpack to any number of gigabytes.
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
    case "zip":
      return unzip(file, write, pieceMs);
    case "utf-16le":
    case "utf-16be":
      return recode(file, packing, write);
    default:
      return inflate(file, packing, write);
  }
}

async function unzip(file: SourceFile, write: (bytes: Uint8Array) => void, pieceMs: number): Promise<UnpackingEnd> {
  const { unzipSamples } = await import("./unzip"); // Few files are zip files.
  return unzipSamples(file, write, (bytes, writeBytes) => unzstd(bytes, writeBytes, pieceMs));
}

/** Writes UTF-16 as UTF-8, without the byte order mark. Half a character becomes U+FFFD. */
function recode(file: SourceFile, encoding: Utf16, write: (bytes: Uint8Array) => void): UnpackingEnd {
  const decoder = new TextDecoder(encoding);
  for (const chunk of file.chunks()) write(Buffer.from(decoder.decode(chunk, { stream: true })));
  write(Buffer.from(decoder.decode()));
  return "whole";
}

function tooLarge(name: string, limit: number): InputError {
  return new InputError("too-large", `${name} unpacks to more than the limit of ${bytesInWords(limit)}.`);
}

/** Node's messages for invalid Brotli bytes. */
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

function unzstd(file: PackedBytes, write: (bytes: Uint8Array) => void, pieceMs: number): UnpackingEnd {
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
    // An error of this program that passed through the decoder.
    if (refusal !== undefined) throw refusal;
    const isEnd = error instanceof Error && "code" in error && error.code === UNEXPECTED_END;
    return isEnd ? "cut off" : "damaged";
  }
}

const CALL = new Script("work()");
const CALLED: { work?: () => void } = createContext({});

/** Runs uninterruptible work with a time limit: for damaged bytes the decoder may search the end of a table of codes for ever. Throws after the limit. */
function within(ms: number, work: () => void): void {
  CALLED.work = work;
  CALL.runInContext(CALLED, { timeout: ms });
}

/** Rejects a file that would take too long. It may have any window and any number of blocks, and the decoder moves the whole window once per block. */
function refuseCostly(file: PackedBytes): void {
  const { window, moved } = zstdOutline(windowedRead(file), file.size);
  if (window <= LIMITS.zstdWindowBytes && moved <= LIMITS.zstdMovedBytes) return;
  throw new InputError(
    "unreadable",
    `${file.name} is packed in a way that takes too long to unpack here; unpack it with zstd -d first.`,
  );
}

/** Reads from a window over the file, since the outline needs a few bytes at a time. */
function windowedRead(file: PackedBytes): (offset: number, length: number) => Uint8Array {
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

/** The chunks are copied, since the decoders keep a reference to them. */
function* pieces(file: PackedBytes): Generator<Uint8Array, void, void> {
  for (const chunk of file.chunks(PIECE_BYTES)) yield new Uint8Array(chunk);
}

/** The outline of a Zstandard file: its frames and blocks, without unpacking any. Source: RFC 8878 §3.1. */
interface ZstdOutline {
  /** The largest window that a frame asks for, in bytes. */
  readonly window: number;
  /** Bytes moved by a decoder that shifts its whole window once per block, like the one used here. */
  readonly moved: number;
}

/** Reads bytes of the file; fewer than asked for only at its end. */
type ReadAt = (offset: number, length: number) => Uint8Array;

/** Maximum bytes of a frame's header, and the bytes of a block's header. */
const FRAME_HEADER = 18;
const BLOCK_HEADER = 3;
const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
/** Bytes of the dictionary's id, by its two-bit code. */
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;

/** The outline up to the first damage. */
function zstdOutline(read: ReadAt, size: number): ZstdOutline {
  let window = 0;
  let moved = 0;
  let at = 0;
  while (at < size) {
    const head = read(at, FRAME_HEADER);
    const skipped = skippedBytes(head);
    const frame = skipped === undefined ? frameHeader(head) : undefined;
    if (skipped !== undefined) at += skipped;
    else if (frame === undefined) break;
    else {
      const { end, blocks } = blocksOf(read, at + frame.bytes, size);
      window = Math.max(window, frame.window);
      moved += frame.window * blocks;
      at = end + frame.checksumBytes;
    }
  }
  return { window, moved };
}

function skippedBytes(head: Uint8Array): number | undefined {
  if (head.length < 8) return undefined;
  const view = viewOf(head);
  return (view.getUint32(0, true) & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC ? 8 + view.getUint32(4, true) : undefined;
}

function frameHeader(head: Uint8Array): { bytes: number; window: number; checksumBytes: number } | undefined {
  if (head.length < 6 || viewOf(head).getUint32(0, true) !== FRAME_MAGIC) return undefined;
  const flags = head[4] ?? 0;
  const single = (flags & 0x20) !== 0;
  const sizeFlag = flags >> 6;
  const sizeBytes = sizeFlag === 0 ? Number(single) : 1 << sizeFlag;
  const sizeAt = 5 + Number(!single) + (DICTIONARY_BYTES[flags & 3] ?? 0);
  if (sizeAt + sizeBytes > head.length) return undefined;
  return {
    bytes: sizeAt + sizeBytes,
    window: single ? contentSize(head.subarray(sizeAt, sizeAt + sizeBytes)) : describedWindow(head[5] ?? 0),
    checksumBytes: (flags & 4) === 0 ? 0 : 4,
  };
}

/** Little-endian; a size of two bytes counts from 256. */
function contentSize(bytes: Uint8Array): number {
  const size = bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
  return bytes.length === 2 ? size + 256 : size;
}

/** The descriptor has an exponent of five bits, and three bits for eighths of the resulting power. */
function describedWindow(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function blocksOf(read: ReadAt, start: number, size: number): { end: number; blocks: number } {
  let at = start;
  for (let blocks = 1; ; blocks++) {
    const head = read(at, BLOCK_HEADER);
    if (head.length < BLOCK_HEADER) return { end: size, blocks };
    const bits = (head[0] ?? 0) | ((head[1] ?? 0) << 8) | ((head[2] ?? 0) << 16);
    // A block of one repeated byte holds only that byte.
    at += BLOCK_HEADER + (((bits >> 1) & 3) === 1 ? 1 : bits >> 3);
    if ((bits & 1) === 1 || at >= size) return { end: at, blocks };
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
