import { fileURLToPath } from "node:url";

/** Folder of the program. This code runs from its bundle, one folder below it. */
export function programRoot(): string {
  return process.env.CONTEXT_REPLAY_ROOT ?? fileURLToPath(new URL("..", bundleUrl()));
}

function bundleUrl(): string {
  // Shared chunks of the bundle lie one folder deeper than the bundle itself.
  return import.meta.url.replace(/\/chunks\/[^/]*$/, "/chunk.mjs");
}
