import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { givesNoSummary } from "@/lib/core/compaction/common-settings";
import type { ContextView, Retention, SimulatedTrigger, SyntheticItem } from "@/lib/core/compaction/policy";
import { positionsOf } from "@/lib/core/compaction/positions";
import { perSettings } from "@/lib/core/compaction/remembered";
import { itemsFrom, summaryItem } from "@/lib/core/compaction/retention";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { MAX_FAILURES, PICTURE_WORD_TOKENS, PROMPT_TOKENS, SUMMARY_REQUEST_TOKENS, summaryBudget } from "./constants";
import { attachments, picturesOf } from "./policy-attachments";
import { asCleared, cleared, clearing, resultImages } from "./policy-clearing";
import {
  acknowledgementItem,
  CALL,
  FAILED,
  failure,
  isMark,
  markCount,
  pendingFrom,
  RESCUE_FAILED,
  RESPONSE,
  RESULT,
  thresholdsOf,
  tokensOf,
  withTheirCalls,
} from "./policy-view";

/** Whether it clears or compacts before this request. */
export function currentTrigger(view: ContextView, settings: Settings): SimulatedTrigger | null {
  return clearing(view, settings) !== undefined || gate(view, settings) !== undefined ? "threshold" : null;
}

/** Last usage, last output and what is new; before any usage the estimate of the conversation alone. */
function effectiveTokens(view: ContextView): Tokens {
  return view.lastInput > 0 ? view.lastInput + view.lastOutput + view.added : view.history - view.overhead;
}

/** Whether it compacts now: by itself, or by force above the hard threshold, each until it failed too often. */
function gate(view: ContextView, settings: Settings): "auto" | "rescue" | undefined {
  const { auto, hard } = thresholdsOf(view.window, settings);
  const tokens = effectiveTokens(view);
  if (tokens < auto && !hasManyImages(view, settings)) return undefined;
  if (!hasTwoContents(view)) return undefined;
  if (tokens >= hard) return markCount(view, RESCUE_FAILED) < MAX_FAILURES ? "rescue" : undefined;
  return markCount(view, FAILED) < numberSetting(settings, "maxFailures") ? "auto" : undefined;
}

const imageTrigger = perSettings((_window, settings) => numberSetting(settings, "imageTrigger"));

function hasManyImages(view: ContextView, settings: Settings): boolean {
  const most = imageTrigger(view.window, settings);
  return most > 0 && resultImages(view, most) >= most;
}

function hasTwoContents(view: ContextView): boolean {
  const end = pendingFrom(view);
  let first = 0;
  while (first < end && isMark(view.synthetic(view.items.at(first)))) first += 1;
  if (end - first < 2) return false;
  const [start, last] = [view.items.at(first), view.items.at(end - 1)];
  return start >= view.columns.length || view.columns.message[start] !== view.columns.message[last];
}

/**
 * Old results are cleared, and what that leaves is compacted. The size that is compared is from before the clearing: the last
 * usage. Of what was cleared a summary leaves nothing; where none is made the cleared results stay cleared.
 */
export function compactCurrent(view: ContextView, settings: Settings): Retention {
  const changes = clearing(view, settings);
  const left = changes === undefined ? view : asCleared(view, changes);
  const kind = gate(left, settings);
  if (kind === undefined) return cleared(view, changes ?? []);
  const retention = summarised(left, settings, kind);
  if (changes === undefined || retention.outcome === "summary") return retention;
  const first = cleared(view, changes);
  return { ...retention, kept: first.kept, cleared: first.cleared, added: [...first.added, ...retention.added] };
}

/** The summary, the acknowledgement and what is put back, with a call that is still open. */
function summarised(view: ContextView, settings: Settings, kind: "auto" | "rescue"): Retention {
  const { columns } = view;
  const all = itemsFrom(view, 0);
  const end = pendingFrom(view);
  const [history, pending] = [all.slice(0, end), all.slice(end)];
  const call = trailingCall(view, history);
  const answered = pending.some((item) => columns.kind[item] === RESULT);
  const sent = tokensOf(view, history) - (answered ? 0 : tokensOf(view, call));
  const callTokens = sent + PROMPT_TOKENS + (answered ? tokensOf(view, pending) : 0);
  const summaryTokens = numberSetting(settings, "summaryTokens");
  const attached = attachments(view, history, {
    files: numberSetting(settings, "restoreFiles"),
    pictures: numberSetting(settings, "restoreImages"),
  });
  // Behind attachments the call stands by itself and counts anew; else its call parts join the acknowledgement.
  const restored = sum(attached) + (attached.length > 0 ? tokensOf(view, call) : 0);
  const keptCall = attached.length > 0 ? call : call.filter((item) => columns.kind[item] === CALL);
  const used = effectiveTokens(view);
  const after = Math.max(0, used - sent + summaryTokens) + restored;
  const label = kind === "rescue" ? RESCUE_FAILED : FAILED;
  // A summary that uses up its budget is taken to be cut off.
  const isCutOff =
    summaryTokens >= summaryBudget(requestTokens(view, answered ? all : history, callTokens), view.window);
  if (after > used || isCutOff || givesNoSummary(settings.failSummary, view.summaryCalls)) {
    return failure(view, label, callTokens, kind === "rescue" ? "blocked" : "failed");
  }
  // The program counts what is about to be sent twice here: it stands in the size that it began with.
  const { hard } = thresholdsOf(view.window, settings);
  if (kind === "rescue" && after + tokensOf(view, pending) >= hard) return failure(view, label, callTokens, "blocked");
  const kept = withTheirCalls(view, [...keptCall, ...pending]);
  const added = [summaryItem(summaryTokens), acknowledgementItem, ...attached];
  return {
    kept: positionsOf(view, kept),
    truncated: [],
    cleared: [],
    added,
    addedAt: "front",
    outcome: "summary",
    summaryTokens,
    summaryCallTokens: callTokens,
  };
}

/** Estimate of the request for a summary: what is sent, a word in the place of every picture, and what asks for it. */
function requestTokens(view: ContextView, asked: readonly ItemIndex[], callTokens: Tokens): Tokens {
  const pictures = asked.map((item) => picturesOf(view, item));
  const spared = pictures.reduce((total, { count, tokens }) => total + tokens - count * PICTURE_WORD_TOKENS, 0);
  return callTokens - PROMPT_TOKENS + SUMMARY_REQUEST_TOKENS - spared;
}

function sum(items: readonly SyntheticItem[]): Tokens {
  return items.reduce((total, { tokens }) => total + tokens, 0);
}

/** The last response, where it calls a tool: all of its messages, where the recording holds several. */
function trailingCall(view: ContextView, history: readonly ItemIndex[]): readonly ItemIndex[] {
  const { kind, length } = view.columns;
  let from = history.length;
  while (from > 0 && isOfResponse(view, history[from - 1] ?? length)) {
    from -= 1;
    if (startsResponse(view, history[from] ?? length)) break;
  }
  const items = history.slice(from);
  return items.some((item) => kind[item] === CALL) ? items : [];
}

function isOfResponse({ columns }: ContextView, item: ItemIndex): boolean {
  return item < columns.length && columns.origin[item] === RESPONSE;
}

/** Whether a response begins with an item: request points are in the order of the rows. */
function startsResponse({ columns, request }: ContextView, item: ItemIndex): boolean {
  const { firstItem } = columns.requests;
  for (let point = request - 1; point >= 0 && (firstItem[point] ?? 0) >= item; point--) {
    if (firstItem[point] === item) return true;
  }
  return false;
}
