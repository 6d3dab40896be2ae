import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { handler } from "@/lib/server/http/handler";

/** The interpreter's code, as the threads load it. */
const CODE = ["node_modules", "@jitl", "quickjs-wasmfile-release-sync", "dist", "emscripten-module.wasm"];

export const GET = handler(
  async (_request, { server }) =>
    new Response(await readFile(join(server.config.root, ...CODE)), {
      headers: { "Content-Type": "application/wasm" },
    }),
);
