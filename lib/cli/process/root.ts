import { fileURLToPath } from "node:url";

/** The program's folder, one above its bundle. */
export function programRoot(): string {
  return process.env.CONTEXT_REPLAY_ROOT ?? fileURLToPath(new URL("..", bundleUrl()));
}

function bundleUrl(): string {
  // The bundle's shared chunks are one folder deeper than the bundle itself.
  return import.meta.url.replace(/\/chunks\/[^/]*$/, "/chunk.mjs");
}
