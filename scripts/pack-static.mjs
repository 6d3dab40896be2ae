import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompressSync, constants } from "node:zlib";

/** Smaller files fit into one packet uncompressed. */
const MIN_BYTES = 1024;

const pack = promisify(brotliCompress);

/**
 * Compresses the scripts and styles of the built pages, each into a file next to it that ends with `.br`. Brotli's highest level takes too long while
 * a user waits for the page; existing compressed files stay.
 */
export async function packStatic(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => /\.(js|css)$/.test(name)).map((name) => path.join(folder, name));
  const wanted = new Set(files.map((file) => `${file}.br`));
  const others = names
    .map((name) => path.join(folder, name))
    .filter((name) => name.endsWith(".br") && !wanted.has(name));
  for (const name of others) rmSync(name);
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(file);
      const packed = `${file}.br`;
      if (existsSync(packed)) {
        if (brotliDecompressSync(readFileSync(packed)).equals(bytes)) return;
        rmSync(packed);
      }
      if (bytes.length < MIN_BYTES) return;
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      writeFileSync(packed, await pack(bytes, { params }));
    }),
  );
}
