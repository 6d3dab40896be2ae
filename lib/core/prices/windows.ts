import type { Tokens } from "../base/units";
import { BASE_TABLE } from "./base-table";
import { spellingsOf } from "./model-id";

/** The context window of a model. Rules: docs/prices.md, "Context windows". */
export interface ModelWindow {
  readonly tokens: Tokens;
  /** A larger window of the same model under the same name. It is proven by a recorded context that fits only into this one. */
  readonly larger?: Tokens | undefined;
  /** True if it is an assumption: the model runs in either window, and a recording does not state which. */
  readonly isAssumed?: true;
}

/** Models with the same window. */
export interface WindowEntry extends ModelWindow {
  /** Exact ids. */
  readonly ids: readonly string[];
  /** Where the window was read, and on which day. */
  readonly source: string;
  readonly seen: string;
}

const MILLION: Tokens = 1_000_000;
/** Google writes it as 1,048,576 = 2^20. */
const MEBI: Tokens = 2 ** 20;

/** Returns a function that makes entries with one source. */
function entriesFrom(read: Pick<WindowEntry, "source" | "seen">) {
  return (ids: readonly string[], tokens: Tokens, more: Omit<ModelWindow, "tokens"> = {}): WindowEntry => ({
    ids,
    tokens,
    ...more,
    ...read,
  });
}

const modelsDev = entriesFrom({ source: "models.dev, 2026-07-02", seen: "2026-11-28" });
const piAi = entriesFrom({ source: "@earendil-works/pi-ai 1.5.2", seen: "2026-11-28" });
const claudeCode = entriesFrom({
  source: "Claude Code 2.1.296: 200,000 unless the id ends in [1m], which transcripts leave out",
  seen: "2026-11-28",
});
const longBeta = entriesFrom({ source: "platform.claude.com: 1M beta until 2026-04-30", seen: "2026-11-28" });
const qwenCode = entriesFrom({ source: "QwenLM/qwen-code, packages/core/src/core/tokenLimits.ts", seen: "2026-11-28" });

/** Windows that the base table lacks or has from a worse source. docs/prices.md lists the conflicts. */
export const OWN_WINDOWS: readonly WindowEntry[] = [
  claudeCode(["claude-opus-4-6", "claude-sonnet-4-6"], 200_000, { larger: MILLION, isAssumed: true }),
  longBeta(["claude-sonnet-4-5", "claude-sonnet-4"], 200_000, { larger: MILLION }),
  piAi(["claude-fable-5-2", "claude-sonnet-5-5", "claude-haiku-5-5"], MILLION),
  modelsDev(["claude-mythos-5", "claude-mythos-5-1"], MILLION),
  modelsDev(["gpt-4.1", "gpt-4.1-mini", "gpt-4.1-nano"], 1_047_576),
  modelsDev(["gpt-5.1-codex-max", "gpt-5.1-codex", "gpt-5.2-codex"], 400_000),
  modelsDev(["gpt-5.3-codex-spark"], 128_000),
  modelsDev(["gpt-5.5", "gpt-5.5-pro"], 1_050_000),
  piAi(["gpt-6.1-sol", "gpt-6.1-terra"], 1_050_000),
  modelsDev(
    [
      ...["gemini-2.5-pro", "gemini-2.0-flash", "gemini-2.0-flash-lite", "gemini-2.5-flash-lite", "gemini-3-pro"],
      ...["gemini-3-flash", "gemini-3-flash-preview", "gemini-3-pro-preview", "gemini-3.1-flash-lite"],
      ...["gemini-3.1-pro", "gemini-3.1-pro-preview", "gemini-3.5-flash"],
    ],
    MEBI,
  ),
  piAi(["gemini-3.5-flash-lite", "gemini-3.6-flash", "gemini-3.7-flash", "gemini-3.8-flash", "gemini-4-argon"], MEBI),
  modelsDev(["deepseek-chat", "deepseek-reasoner"], 128_000, { larger: MILLION, isAssumed: true }),
  piAi(["grok-4.7"], 500_000),
  modelsDev(["kimi-k2"], 131_072, { larger: 262_144, isAssumed: true }),
  piAi(["kimi-k3.1-pro"], MEBI),
  modelsDev(["glm-4.5", "glm-4.5-air"], 131_072),
  modelsDev(["glm-4.6", "glm-4.7", "glm-5"], 204_800),
  modelsDev(["glm-5.1"], 200_000),
  qwenCode(["qwen3-coder-plus", "qwen3-coder-flash", "qwen3.5-plus", "qwen3.6-plus", "qwen3.7-plus"], MILLION),
  modelsDev(["qwen3.7-max"], MILLION),
  modelsDev(["qwen3-max", "qwen3.6-max"], 262_144),
];

/** Suffixes that name the window itself: Claude Code's `[1m]`, and Copilot's `-1m`. */
const NAMES_MILLION = /\[1m\]$|claude-.+-1m$/i;

/** Windows by id of one table. */
type ById = ReadonlyMap<string, ModelWindow>;

/** Own table first, then the base table, then both by their ids in lower case. Made at the first use. */
let tables: readonly ById[] | undefined;

function windowTables(): readonly ById[] {
  if (tables !== undefined) return tables;
  const own = OWN_WINDOWS.flatMap(({ ids, ...window }) => ids.map((id) => [id, window] as const));
  const base = BASE_TABLE.flatMap(({ ids, window }) =>
    window === undefined ? [] : ids.map((id) => [id, { tokens: window }] as const),
  );
  // The first of several ids that differ in case.
  const small = [...own, ...base].map(([id, window]) => [id.toLowerCase(), window] as const).reverse();
  tables = [new Map(own), new Map(base), new Map(small)];
  return tables;
}

/** Ids with a listed window. */
export function windowIds(): readonly string[] {
  return [...new Set(windowTables().flatMap((table) => [...table.keys()]))];
}

/**
 * Window of a recorded model name; `undefined` if it is not listed. A table is asked for every spelling of the name before the next one, which costs
 * less than simplifying all listed names.
 */
export function knownWindow(model: string): ModelWindow | undefined {
  if (NAMES_MILLION.test(model)) return { tokens: MILLION };
  const spellings = spellingsOf(model);
  for (const table of windowTables()) {
    const id = spellings.find((name) => table.has(name));
    if (id !== undefined) return table.get(id);
  }
  return undefined;
}
