import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { handler } from "@/lib/server/http/handler";

/** The interpreter's code, as the threads load it. */
const CODE = ["node_modules", "@jitl", "quickjs-wasmfile-release-sync", "dist", "emscripten-module.wasm"];
const unpack = promisify(brotliDecompress);

export const GET = handler(
  async (_request, { server }) =>
    new Response(await code(join(server.config.root, ...CODE)), { headers: { "Content-Type": "application/wasm" } }),
);

/** The package holds it packed. */
async function code(file: string): Promise<BodyInit> {
  return existsSync(file) ? readFile(file) : unpack(await readFile(`${file}.br`));
}
