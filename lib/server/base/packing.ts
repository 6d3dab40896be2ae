import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** How an answer is packed. */
export type Encoding = "br" | "gzip" | "identity";

/** Bytes in memory of their own, which an answer takes as they are. */
export type Packed = Uint8Array<ArrayBuffer>;

const PACK: Readonly<Record<Encoding, (bytes: Packed) => Promise<Packed>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 6 }),
  identity: async (bytes) => bytes,
};

/** Packs bytes, in a thread of the system's. */
export function pack(bytes: Packed, encoding: Encoding): Promise<Packed> {
  return PACK[encoding](bytes);
}
