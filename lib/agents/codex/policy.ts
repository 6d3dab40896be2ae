import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KINDS, type SessionColumns } from "@/lib/core/columns/columns";
import {
  entryTruncationSetting,
  failSummarySetting,
  summaryFails,
  summaryTokensSetting,
} from "@/lib/core/compaction/common-settings";
import type { ContextView, Policy, PolicyContext, Retention } from "@/lib/core/compaction/policy";
import { summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { numberSetting, type SettingSpec, type Settings, type Source } from "@/lib/core/compaction/settings";
import { nineTenths } from "./limits";
import { CODEX_PRESETS } from "./presets";
import { OUTPUT_BYTES, resized, tokensOfBytes, truncatedBytes } from "./sizes";
import { type SelectedMessage, selectMessages } from "./user-messages";

/** Measures that this policy reads where they are there; `codexMeasures` of the server half computes them. */
export const CODEX_MEASURES = ["codex.jsonBytes", "codex.retained"] as const;
export type CodexMeasure = (typeof CODEX_MEASURES)[number];
/** Bits of `codex.retained`. */
export const RETAINED_LOCALLY = 1;
export const RETAINED_REMOTELY = 2;

/**
 * Codex's compaction over numbers: fires when the last response's total reaches the limit, keeps the initial context and
 * the newest user messages within a budget, and puts a summary behind them. Everything else goes.
 * Source: systems/codex.md §2, §3, §5 and §6.
 */
export const codexPolicy: Policy = {
  id: "codex",
  label: "Codex",
  presets: CODEX_PRESETS,
  settings: codexSettings,
  entryTokens,
  threshold: limitOf,
  shouldCompact: (view, settings) => (usageOf(view, settings) >= limitOf(view.window, settings) ? "threshold" : null),
  compact,
};

const DOCUMENT = (section: string): Source => ({ kind: "document", text: `Codex context management, ${section}` });
const RELEASE = (file: string): Source => ({ kind: "code", text: `openai/codex 31d1e4934 (2026-01-30), ${file}` });
const CURRENT = (file: string): Source => ({ kind: "code", text: `openai/codex main of 2026-08-12, ${file}` });

function codexSettings(preset: string, context: PolicyContext): readonly SettingSpec[] {
  const current = preset === "current";
  const source = (file: string) => (current ? CURRENT(file) : RELEASE(file));
  const tokens = (key: string, label: string, max: Tokens, byDefault: Tokens, from: Source): SettingSpec => ({
    key,
    label,
    type: "number",
    unit: "tokens",
    min: 0,
    max: Math.max(max, byDefault),
    step: 100,
    default: byDefault,
    source: from,
  });
  const limit = nineTenths(context.window);
  return [
    tokens("autoCompactLimit", "Compact at", context.window, limit, DOCUMENT("4.8: nine tenths of the window")),
    tokens("userMessageTokens", "Keep user messages", 200_000, 20_000, source("core/src/compact.rs")),
    tokens("toolOutputTokens", "Limit of a tool output", 200_000, 10_000, source("model table, truncation policy")),
    ...(current ? remoteSettings() : []),
    summaryTokensSetting(context),
    failSummarySetting(),
    // Its own files too hold the outputs as they were before the limit.
    entryTruncationSetting(true),
  ];
}

function remoteSettings(): readonly SettingSpec[] {
  const source = CURRENT("core/src/compact_remote_v2.rs");
  return [
    { key: "remote", label: "Compact on the server", type: "boolean", default: true, source },
    {
      key: "retainedTokens",
      label: "Keep messages, on the server",
      type: "number",
      unit: "tokens",
      min: 0,
      max: 500_000,
      step: 500,
      default: 64_000,
      source,
    },
  ];
}

/** `current` is the only preset that knows remote compaction. */
function isCurrent(settings: Settings): boolean {
  return typeof settings.remote === "boolean";
}

/** The limit in force. The release takes a configured one as it is, `current` at most nine tenths of the window. */
function limitOf(window: Tokens, settings: Settings): Tokens {
  const configured = numberSetting(settings, "autoCompactLimit");
  return isCurrent(settings) ? Math.min(configured, nineTenths(window)) : configured;
}

/** What is compared: the last response's total, input and output; `current` adds what came after it. */
function usageOf(view: ContextView, settings: Settings): Tokens {
  return view.lastInput + view.lastOutput + (isCurrent(settings) ? view.added : 0);
}

function compact(view: ContextView, settings: Settings): Retention {
  // A summary call longer than the window is shortened from its start until it fits; the kept messages stay the same.
  const callTokens = Math.min(view.history, view.window);
  if (summaryFails(settings.failSummary, view.compactions)) return unchanged(view, "failed", callTokens);
  const remote = settings.remote === true;
  const budget = numberSetting(settings, remote ? "retainedTokens" : "userMessageTokens");
  const messages = selectMessages(view, { remote, budget, bit: remote ? RETAINED_REMOTELY : RETAINED_LOCALLY });
  const summaryTokens = numberSetting(settings, "summaryTokens");
  return {
    kept: keptItems(view, messages),
    truncated: messages.flatMap((message) => message.resized),
    cleared: [],
    added: [summaryItem(summaryTokens)],
    addedAt: "back",
    outcome: "summary",
    summaryTokens,
    summaryCallTokens: callTokens,
  };
}

/**
 * The initial context and the selected messages, in context order. Every preset has the initial context in the next
 * request: the release puts it in front, `current` sends it again with the turn.
 */
function keptItems(view: ContextView, messages: readonly SelectedMessage[]): readonly ItemIndex[] {
  const selected = new Set(messages.flatMap((message) => message.items));
  const kept: ItemIndex[] = [];
  for (let position = 0; position < view.items.length; position++) {
    const item = view.items.at(position);
    const initial = ((view.columns.flags[item] ?? 0) & FLAG.INITIAL_CONTEXT) !== 0;
    if (initial || selected.has(item)) kept.push(item);
  }
  return kept;
}

const RESULT = KINDS.indexOf("tool_result");
/** Room above the limit when an output enters the history. Source: systems/codex.md §3, policy × 1.2. */
const ENTRY_FACTOR = 1.2;
/** The one tool whose result Codex does not truncate. */
const TOOL_SEARCH = "tool_search";

/**
 * Entry rule: an output keeps its head and tail within 1.2 times the limit. An output of several texts shares one budget,
 * in order; what no longer fits is left out.
 */
function entryTokens(columns: SessionColumns, item: ItemIndex, tokens: Tokens, settings: Settings): Tokens {
  if (columns.kind[item] !== RESULT || columns.tables.tools[columns.tool[item] ?? -1] === TOOL_SEARCH) return tokens;
  const bytes = columns.bytes[item] ?? 0;
  const budget = Math.ceil(numberSetting(settings, "toolOutputTokens") * ENTRY_FACTOR);
  if (tokensOfBytes(bytes) <= budget && !isContinued(columns, item)) return tokens;
  const earlier = earlierTokens(columns, item);
  const left = Math.max(0, budget - earlier);
  if (tokensOfBytes(bytes) <= left) return tokens;
  if (left === 0 && earlier > 0) return 0;
  const scale = (columns.measures["codex.jsonBytes"]?.[item] ?? bytes) / bytes;
  return resized(tokens, OUTPUT_BYTES + bytes * scale, OUTPUT_BYTES + truncatedBytes(bytes, left) * scale);
}

/** Whether the item stands behind other parts of its message. */
function isContinued(columns: SessionColumns, item: ItemIndex): boolean {
  return ((columns.flags[item] ?? 0) & FLAG.MESSAGE_START) === 0;
}

/** Tokens of the same output's texts before this one. */
function earlierTokens(columns: SessionColumns, item: ItemIndex): Tokens {
  let sum = 0;
  for (let row = item - 1; row >= columns.overheadRows && columns.message[row] === columns.message[item]; row--) {
    if (columns.kind[row] === RESULT && columns.pair[row] === columns.pair[item]) {
      sum += tokensOfBytes(columns.bytes[row] ?? 0);
    }
  }
  return sum;
}
