import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { InputError } from "@/lib/server/base/input-error";
import { regularFileText } from "@/lib/server/base/regular-file";
import { exactCounter } from "@/lib/server/tokens/exact-counter";
import { type Conformance, type GoldenFile, type GoldenResult, runGoldenFile } from "./golden";

/** Each agent's adapters: they translate names and shapes, and call the functions that the product uses. */
const ADAPTERS: Readonly<Record<string, () => Promise<Conformance>>> = {
  "claude-code": async () => (await import("./agents/claude-code/conformance")).conformance,
  clawdcode: async () => (await import("./agents/clawdcode/conformance")).createConformance(exactCounter),
  codex: async () => (await import("./agents/codex/conformance")).conformance,
  "gemini-cli": async () => (await import("./agents/gemini-cli/conformance")).conformance,
  "mini-claude-code": async () => (await import("./agents/mini-claude-code/conformance")).conformance,
  openclaw: async () => (await import("./agents/openclaw/conformance")).conformance,
  opencode: async () => (await import("./agents/opencode/conformance")).conformance,
  pi: async () => (await import("./agents/pi/conformance")).conformance,
  "qwen-code": async () => (await import("./agents/qwen-code/conformance")).conformance,
};

/** One golden file that was run, or skipped because no adapter implements its function. */
export interface ConformanceRow {
  readonly system: string;
  readonly preset: string;
  readonly function: string;
  readonly passed: number;
  readonly failed: readonly GoldenResult[];
  /** Number of cases of a function that is not implemented. */
  readonly skipped: number;
}

/** Folders of the golden cases that come with the project. */
export function projectGoldens(root: string): readonly string[] {
  return Object.keys(ADAPTERS).map((agent) => join(root, "verify", "agents", agent, "goldens"));
}

/**
 * Runs every golden file `DIR/<system>/<preset>/<function>.json`, in the order of their names, or a single file. Throws if DIR cannot be read, and
 * `InputError` for a JSON file without golden cases.
 */
export async function* runConformance(folder: string): AsyncGenerator<ConformanceRow> {
  for (const path of goldenFiles(folder)) yield await runFile(goldenFile(path));
}

/** Shape of a golden file, as docs/golden-cases.md gives it. */
const GOLDEN_FILE = z.looseObject({
  system: z.string(),
  preset: z.string(),
  function: z.string(),
  constants: z.record(z.string(), z.unknown()).exactOptional(),
  cases: z.array(z.looseObject({ id: z.string(), input: z.unknown() })),
});

function goldenFile(path: string): GoldenFile {
  const parsed = GOLDEN_FILE.safeParse(jsonOf(regularFileText(path)));
  if (!parsed.success) throw new InputError("unreadable", `${basename(path)} holds no golden cases.`);
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The caller's check of the shape then reports that it holds no cases.
  }
}

function goldenFiles(folder: string): readonly string[] {
  if (!statSync(folder).isDirectory()) return [folder];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(folder, name));
}

async function runFile(file: GoldenFile): Promise<ConformanceRow> {
  const { system, preset, function: name } = file;
  const adapters = Object.hasOwn(ADAPTERS, system) ? await ADAPTERS[system]?.() : undefined;
  const adapter = adapters !== undefined && Object.hasOwn(adapters, name) ? adapters[name] : undefined;
  const row = { system, preset, function: name };
  if (adapter === undefined) return { ...row, passed: 0, failed: [], skipped: file.cases.length };
  const results = await runGoldenFile(file, adapter, sha256);
  const failed = results.filter((result) => result.difference !== undefined);
  return { ...row, passed: results.length - failed.length, failed, skipped: 0 };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
