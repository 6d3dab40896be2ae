import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

/** Smaller files fit into one packet as they are. */
const LEAST_BYTES = 1024;

const pack = promisify(brotliCompress);

/** Packs the scripts and styles of the built pages, each into a file beside it that ends with `.br`. Packing as well as Brotli can takes too long while somebody waits for the page. */
export async function packStatic(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const name of names.filter((one) => one.endsWith(".br"))) rmSync(path.join(folder, name));
  const files = names.filter((name) => /\.(js|css)$/.test(name)).map((name) => path.join(folder, name));
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(file);
      if (bytes.length < LEAST_BYTES) return;
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      writeFileSync(`${file}.br`, await pack(bytes, { params }));
    }),
  );
}
