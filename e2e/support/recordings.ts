import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SHARED = fileURLToPath(new URL("../../../shared/transcripts", import.meta.url));

/** One of moderate size for each agent; with recorded compactions if the agent has such recordings. */
const CHOSEN = [
  "claude-code/entireio__cli__ckpt-9b04c3d92e384-ca8cc13b-d3df.jsonl",
  "codex/EntityProcess__agentv__ckpt-0034f597b72d1-019f03e0-321f.jsonl",
  "gemini-cli/entireio__cli__ckpt-12cbfeaa512b0-faff42ab-6ea5.json",
  "opencode/dayhaysoos__nimbus__ckpt-83107b1c65c70-ses_310974b8c.json",
  "pi/badlogic__pi-mono__compact.jsonl",
];

/** A recording of each of five agents, if recordings are next to the checkout; else none. */
export const RECORDINGS: readonly string[] = CHOSEN.map((name) => join(SHARED, name)).filter(existsSync);

/** A recording that ends with a compaction, if it is there: no request gives the size of its context. */
export const ENDS_COMPACTED = RECORDINGS.find((path) => path.endsWith("badlogic__pi-mono__compact.jsonl"));
