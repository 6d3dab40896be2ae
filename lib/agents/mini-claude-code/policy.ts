import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KINDS, ORIGINS } from "@/lib/core/columns/columns";
import { byRules } from "@/lib/core/compaction/by-rules";
import {
  entryTruncationSetting,
  failSummarySetting,
  summaryFails,
  summaryIsEmpty,
  summaryTokensSetting,
} from "@/lib/core/compaction/common-settings";
import type {
  ContextView,
  Policy,
  PolicyContext,
  PolicyPlan,
  Positions,
  Retention,
  SyntheticItem,
} from "@/lib/core/compaction/policy";
import { from, joined } from "@/lib/core/compaction/positions";
import { perSettings } from "@/lib/core/compaction/remembered";
import { summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { runEnd } from "@/lib/core/compaction/selection";
import { numberSetting, type SettingSpec, type Settings, type Source } from "@/lib/core/compaction/settings";
import { COMPRESS_THRESHOLD, compressionLimit, EMPTY_HINT_TOKENS, TOOL_OUTPUT_CHARS, tokensOfChars } from "./constants";
import { MINI_PRESETS, miniPreset } from "./presets";
import { omittedHint } from "./tool-output";

const limitOf = perSettings((window, settings) => compressionLimit(window, numberSetting(settings, "threshold")));

/**
 * mini-claude-code's compaction over numbers. The document compares the estimate after every step and keeps the question
 * alone; `current` compares once a turn what the provider counted, summed over the turn's steps, and keeps nothing. The summary
 * goes into the system prompt. Source: README.md, "Compression".
 */
export const miniClaudeCodePolicy: Policy = {
  id: "mini-claude-code",
  label: "mini-claude-code",
  presets: MINI_PRESETS,
  settings: miniSettings,
  entryRule: { settings: ["toolOutputChars", "rules"], tokens: entryTokens },
  // Tokens are whole: above the limit and above its floor is the same.
  threshold: ({ window, settings }) => Math.floor(limitOf(window, settings)),
  begin: byRules({
    // Nothing is looked at before the first step. Everywhere above, never at the limit itself.
    shouldCompact: (view, settings) =>
      view.request > 0 && comparedTokens(view, settings) > limitOf(view.window, settings) ? "threshold" : null,
    compact,
  }),
};

const DOCUMENT = (file: string): Source => ({ kind: "document", text: `mini-claude-code, docs/${file}` });
const CODE = (file: string): Source => ({ kind: "code", text: `minorcell/mini-claude-code c969aa4, src/${file}` });

function miniSettings(preset: string, context: PolicyContext): readonly SettingSpec[] {
  const current = miniPreset(preset) === "current";
  return [
    {
      key: "threshold",
      label: "Compress above",
      type: "number",
      unit: "share",
      min: 0,
      max: 1,
      step: 0.01,
      default: COMPRESS_THRESHOLD,
      source: current ? CODE("agent/context.ts") : DOCUMENT("context.md"),
    },
    {
      key: "toolOutputChars",
      label: "Limit of a tool output",
      type: "number",
      unit: "chars",
      min: 0,
      max: 1_000_000,
      step: 500,
      default: TOOL_OUTPUT_CHARS,
      source: current ? CODE("utils/truncate.ts") : DOCUMENT("tools.md"),
    },
    {
      key: "rules",
      label: "Rules of",
      type: "choice",
      choices: MINI_PRESETS,
      default: miniPreset(preset),
      source: { kind: "ours", notes: ["presetCompared"] },
    },
    summaryTokensSetting(context),
    failSummarySetting(),
    entryTruncationSetting(context.agent !== "mini-claude-code"),
  ];
}

const hasCurrentRules = perSettings((_window, { rules }) => miniPreset(rules) === "current");

/** What is compared at the end of the last step; what a person typed since had not come yet. */
function comparedTokens(view: ContextView, settings: Settings): Tokens {
  if (!hasCurrentRules(view.window, settings)) return view.turnStart ? tokensThrough(view, runEnd(view)) : view.history;
  return view.turnStart ? lastTurnTokens(view) : 0;
}

/** Tokens of the context less those from a position on. */
function tokensThrough(view: ContextView, end: number): Tokens {
  let tokens = view.history;
  for (let position = end; position < view.items.length; position++) tokens -= view.tokensOf(view.items.at(position));
  return tokens;
}

/** What the steps of the turn that just ended were sent, summed. */
function lastTurnTokens({ columns, request, sent }: ContextView): Tokens {
  const { firstItem } = columns.requests;
  const turnOf = (step: number) => columns.turn[firstItem[step] ?? -1];
  const turn = turnOf(request - 1);
  let sum = 0;
  for (let step = request - 1; step >= 0 && turnOf(step) === turn; step--) sum += sent[step] ?? 0;
  return sum;
}

const TYPED = ORIGINS.indexOf("typed");

/** An empty answer is taken for a summary: the lines around it stay. */
const summaryTokensOf = perSettings(
  (_window, settings): Tokens =>
    summaryIsEmpty(settings.failSummary)
      ? EMPTY_HINT_TOKENS[miniPreset(settings.rules)]
      : numberSetting(settings, "summaryTokens"),
);

/** What every compaction adds: one list for all of them. */
const hintOf = perSettings((window, settings): readonly SyntheticItem[] => [
  {
    ...summaryItem(summaryTokensOf(window, settings)),
    name: "systemPromptSummary",
    role: "system",
    label: "summary in the system prompt",
  },
]);

function compact(view: ContextView, settings: Settings): Retention {
  const end = view.turnStart ? runEnd(view) : view.items.length;
  const callTokens = Math.max(0, tokensThrough(view, end) - view.overhead);
  if (summaryFails(settings.failSummary, view.summaryCalls)) return unchanged(view, "failed", callTokens);
  const summaryTokens = summaryTokensOf(view.window, settings);
  return {
    kept: hasCurrentRules(view.window, settings)
      ? from(view, end)
      : joined([...questionBefore(view, end), ...from(view, end)]),
    truncated: [],
    cleared: [],
    added: hintOf(view.window, settings),
    addedAt: "front",
    outcome: "summary",
    summaryTokens,
    summaryCallTokens: callTokens,
  };
}

/** Where the newest message stands that a person typed before a position: the question that the run answers. */
function questionBefore(view: ContextView, end: number): Positions {
  const { origin, message } = view.columns;
  let last = end - 1;
  while (last >= 0 && origin[view.items.at(last)] !== TYPED) last -= 1;
  if (last < 0) return [];
  const question = message[view.items.at(last)];
  let first = last;
  while (first > 0 && message[view.items.at(first - 1)] === question) first -= 1;
  return [[first, last + 1]];
}

const RESULT = KINDS.indexOf("tool_result");

/** JSON of a result around its text, its call's id and its tool's name. Source: README.md, "Messages". */
const RESULT_CHARS: Chars = '{"type":"tool-result","toolCallId":"","toolName":"","result":""},'.length;
/** What a result that reports an error has besides. */
const ERROR_CHARS: Chars = ',"isError":true'.length;
/** The usual length of a call's id. */
const CALL_ID_CHARS: Chars = "toolu_012345678901234567890123".length;

/** Entry rule: an output above the limit is its first units and a hint; under any estimator in proportion to what is counted of it. */
function entryTokens({ columns, settings }: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  const chars = columns.chars[item] ?? 0;
  const limit = numberSetting(settings, "toolOutputChars");
  if (columns.kind[item] !== RESULT || chars <= limit) return tokens;
  const tool = columns.tables.tools[columns.tool[item] ?? -1] ?? "";
  const hint = omittedHint(tool, chars, miniPreset(settings.rules), limit);
  const isError = ((columns.flags[item] ?? 0) & FLAG.ERROR) !== 0;
  const json = RESULT_CHARS + tool.length + (isError ? ERROR_CHARS : 0);
  const id = (columns.pair[item] ?? -1) < 0 ? 0 : CALL_ID_CHARS;
  // The program's own count holds the JSON around the text.
  const around = tokens >= tokensOfChars(chars + json) ? json + id : 0;
  // One that is hardly above the limit grows by its hint.
  return Math.ceil((tokens * (around + limit + hint.length)) / (around + chars));
}
