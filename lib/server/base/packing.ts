import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** The compression of an answer. */
export type Encoding = "br" | "gzip" | "identity";

/** Bytes in a separate buffer, which an answer takes without copying. */
export type Packed = Uint8Array<ArrayBuffer>;

const PACK: Readonly<Record<Encoding, (bytes: Packed) => Promise<Packed>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 6 }),
  identity: async (bytes) => bytes,
};

/** Compresses bytes, in a system thread. */
export function pack(bytes: Packed, encoding: Encoding): Promise<Packed> {
  return PACK[encoding](bytes);
}
