import { GENERAL_ESTIMATORS } from "@/lib/agents/general-estimators";
import { SERVER_PROFILES } from "@/lib/agents/registry";
import type { EstimatorEntry } from "@/lib/agents/shared/server-profile";
import type { CounterFor } from "@/lib/core/tokens/encodings";
import type { ItemEstimator } from "@/lib/core/tokens/item-estimator";
import { UnknownEstimatorError } from "./unknown-estimator-error";

/** Every estimator by id: the general ones, then the agents'. Each is loaded on first use, since exact tokenizers read tables of several megabytes. */
const ENTRIES = new Map<string, EstimatorEntry>([
  ...Object.entries(GENERAL_ESTIMATORS),
  ...Object.values(SERVER_PROFILES).flatMap(({ estimators }) => Object.entries(estimators ?? {})),
]);

const ids: string[] = [...ENTRIES.keys()];

export const ESTIMATOR_IDS: readonly string[] = ids;

/** Adds an external estimator to this process. Throws if its id is taken. */
export function addEstimator(id: string, entry: EstimatorEntry): void {
  if (ENTRIES.has(id)) throw new Error(`There is an estimator ${id} already.`);
  ENTRIES.set(id, entry);
  ids.push(id);
}

/** Presets that may follow an estimator's id; without one, the first is used. Throws `UnknownEstimatorError`. */
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

/** Splits `ID` or `ID@PRESET`. A second `@` belongs to the preset, which is then unknown. */
function splitName(name: string): { readonly id: string; readonly preset?: string } {
  const at = name.indexOf("@");
  return at === -1 ? { id: name } : { id: name.slice(0, at), preset: name.slice(at + 1) };
}

/** The estimator `ID` or `ID@PRESET`, for a model if it depends on one. Rejects with `UnknownEstimatorError`. */
export async function estimatorOf(name: string, model?: string): Promise<ItemEstimator> {
  const { load, presets } = requireEstimator(name);
  const key = `${name}\0${model ?? ""}`;
  const known =
    loaded.get(key) ?? Promise.resolve(load({ preset: splitName(name).preset ?? presets[0] ?? "", model, counters }));
  loaded.set(key, known);
  return known;
}

async function counters(): Promise<CounterFor> {
  return (await import("../../tokens/exact-counter")).exactCounter;
}
