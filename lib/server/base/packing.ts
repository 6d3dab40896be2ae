import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** How an answer is packed. */
export type Encoding = "br" | "gzip" | "identity";

const PACK: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 6 }),
  identity: async (bytes) => bytes,
};

/** Packs bytes, in a thread of the system's. */
export function pack(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return PACK[encoding](bytes);
}
