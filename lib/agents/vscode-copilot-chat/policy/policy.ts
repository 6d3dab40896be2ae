import type { Tokens } from "@/lib/core/base/units";
import { ORIGIN } from "@/lib/core/columns/columns";
import { type Split, thresholdPolicy } from "@/lib/core/compaction/policies/threshold";
import type { ContextView, PolicyChosen } from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { endWithCalls, runEnd, tokensBetween } from "@/lib/core/compaction/selection";
import { BUDGET_SHARE, COPILOT_CHAT_PRESETS, copilotChatSettings, PROMPT_TOKENS } from "../base/presets";

/**
 * Summarising by VS Code Copilot Chat in agent mode, computed from the columns. A request that exceeds its budget is
 * preceded by a summary of everything before the newest round, or before the prompt that begins the turn. Source: README.md, "Rules".
 */
export const copilotChatPolicy = thresholdPolicy({
  id: "vscode-copilot-chat",
  label: "VS Code Copilot Chat",
  presets: COPILOT_CHAT_PRESETS,
  presetDates: { "v0.42.0": "2026-03" },
  settings: copilotChatSettings,
  threshold,
  size: (view) => view.history,
  split,
});

/** Smallest request whose messages exceed the budget. The tools are sent in addition, and are subtracted from the limit before the share is taken. */
function threshold({ window, settings }: PolicyChosen): Tokens {
  const limit = Math.min(numberSetting(settings, "maxTokens"), window);
  const tools = Math.min(numberSetting(settings, "toolTokens"), limit);
  return Math.floor((limit - tools) * BUDGET_SHARE) + tools + 1;
}

/** Keeps the newest round if the turn has others, else the turn so far; something must precede the kept part. */
function split(view: ContextView): Split | undefined {
  const from = roundsOf(view) > 1 ? lastRound(view) : turnFrom(view);
  return from <= 0 || isSummaryAlone(view, from)
    ? undefined
    : {
        kept: endWithCalls(view, from),
        summaryCallTokens: PROMPT_TOKENS + tokensBetween(view, 0, from),
      };
}

/** Rounds of the turn so far: responses with their calls and results, including those that a summary replaced. */
function roundsOf({ columns, request, turnStart }: ContextView): number {
  if (turnStart) return 0;
  const turn = (point: number) => columns.turn[columns.requests.firstItem[point] ?? 0];
  let rounds = 0;
  for (let point = request - 1; point >= 0 && rounds < 2 && turn(point) === turn(request - 1); point--) rounds += 1;
  return rounds;
}

/** First position of the last response. */
function lastRound({ items, columns }: ContextView): number {
  let from = items.length - 1;
  while (from > 0 && columns.origin[items.at(from)] !== ORIGIN.response) from -= 1;
  while (from > 0 && columns.message[items.at(from - 1)] === columns.message[items.at(from)]) from -= 1;
  return from;
}

/** First position of the turn: its prompt about to be sent, or the prompt before its only round. */
function turnFrom(view: ContextView): number {
  if (view.turnStart) return runEnd(view);
  const { items, columns } = view;
  let from = lastRound(view);
  while (from > 0 && isOfPrompt(columns.origin[items.at(from - 1)])) from -= 1;
  return from;
}

function isOfPrompt(origin: number | undefined): boolean {
  return origin === ORIGIN.typed || origin === ORIGIN.context;
}

function isSummaryAlone(view: ContextView, from: number): boolean {
  return from === 1 && view.synthetic(view.items.at(0))?.kind === "summary";
}
