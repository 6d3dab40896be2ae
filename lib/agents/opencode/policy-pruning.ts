import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KINDS, ORIGINS } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { CLEARED_TEXT, CONTINUE_LABEL, KEPT_TOOL, PRUNE_TURNS } from "./constants";
import { tokensOfChars } from "./tokens";

const RESULT = KINDS.indexOf("tool_result");
const RESPONSE = ORIGINS.indexOf("response");
const TYPED = ORIGINS.indexOf("typed");
/** JSON around a result's text where no measure says it. */
const WRAPPER_CHARS = 120;

/**
 * Results that are cleared after a turn, with what is left of them; media that stood beside them goes. Nothing within a
 * turn, and nothing where clearing is off. Source: systems/opencode.md §4.
 */
export function clearedResults(
  view: ContextView,
  settings: Settings,
): readonly (readonly [item: ItemIndex, tokens: Tokens])[] {
  if (settings.prune !== true || !view.turnStart) return [];
  const protect = numberSetting(settings, "pruneProtect");
  const { columns } = view;
  const found: (readonly [ItemIndex, Tokens])[] = [];
  let [turns, total, pruned] = [0, 0, 0];
  for (let position = historyEnd(view) - 1; position >= 0; position--) {
    const item = view.items.at(position);
    // A summary ends the walk, and so does an output that was cleared before.
    if (item >= columns.length) {
      if (view.synthetic(item)?.label !== CONTINUE_LABEL) break;
      turns += 1;
      continue;
    }
    if (opensTurn(view, item)) turns += 1;
    if (turns < PRUNE_TURNS || columns.kind[item] !== RESULT || isExempt(view, item)) continue;
    if (isCleared(view, item)) break;
    const tokens = tokensOfChars(columns.chars[item] ?? 0);
    total += tokens;
    if (total <= protect) continue;
    pruned += tokens;
    found.push([item, leftOf(view, item)], ...mediaOf(view, position));
  }
  return pruned > numberSetting(settings, "pruneMinimum") ? found : [];
}

/** Position behind the last response: the new turn's message came after the clearing. */
function historyEnd(view: ContextView): number {
  const { columns } = view;
  const sent = columns.requests.firstItem[view.request - 1] ?? 0;
  for (let position = view.items.length - 1; position >= 0; position--) {
    const item = view.items.at(position);
    if (item >= columns.length || item < sent || columns.origin[item] === RESPONSE) return position + 1;
  }
  return 0;
}

/** The first item of a message that opens a turn. */
function opensTurn(view: ContextView, item: ItemIndex): boolean {
  const { measures, origin, message } = view.columns;
  const turn = measures["opencode.turn"];
  const opens = turn === undefined ? origin[item] === TYPED : turn[item] === 1;
  return opens && message[item - 1] !== message[item];
}

/** Failed calls, and the one tool whose output always stays. */
function isExempt(view: ContextView, item: ItemIndex): boolean {
  const { flags, tool, tables } = view.columns;
  return ((flags[item] ?? 0) & FLAG.ERROR) !== 0 || tables.tools[tool[item] ?? -1] === KEPT_TOOL;
}

function isCleared(view: ContextView, item: ItemIndex): boolean {
  const { measures, chars } = view.columns;
  const whole = measures["opencode.json"]?.[item] ?? (chars[item] ?? 0) + WRAPPER_CHARS;
  const cleared = measures["opencode.cleared"]?.[item] ?? CLEARED_TEXT.length + WRAPPER_CHARS;
  const tokens = view.tokensOf(item);
  // Under another token rule sizes are in proportion: then a size far too small for the whole tells.
  return (tokens <= tokensOfChars(cleared) + 1 && cleared + 8 < whole) || tokens < (tokensOfChars(whole) * 2) / 5;
}

function leftOf(view: ContextView, item: ItemIndex): Tokens {
  const { measures, chars } = view.columns;
  const whole = measures["opencode.json"]?.[item] ?? (chars[item] ?? 0) + WRAPPER_CHARS;
  const cleared = measures["opencode.cleared"]?.[item] ?? CLEARED_TEXT.length + WRAPPER_CHARS;
  return Math.round((view.tokensOf(item) * cleared) / Math.max(1, whole));
}

/** Media behind a result, which goes with it. */
function mediaOf(view: ContextView, position: number): readonly (readonly [ItemIndex, Tokens])[] {
  const { columns } = view;
  const found: (readonly [ItemIndex, Tokens])[] = [];
  const message = columns.message[view.items.at(position)];
  for (let next = position + 1; next < view.items.length; next++) {
    const item = view.items.at(next);
    if (columns.message[item] !== message || columns.kind[item] === RESULT) break;
    if (columns.kind[item] === IMAGE) found.push([item, 0]);
  }
  return found;
}

const IMAGE = KINDS.indexOf("image");
