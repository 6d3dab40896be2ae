/** The part of Node's `Buffer` that reading files uses, as a typed array: Node's own is one too. */
const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });
/** Windows' Latin 1, which differs beyond ASCII: only the ASCII of such texts is read. */
const LATIN1 = new TextDecoder("latin1");
const ENCODER = new TextEncoder();

export class Buffer extends Uint8Array {
  static allocUnsafe(length: number): Buffer {
    return new Buffer(length);
  }
  static isBuffer(value: unknown): value is Buffer {
    return value instanceof Buffer;
  }
  static byteLength(text: string): number {
    let bytes = text.length;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit < 0x80) continue;
      if (unit < 0x800) bytes += 1;
      else if (unit >= 0xd800 && unit <= 0xdbff && isLow(text.charCodeAt(at + 1))) {
        bytes += 2;
        at += 1;
      } else bytes += 2;
    }
    return bytes;
  }
  static compare(one: Uint8Array, other: Uint8Array): number {
    for (let at = 0; at < Math.min(one.length, other.length); at++) {
      const difference = (one[at] ?? 0) - (other[at] ?? 0);
      if (difference !== 0) return Math.sign(difference);
    }
    return Math.sign(one.length - other.length);
  }
  static concat(parts: readonly Uint8Array[], length = parts.reduce((sum, part) => sum + part.length, 0)): Buffer {
    const whole = new Buffer(length);
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }
  equals(other: Uint8Array): boolean {
    return Buffer.compare(this, other) === 0;
  }
  override toString(encoding: string = "utf8", from = 0, to = this.length): string {
    return (encoding === "latin1" ? LATIN1 : UTF8).decode(
      from === 0 && to === this.length ? this : this.subarray(from, to),
    );
  }
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** `Buffer.from` also takes texts, which a plain typed array's `from` does not. */
Object.assign(Buffer, {
  from(value: string | ArrayBuffer | Uint8Array, offset?: number, length?: number): Buffer {
    if (typeof value === "string") {
      const bytes = ENCODER.encode(value);
      return new Buffer(bytes.buffer, 0, bytes.length);
    }
    if (value instanceof ArrayBuffer)
      return new Buffer(value, typeof offset === "number" ? offset : 0, length ?? value.byteLength);
    const copy = new Buffer(value.length);
    copy.set(value);
    return copy;
  },
});

export function isAscii(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if ((bytes[at] ?? 0) > 0x7f) return false;
  return true;
}
