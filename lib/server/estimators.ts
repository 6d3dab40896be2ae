import { bytesOverFour, charsOverFour } from "@/lib/core/tokens/characters";
import { type ItemEstimator, textEstimator } from "@/lib/core/tokens/item-estimator";

/** Thrown for an estimator id that this build does not have. */
export class UnknownEstimatorError extends Error {
  override name = "UnknownEstimatorError";
}

/** How an estimator is come by. */
interface EstimatorEntry {
  /** Presets that may follow its id behind an `@`; the first is the default. */
  readonly presets: readonly string[];
  /** Loads it: the exact tokenizers read tables of several megabytes. */
  readonly load: (preset: string | undefined) => Promise<ItemEstimator>;
}

/** Every estimator by id. Adding one is one line. */
const ENTRIES: ReadonlyMap<string, EstimatorEntry> = new Map(
  Object.entries({
    "bytes-4": without(async () => textEstimator("bytes-4", (text) => bytesOverFour(Buffer.byteLength(text)))),
    "chars-4": without(async () => textEstimator("chars-4", (text) => charsOverFour(text.length))),
    o200k: without(() => tokenCounter("o200k")),
    cl100k: without(() => tokenCounter("cl100k")),
    codex: { presets: ["as-documented", "release-2026-01", "current"], load: codexEstimator },
    pi: { presets: ["current", "v0.51.0"], load: piEstimator },
    "claude-code": without(async () => (await import("@/lib/agents/claude-code/estimator")).claudeCodeEstimator),
  }),
);

const loaded = new Map<string, Promise<ItemEstimator>>();

/** The entry of `ID` or `ID@PRESET`. Throws `UnknownEstimatorError`. */
export function requireEstimator(name: string): EstimatorEntry {
  const [id = "", preset] = name.split("@", 2);
  const entry = ENTRIES.get(id);
  if (entry === undefined) {
    throw new UnknownEstimatorError(`unknown estimator ${id}; known: ${[...ENTRIES.keys()].join(", ")}`);
  }
  if (preset !== undefined && !entry.presets.includes(preset)) {
    const known = entry.presets.length === 0 ? "it has none" : `known: ${entry.presets.join(", ")}`;
    throw new UnknownEstimatorError(`unknown preset ${preset} of the estimator ${id}; ${known}`);
  }
  return entry;
}

/** The estimator `ID` or `ID@PRESET`. Rejects with `UnknownEstimatorError`. */
export async function estimatorOf(name: string): Promise<ItemEstimator> {
  const { load, presets } = requireEstimator(name);
  const known = loaded.get(name) ?? load(name.split("@", 2)[1] ?? presets[0]);
  loaded.set(name, known);
  return known;
}

function without(load: () => Promise<ItemEstimator>): EstimatorEntry {
  return { presets: [], load };
}

async function tokenCounter(encoding: "o200k" | "cl100k"): Promise<ItemEstimator> {
  const { createTokenCounter } = await import("@/lib/server/tokens/counter");
  const counter = createTokenCounter(encoding);
  return textEstimator(encoding, (text) => counter.count(text));
}

async function piEstimator(preset: string | undefined): Promise<ItemEstimator> {
  const { piEstimatorOf } = await import("@/lib/agents/pi/estimator");
  const { piPreset } = await import("@/lib/agents/pi/presets");
  return piEstimatorOf(piPreset(preset));
}

async function codexEstimator(preset: string | undefined): Promise<ItemEstimator> {
  const { codexEstimatorOf } = await import("@/lib/agents/codex/estimator");
  const { codexPreset } = await import("@/lib/agents/codex/presets");
  return codexEstimatorOf(codexPreset(preset ?? ""));
}
