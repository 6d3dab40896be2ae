/** The export name of a metered module's meter. */
export const METER = "meter";

const SECTION = { globals: 6, exports: 7, code: 10 } as const;
const LOOP = 0x03;
/** The header of a WebAssembly program: magic number and version. */
const PREFIX_BYTES = 8;

/**
 * A WebAssembly program that stops by itself: every iteration of every loop decrements a number, and the program traps at zero. The host sets the
 * number by the exported global `METER`. The format is that of the WebAssembly Core Specification 2.0, chapter 5; vector instructions are not
 * supported. Throws for unsupported content.
 */
export function metered(program: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [program.subarray(0, PREFIX_BYTES)];
  const from = new Cursor(program, PREFIX_BYTES);
  let meter = -1;
  while (!from.isAtEnd) {
    const id = from.byte();
    const content = from.bytes(from.number());
    if (id === SECTION.globals) {
      meter = new Cursor(content).number();
      // A mutable 32-bit number; all bits are set at first, so that the program's own start finishes.
      parts.push(section(id, appended(content, [0x7f, 0x01, 0x41, 0x7f, 0x0b])));
    } else if (id === SECTION.exports) {
      const name = new TextEncoder().encode(METER);
      parts.push(section(id, appended(content, [...unsigned(name.length), ...name, 0x03, ...unsigned(meter)])));
    } else if (id === SECTION.code) parts.push(section(id, meteredCode(content, meter)));
    else parts.push(section(id, content));
  }
  if (meter < 0) throw new Error("a program without globals cannot be metered");
  return joined(parts);
}

/** A vector with one element more. */
function appended(vector: Uint8Array, element: readonly number[]): Uint8Array {
  const from = new Cursor(vector);
  const count = from.number();
  return joined([Uint8Array.from(unsigned(count + 1)), vector.subarray(from.at), Uint8Array.from(element)]);
}

function meteredCode(content: Uint8Array, meter: number): Uint8Array {
  const from = new Cursor(content);
  const count = from.number();
  const parts: Uint8Array[] = [Uint8Array.from(unsigned(count))];
  for (let at = 0; at < count; at++) {
    const body = meteredBody(from.bytes(from.number()), meter);
    parts.push(Uint8Array.from(unsigned(body.length)), body);
  }
  return joined(parts);
}

/** A function's body with a check of the meter at the beginning of every loop. */
function meteredBody(body: Uint8Array, meter: number): Uint8Array {
  const global = unsigned(meter);
  // if (meter == 0) trap; meter -= 1
  const look = [0x23, ...global, 0x45, 0x04, 0x40, 0x00, 0x0b, 0x23, ...global, 0x41, 0x01, 0x6b, 0x24, ...global];
  const from = new Cursor(body);
  for (let kinds = from.number(); kinds > 0; kinds--) {
    from.number();
    from.byte();
  }
  const parts: Uint8Array[] = [];
  let taken = 0;
  while (!from.isAtEnd) {
    const code = from.byte();
    from.operands(code);
    if (code !== LOOP) continue;
    parts.push(body.subarray(taken, from.at), Uint8Array.from(look));
    taken = from.at;
  }
  return joined([...parts, body.subarray(taken)]);
}

/** Operands of an instruction: numbers of variable length. Unlisted instructions have none. */
const NUMBERS: ReadonlyMap<number, number> = new Map([
  ...[0x02, 0x03, 0x04, 0x0c, 0x0d, 0x10, 0xd0, 0xd2].map((code) => [code, 1] as const),
  ...range(0x20, 0x26).map((code) => [code, 1] as const),
  ...range(0x28, 0x3e).map((code) => [code, 2] as const),
  ...[0x3f, 0x40, 0x41, 0x42].map((code) => [code, 1] as const),
  [0x11, 2],
]);
/** The same for instructions after 0xFC. */
const FURTHER_NUMBERS = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1];
const LAST_PLAIN = 0xc4;

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

class Cursor {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw new Error("a program that ends too early");
    return byte;
  }

  bytes(length: number): Uint8Array {
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  /** An unsigned number in LEB128. */
  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  /** Skips the operands of an instruction. */
  operands(code: number): void {
    if (code === 0x43) this.at += 4;
    else if (code === 0x44) this.at += 8;
    else if (code === 0x0e) this.#numbers(this.number() + 1);
    else if (code === 0x1c) this.#numbers(this.number());
    else if (code === 0xfc) this.#numbers(FURTHER_NUMBERS[this.number()] ?? unread(code));
    else this.#numbers(NUMBERS.get(code) ?? (code <= LAST_PLAIN || code === 0xd1 ? 0 : unread(code)));
  }

  #numbers(count: number): void {
    for (let at = 0; at < count; at++) this.number();
  }
}

function unread(code: number): never {
  throw new Error(`an instruction that is not read here: ${code}`);
}

function section(id: number, content: Uint8Array): Uint8Array {
  return joined([Uint8Array.from([id, ...unsigned(content.length)]), content]);
}

/** A number in LEB128. */
function unsigned(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(Math.floor(value / 128))];
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
