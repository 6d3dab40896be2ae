import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { KINDS, ORIGINS, ROLES, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView, Retention, SyntheticItem } from "@/lib/core/compaction/policy";
import { everything } from "@/lib/core/compaction/positions";
import { perSettings } from "@/lib/core/compaction/remembered";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { ACKNOWLEDGEMENT, CHARS_PER_TOKEN, computeThresholds } from "./constants";

export const RESPONSE = ORIGINS.indexOf("response");
export const TOOL = ORIGINS.indexOf("tool");
export const ASSISTANT = ROLES.indexOf("assistant");
export const CALL = KINDS.indexOf("tool_call");
export const RESULT = KINDS.indexOf("tool_result");
export const IMAGE = KINDS.indexOf("image");

/** State that the program keeps beside the history stands in the simulated context as items without a size. */
export const FAILED = "failed attempt";
export const RESCUE_FAILED = "failed attempt above the hard threshold";
export const CLEARED_TO = "tool results cleared up to item ";

/** Whether an item is such a state. */
export const isMark = (item: SyntheticItem | undefined) =>
  item !== undefined && (item.label === FAILED || item.label === RESCUE_FAILED || item.label.startsWith(CLEARED_TO));

/** Marks stand at the front: looking for them costs as much as there are of them. */
export function marksOf(view: ContextView): readonly SyntheticItem[] {
  const marks: SyntheticItem[] = [];
  for (let position = 0; position < view.items.length; position++) {
    const item = view.synthetic(view.items.at(position));
    if (item === undefined) break;
    if (isMark(item)) marks.push(item);
  }
  return marks;
}

/** How many marks say this. */
export function markCount(view: ContextView, label: string): number {
  return marksOf(view).filter((mark) => mark.label === label).length;
}

/** A state as an item. */
export function mark(label: string): SyntheticItem {
  const at = Number(/\d+/.exec(label)?.[0] ?? 0);
  const name = label === FAILED ? "failedAttempt" : label === RESCUE_FAILED ? "failedRescue" : "clearedUpTo";
  return { kind: "note", name, category: "other", tokens: 0, label, count: at };
}

/** First position of what is about to be sent: it is no part of the history yet, and always stays. */
export function pendingFrom(view: ContextView): number {
  const { columns, items } = view;
  let position = items.length;
  while (position > 0) {
    const item = items.at(position - 1);
    if (item >= columns.length || columns.origin[item] === RESPONSE) break;
    position -= 1;
  }
  return position;
}

/** The items less results whose call goes, and what stands within them; a result that names no call stays. */
export function withTheirCalls(view: ContextView, items: readonly ItemIndex[]): readonly ItemIndex[] {
  const { kind, pair, message } = view.columns;
  const isBound = (item: ItemIndex) => kind[item] === RESULT && (pair[item] ?? -1) >= 0;
  if (!items.some(isBound)) return items;
  const kept = new Set(items);
  let orphan = -1;
  return items.filter((item) => {
    if (kind[item] === RESULT) orphan = isBound(item) && !kept.has(pair[item] ?? -1) ? item : -1;
    else if (kind[item] !== IMAGE || orphan < 0 || message[item] !== message[orphan]) orphan = -1;
    return orphan < 0;
  });
}

/** What the items come to. */
export function tokensOf(view: ContextView, items: readonly ItemIndex[]): Tokens {
  return items.reduce((sum, item) => sum + view.tokensOf(item), 0);
}

/** Tokens of the acknowledgement by the `/context` rule and by the compaction rule alike. */
const ACKNOWLEDGEMENT_TOKENS: Tokens = Math.ceil(ACKNOWLEDGEMENT.length / CHARS_PER_TOKEN);
/** What the model is made to say after a summary. */
export const acknowledgementItem: SyntheticItem = {
  kind: "acknowledgement",
  name: "acknowledgement",
  role: "assistant",
  category: "other",
  tokens: ACKNOWLEDGEMENT_TOKENS,
  label: "acknowledgement",
};

/** The history stays, with a mark of the failure at its front. */
export function failure(
  view: ContextView,
  label: string,
  summaryCallTokens: Tokens,
  outcome: "failed" | "blocked",
): Retention {
  return {
    kept: everything(view),
    truncated: [],
    cleared: [],
    added: [mark(label)],
    addedAt: "front",
    outcome,
    summaryTokens: 0,
    summaryCallTokens,
  };
}

/** A picture, no sound or document; without the measure every image is taken for one. */
export function isPicture(columns: SessionColumns, item: ItemIndex): boolean {
  return columns.kind[item] === IMAGE && (columns.measures["qwen-code.image"]?.[item] ?? 1) === 1;
}

/** The limits for a window under the settings. */
export const thresholdsOf = perSettings((window: Tokens, settings: Settings) =>
  computeThresholds(window, {
    share: numberSetting(settings, "threshold"),
    summaryReserve: numberSetting(settings, "summaryReserve"),
    autoBuffer: numberSetting(settings, "autoBuffer"),
  }),
);

/** What stands in the place of a picture that was cleared. */
export const CLEARED_MEDIA_TOKENS: Tokens = Math.ceil("[Old inline media cleared: image/png]".length / CHARS_PER_TOKEN);
