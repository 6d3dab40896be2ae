import type { Tokens } from "@/lib/core/base/units";
import { bytesOverFour, charsOverFour } from "@/lib/core/tokens/characters";
import { type ItemEstimator, textEstimator } from "@/lib/core/tokens/item-estimator";

/** Thrown for an estimator id that this build does not have. */
export class UnknownEstimatorError extends Error {
  override name = "UnknownEstimatorError";
}

/** What a rule may be asked for beside its id. */
interface EstimatorChoice {
  /** What follows the id behind an `@`; the first of the entry's presets where nothing does. */
  readonly preset: string;
  /** For rules that depend on the model; each has a default of its own. */
  readonly model: string | undefined;
}

/** How an estimator is come by. */
interface EstimatorEntry {
  /** Presets that may follow its id behind an `@`; the first is the default. */
  readonly presets: readonly string[];
  /** Loads it: the exact tokenizers read tables of several megabytes. */
  readonly load: (choice: EstimatorChoice) => Promise<ItemEstimator>;
}

/** Every estimator by id. Adding one is one line. */
const ENTRIES: ReadonlyMap<string, EstimatorEntry> = new Map(
  Object.entries({
    "bytes-4": without(() => ofTexts("bytes-4", (text) => bytesOverFour(Buffer.byteLength(text)))),
    "chars-4": without(() => ofTexts("chars-4", (text) => charsOverFour(text.length))),
    o200k: without(() => tokenCounter("o200k")),
    cl100k: without(() => tokenCounter("cl100k")),
    "claude-code": without(async () => (await import("@/lib/agents/claude-code/estimator")).claudeCodeEstimator),
    clawdcode: without(clawdcodeEstimator),
    "clawdcode-fast": without(async () => (await import("@/lib/agents/clawdcode/estimator")).clawdcodeFastEstimator),
    codex: { presets: ["as-documented", "release-2026-01", "current"], load: codexEstimator },
    "gemini-cli": without(async () => (await import("@/lib/agents/gemini-cli/estimator")).geminiEstimator),
    "mini-claude-code": without(
      async () => (await import("@/lib/agents/mini-claude-code/estimator")).miniClaudeCodeEstimator,
    ),
    openclaw: { presets: ["as-documented", "current"], load: openClawEstimator },
    opencode: without(async () => (await import("@/lib/agents/opencode/estimator")).opencodeEstimator),
    pi: { presets: ["current", "v0.51.0"], load: piEstimator },
    "qwen-code": without(async () => (await import("@/lib/agents/qwen-code/estimator")).qwenCodeEstimator),
    "qwen-code-content": without(
      async () => (await import("@/lib/agents/qwen-code/estimator")).qwenCodeContentEstimator,
    ),
  }),
);

/** Ids of all estimators. */
export const ESTIMATOR_IDS: readonly string[] = [...ENTRIES.keys()];

/** Presets that may follow an estimator's id; the first where none does. Throws `UnknownEstimatorError`. */
export function presetsOf(id: string): readonly string[] {
  return requireEstimator(id).presets;
}

const loaded = new Map<string, Promise<ItemEstimator>>();

/** The entry of `ID` or `ID@PRESET`. Throws `UnknownEstimatorError`. */
export function requireEstimator(name: string): EstimatorEntry {
  const { id, preset } = splitName(name);
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

/** `ID` or `ID@PRESET` as its parts; a further `@` belongs to the preset, which is then an unknown one. */
function splitName(name: string): { readonly id: string; readonly preset?: string } {
  const at = name.indexOf("@");
  return at === -1 ? { id: name } : { id: name.slice(0, at), preset: name.slice(at + 1) };
}

/** The estimator `ID` or `ID@PRESET`, for a model where it depends on one. Rejects with `UnknownEstimatorError`. */
export async function estimatorOf(name: string, model?: string): Promise<ItemEstimator> {
  const { load, presets } = requireEstimator(name);
  const key = `${name}\0${model ?? ""}`;
  const known = loaded.get(key) ?? load({ preset: splitName(name).preset ?? presets[0] ?? "", model });
  loaded.set(key, known);
  return known;
}

function without(load: (choice: EstimatorChoice) => Promise<ItemEstimator>): EstimatorEntry {
  return { presets: [], load };
}

async function tokenCounter(encoding: "o200k" | "cl100k"): Promise<ItemEstimator> {
  const { sharedCounter } = await import("./tokens/exact-counter");
  return ofTexts(encoding, (text) => sharedCounter(encoding).count(text));
}

/** A rule over texts, which is no agent's: of messages it takes those of the API, block by block. */
async function ofTexts(id: string, count: (text: string) => Tokens): Promise<ItemEstimator> {
  const { apiMessageTokens } = await import("@/lib/agents/claude-code/estimator");
  return { ...textEstimator(id, count), message: (message) => apiMessageTokens(message, count) };
}

async function clawdcodeEstimator({ model }: EstimatorChoice): Promise<ItemEstimator> {
  const { createClawdcodeEstimator } = await import("@/lib/agents/clawdcode/estimator");
  const { exactCounter } = await import("./tokens/exact-counter");
  return createClawdcodeEstimator(exactCounter, model);
}

async function codexEstimator({ preset }: EstimatorChoice): Promise<ItemEstimator> {
  const { codexEstimatorOf } = await import("@/lib/agents/codex/estimator");
  const { codexPreset } = await import("@/lib/agents/codex/presets");
  return codexEstimatorOf(codexPreset(preset));
}

async function openClawEstimator({ preset }: EstimatorChoice): Promise<ItemEstimator> {
  const { openClawEstimatorOf } = await import("@/lib/agents/openclaw/estimator");
  const { openClawPreset } = await import("@/lib/agents/openclaw/presets");
  return openClawEstimatorOf(openClawPreset(preset));
}

async function piEstimator({ preset }: EstimatorChoice): Promise<ItemEstimator> {
  const { piEstimatorOf } = await import("@/lib/agents/pi/estimator");
  const { piPreset } = await import("@/lib/agents/pi/presets");
  return piEstimatorOf(piPreset(preset));
}
