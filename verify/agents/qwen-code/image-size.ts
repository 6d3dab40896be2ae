/** Sizes of pictures from their headers, as Qwen Code 0.12.0 reads them. Source: README.md, "Whole requests". */

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The size that is assumed for a picture whose header cannot be read. */
const UNKNOWN_SIZE: ImageSize = { width: 512, height: 512 };

type HeaderReader = (view: DataView) => ImageSize | undefined;

/** Types whose header is read; any other type, gif among them, has an unknown size. */
const HEADERS: Readonly<Record<string, HeaderReader>> = {
  "image/png": pngSize,
  "image/jpeg": jpegSize,
  "image/jpg": jpegSize,
  "image/webp": webpSize,
  "image/bmp": bmpSize,
  "image/tiff": tiffSize,
  "image/heic": heicSize,
};

/** Width and height of a picture given as base64, with or without the prefix of a data URL. */
export function imageSize(base64: string, mimeType: string): ImageSize {
  const read = Object.hasOwn(HEADERS, mimeType) ? HEADERS[mimeType] : undefined;
  if (read === undefined) return UNKNOWN_SIZE;
  const bytes = bytesOfBase64(base64.replace(/^data:[^;]+;base64,/, ""));
  try {
    return read(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)) ?? UNKNOWN_SIZE;
  } catch {
    // The header points beyond the end of the file, so the size cannot be read.
    return UNKNOWN_SIZE;
  }
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Map<string, number>([
  ...[...ALPHABET].map((char, value) => [char, value] as const),
  ["-", 62],
  ["_", 63],
]);

/** Decodes as leniently as the program: foreign characters are skipped, and the first `=` ends the data. */
function bytesOfBase64(text: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const char of text) {
    if (char === "=") break;
    const value = VALUES.get(char);
    if (value === undefined) continue;
    bits = ((bits << 6) | value) & 0xfff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push((bits >> held) & 0xff);
  }
  return Uint8Array.from(bytes);
}

function ascii(view: DataView, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(view.getUint8(at));
  return text;
}

function pngSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 24 || ascii(view, 0, 8) !== "\x89PNG\r\n\x1a\n") return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function jpegSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  let offset = 2;
  while (offset < view.byteLength - 8) {
    if (view.getUint8(offset) !== 0xff) offset += 1;
    else if (isFrameMarker(view.getUint8(offset + 1))) {
      return { width: view.getUint16(offset + 7), height: view.getUint16(offset + 5) };
    } else offset += 2 + view.getUint16(offset + 2);
  }
  return undefined;
}

/** C4, C8 and CC lie in the range of the frame markers, but mark tables or are reserved. */
function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function webpSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 30 || ascii(view, 0, 4) !== "RIFF" || ascii(view, 8, 12) !== "WEBP") return undefined;
  switch (ascii(view, 12, 16)) {
    case "VP8 ":
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      // The program reads the height one byte before the place that the format gives; this follows 0.12.0.
      return { width: (view.getUint32(24, true) & 0xffffff) + 1, height: (view.getUint32(26, true) & 0xffffff) + 1 };
    default:
      return undefined;
  }
}

function bmpSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 26 || ascii(view, 0, 2) !== "BM") return undefined;
  return { width: view.getUint32(18, true), height: view.getUint32(22, true) };
}

const TIFF_WIDTH = 256;
const TIFF_HEIGHT = 257;

function tiffSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 8) return undefined;
  const order = ascii(view, 0, 2);
  const little = order === "II";
  if ((!little && order !== "MM") || view.getUint16(2, little) !== 42) return undefined;
  const directory = view.getUint32(4, little);
  if (directory >= view.byteLength) return undefined;
  let width = 0;
  let height = 0;
  const entries = view.getUint16(directory, little);
  for (let index = 0; index < entries && !(width > 0 && height > 0); index++) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > view.byteLength) break;
    const tag = view.getUint16(entry, little);
    if (tag === TIFF_WIDTH) width = view.getUint32(entry + 8, little);
    else if (tag === TIFF_HEIGHT) height = view.getUint32(entry + 8, little);
  }
  return width === 0 || height === 0 ? undefined : { width, height };
}

const HEIC_BRANDS = new Set(["heic", "heix", "hevc", "hevx"]);

function heicSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 12 || ascii(view, 4, 8) !== "ftyp" || !HEIC_BRANDS.has(ascii(view, 8, 12))) return undefined;
  let offset = 0;
  while (offset < view.byteLength - 8) {
    const size = view.getUint32(offset);
    const found = ascii(view, offset + 4, offset + 8) === "meta" ? extentsWithin(view, offset, size) : undefined;
    if (found !== undefined) return found;
    if (size === 0) break;
    offset += size;
  }
  return undefined;
}

/** The size in the first `ispe` box directly inside a `meta` box. */
function extentsWithin(view: DataView, meta: number, size: number): ImageSize | undefined {
  let box = meta + 12;
  while (box < meta + size - 8) {
    const boxSize = view.getUint32(box);
    if (ascii(view, box + 4, box + 8) === "ispe" && box + 20 <= view.byteLength) {
      return { width: view.getUint32(box + 12), height: view.getUint32(box + 16) };
    }
    if (boxSize === 0) break;
    box += boxSize;
  }
  return undefined;
}
