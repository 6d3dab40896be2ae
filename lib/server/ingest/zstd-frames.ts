/** The outline of a Zstandard file: its frames and blocks, without unpacking any. Source: RFC 8878 §3.1. */
export interface ZstdOutline {
  /** The largest window that a frame asks for, in bytes. */
  readonly window: number;
  /** How many bytes are moved by a decoder that shifts its whole window once per block, as ours does. */
  readonly moved: number;
}

/** Reads bytes of the file; fewer than asked for only at its end. */
type ReadAt = (offset: number, length: number) => Uint8Array;

/** The most bytes of a frame's header, and the bytes of a block's header. */
const FRAME_HEADER = 18;
const BLOCK_HEADER = 3;
const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
/** How many bytes the dictionary's id takes, by the two bits that tell it. */
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;

/** The outline, as far as the file is sound: what comes after damage is not looked at. */
export function zstdOutline(read: ReadAt, size: number): ZstdOutline {
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
