import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SHARED = fileURLToPath(new URL("../../../shared/transcripts", import.meta.url));

/** A recording of each of five agents, where recordings lie beside the checkout; else none. */
export const RECORDINGS: readonly string[] = ["claude-code", "codex", "gemini-cli", "opencode", "pi"].flatMap(
  (agent) => {
    const place = join(SHARED, agent);
    const [first] = existsSync(place) ? readdirSync(place).sort() : [];
    return first === undefined ? [] : [join(place, first)];
  },
);
