import type { Bytes, Chars, Tokens } from "./units";

/** ceil(UTF-8 bytes / 4). Source: docs/interfaces.md, "Ids". */
export function bytesOverFour(bytes: Bytes): Tokens {
  return Math.ceil(bytes / 4);
}

/** ceil(UTF-16 units / 4). Source: docs/interfaces.md, "Ids". */
export function charsOverFour(chars: Chars): Tokens {
  return Math.ceil(chars / 4);
}

/** UTF-8 length of a text; a lone surrogate is three bytes (U+FFFD), as every UTF-8 encoder here writes it. */
export function utf8Length(text: string): Bytes {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (isPairAt(text, i, unit)) {
      bytes += 2;
      i += 1;
    } else bytes += 2;
  }
  return bytes;
}

function isPairAt(text: string, index: number, unit: number): boolean {
  if (unit < 0xd800 || unit > 0xdbff || index + 1 >= text.length) return false;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}
