import { COLUMNS_VERSION, type SessionColumns } from "./columns";

/**
 * Byte format of the columns: "CRCOL\0\0\0", a version and the header's length (two little-endian 32-bit integers), the header as JSON in ASCII, then
 * every array at an offset that is a multiple of 8. The header is the tree of the columns, in which `{ "$": type, "n": length, "o": offset }`
 * replaces each typed array. The arrays are little-endian, like every supported host.
 */
const MAGIC = "CRCOL\0\0\0";
const PREFIX = 16;

const ARRAY_TYPES = { u1: Uint8Array, i4: Int32Array, f8: Float64Array } as const;
type ArrayType = keyof typeof ARRAY_TYPES;
/** Array types of the columns. */
export type AnyArray = Uint8Array | Int32Array | Float64Array;

interface ArrayRef {
  readonly $: ArrayType;
  readonly n: number;
  readonly o: number;
}

/** Thrown for bytes that are not columns, or are columns of another version. */
export class CodecError extends Error {
  override name = "CodecError";
}

/** Encodes columns as bytes. `decodeColumns` is the inverse. */
export function encodeColumns(columns: SessionColumns): Uint8Array<ArrayBuffer> {
  return encodeTree(MAGIC, columns);
}

/** Decodes columns from bytes. The arrays are views of the bytes where alignment allows. Throws `CodecError`. */
export function decodeColumns(bytes: Uint8Array): SessionColumns {
  // The magic and the version are checked, so `encodeColumns` wrote this tree.
  return decodeTree(MAGIC, bytes) as SessionColumns;
}

/**
 * Encodes any tree of objects, lists and typed arrays in the format of the columns.
 * @param magic eight ASCII characters that identify the content
 */
export function encodeTree(magic: string, tree: object): Uint8Array<ArrayBuffer> {
  const arrays: AnyArray[] = [];
  let offset = 0;
  const header = asciiJson(tree, (_key, value) => {
    const type = arrayType(value);
    if (type === undefined) return value;
    const array = value as AnyArray; // `arrayType` has checked that it is an array.
    const ref: ArrayRef = { $: type, n: array.length, o: offset };
    arrays.push(array);
    offset += aligned(array.byteLength);
    return ref;
  });
  const body = PREFIX + aligned(header.length);
  const bytes = new Uint8Array(body + offset);
  for (let i = 0; i < magic.length; i++) bytes[i] = magic.charCodeAt(i);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, COLUMNS_VERSION, true);
  view.setUint32(12, header.length, true);
  for (let i = 0; i < header.length; i++) bytes[PREFIX + i] = header.charCodeAt(i);
  let at = body;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += aligned(array.byteLength);
  }
  return bytes;
}

/** Decodes a tree from `encodeTree`. Throws `CodecError`. */
export function decodeTree(magic: string, bytes: Uint8Array): unknown {
  const source = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  if (!beginsWith(source, magic)) throw new CodecError("these bytes are not a session's columns");
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
  const version = view.getUint32(8, true);
  if (version !== COLUMNS_VERSION)
    throw new CodecError(`columns of version ${version}; this build reads ${COLUMNS_VERSION}`);
  const headerLength = view.getUint32(12, true);
  const body = PREFIX + aligned(headerLength);
  const text = ascii(source.subarray(PREFIX, PREFIX + headerLength));
  return withArrays(JSON.parse(text), (ref) => viewOf(ref, source, body));
}

/** Puts the arrays back into the tree. A `JSON.parse` reviver would be slower: it is called for every text of the tables. */
function withArrays(value: unknown, arrayOf: (ref: ArrayRef) => AnyArray): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isArrayRef(value)) return arrayOf(value);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = withArrays(value[at], arrayOf);
    return value;
  }
  const node = value as Record<string, unknown>;
  for (const key in node) node[key] = withArrays(node[key], arrayOf);
  return node;
}

export function beginsWith(bytes: Uint8Array, magic: string): boolean {
  return Array.from(magic).every((char, at) => bytes[at] === char.charCodeAt(0));
}

/** Type name of an array in the header; `undefined` for any other value. */
function arrayType(value: unknown): ArrayType | undefined {
  if (value instanceof Int32Array) return "i4";
  if (value instanceof Uint8Array) return "u1";
  return value instanceof Float64Array ? "f8" : undefined;
}

function isArrayRef(value: object): value is ArrayRef {
  return "$" in value && "n" in value && "o" in value;
}

function viewOf(ref: ArrayRef, source: Uint8Array, body: number): AnyArray {
  return new ARRAY_TYPES[ref.$](source.buffer as ArrayBuffer, source.byteOffset + body + ref.o, ref.n);
}

function aligned(length: number): number {
  return (length + 7) & ~7;
}

/** Serialises to JSON in ASCII: other characters are escaped, so that one byte is one character. */
function asciiJson(value: unknown, replacer: (key: string, value: unknown) => unknown): string {
  return JSON.stringify(value, replacer).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function ascii(bytes: Uint8Array): string {
  const parts: string[] = [];
  // Spreading the bytes all at once would create an object per byte.
  for (let i = 0; i < bytes.length; i += 4096)
    parts.push(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(i, i + 4096)));
  return parts.join("");
}
