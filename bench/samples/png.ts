import { crc32Of } from "./crc32";

/** A picture of coloured rectangles, for a screenshot in a session. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly colours: readonly (readonly [number, number, number])[];
  /** Painted in order: left, top, width, height, index of the colour. */
  readonly boxes: readonly (readonly [number, number, number, number, number])[];
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * The picture as a PNG with a palette. Compressed by our own run-length deflate, because zlib's output differs between
 * builds and the samples must not.
 */
export function encodePng({ width, height, colours, boxes }: Picture): Buffer {
  const rows = Buffer.alloc((width + 1) * height);
  for (const [left, top, boxWidth, boxHeight, colour] of boxes) {
    for (let y = top; y < Math.min(top + boxHeight, height); y++) {
      const from = y * (width + 1) + 1 + left;
      rows.fill(colour, from, from + Math.min(boxWidth, width - left));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(colours.flat())),
    chunk("IDAT", zlibOf(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32Of(body), body.length + 4);
  return framed;
}

/** RFC 1950 around one block with the fixed codes of RFC 1951, §3.2.6. */
function zlibOf(data: Buffer): Buffer {
  const bits = new BitWriter();
  bits.bits(0b011, 3);
  for (let at = 0; at < data.length; ) {
    const byte = data[at] ?? 0;
    let run = 1;
    while (run < 259 && data[at + run] === byte) run += 1;
    literal(bits, byte);
    if (run > 3) repeat(bits, run - 1);
    at += run > 3 ? run : 1;
  }
  bits.reversed(0, 7);
  const body = bits.bytes();
  const whole = Buffer.alloc(body.length + 6);
  whole.set([0x78, 0x01]);
  whole.set(body, 2);
  whole.writeUInt32BE(adler32(data), body.length + 2);
  return whole;
}

function literal(bits: BitWriter, byte: number): void {
  if (byte < 144) bits.reversed(0x30 + byte, 8);
  else bits.reversed(0x190 + byte - 144, 9);
}

/** Base length and extra bits of the length codes from 257 on. */
const LENGTHS: readonly (readonly [number, number])[] = [
  ...[3, 4, 5, 6, 7, 8, 9, 10].map((base) => [base, 0] as const),
  ...[11, 13, 15, 17].map((base) => [base, 1] as const),
  ...[19, 23, 27, 31].map((base) => [base, 2] as const),
  ...[35, 43, 51, 59].map((base) => [base, 3] as const),
  ...[67, 83, 99, 115].map((base) => [base, 4] as const),
  ...[131, 163, 195, 227].map((base) => [base, 5] as const),
  [258, 0],
];

/** The last byte once more, so many times: a length code, and the distance 1. */
function repeat(bits: BitWriter, times: number): void {
  const index = LENGTHS.findLastIndex(([base]) => base <= times);
  const [base, extra] = LENGTHS[index] ?? [times, 0];
  const code = 257 + index;
  if (code < 280) bits.reversed(code - 256, 7);
  else bits.reversed(0xc0 + code - 280, 8);
  bits.bits(times - base, extra);
  bits.reversed(0, 5);
}

class BitWriter {
  readonly #bytes: number[] = [];
  #byte = 0;
  #filled = 0;

  /** Numbers: least significant bit first. */
  bits(value: number, count: number): void {
    for (let i = 0; i < count; i++) this.#bit((value >> i) & 1);
  }

  /** Codes: most significant bit first. */
  reversed(value: number, count: number): void {
    for (let i = count - 1; i >= 0; i--) this.#bit((value >> i) & 1);
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#filled > 0 ? [...this.#bytes, this.#byte] : this.#bytes);
  }

  #bit(bit: number): void {
    this.#byte |= bit << this.#filled;
    this.#filled += 1;
    if (this.#filled < 8) return;
    this.#bytes.push(this.#byte);
    this.#byte = 0;
    this.#filled = 0;
  }
}

function adler32(data: Buffer): number {
  let low = 1;
  let high = 0;
  for (const byte of data) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return high * 65_536 + low;
}
