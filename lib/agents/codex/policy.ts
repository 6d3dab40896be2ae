import type { Bytes, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KINDS, ORIGINS, recordedContext, type SessionColumns } from "@/lib/core/columns/columns";
import { summaryFails } from "@/lib/core/compaction/common-settings";
import type { ContextView, Policy, Retention } from "@/lib/core/compaction/policy";
import { summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { apportion } from "@/lib/core/tokens/item-estimator";
import {
  CONTENT_ITEM_BYTES,
  IMAGE_ITEM_BYTES,
  isOwnCount,
  nineTenths,
  OUTPUT_BYTES,
  resized,
  tokensOfBytes,
  truncatedBytes,
  USER_MESSAGE_BYTES,
} from "./constants";
import { CODEX_PRESETS, codexSettings } from "./presets";

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
  measures: CODEX_MEASURES,
  entryTokens,
  threshold: limitOf,
  shouldCompact: (view, settings) => (usageOf(view, settings) >= limitOf(view.window, settings) ? "threshold" : null),
  compact,
};

/** `current` is the only preset that knows remote compaction. */
function isCurrent(settings: Settings): boolean {
  return typeof settings.remote === "boolean";
}

/** The limit in force. The release takes a configured one as it is, `current` at most nine tenths of the window. */
function limitOf(window: Tokens, settings: Settings): Tokens {
  const configured = numberSetting(settings, "autoCompactLimit");
  return isCurrent(settings) ? Math.min(configured, nineTenths(window)) : configured;
}

/**
 * What is compared: the last response's total, input and output, and the reasoning of earlier turns, which the server does
 * not count although it is sent; `current` adds what came after the response.
 */
function usageOf(view: ContextView, settings: Settings): Tokens {
  return view.lastInput + view.lastOutput + uncountedReasoning(view) + (isCurrent(settings) ? view.added : 0);
}

/**
 * Reasoning before the last typed message, where the last input is a recorded one: an estimated input holds it already.
 * Source: systems/codex.md §2, `get_total_token_usage`, for a server that does not say that it counts it.
 */
function uncountedReasoning(view: ContextView): Tokens {
  if (view.lastInput <= 0 || recordedContext(view.columns, view.request - 1) !== view.lastInput) return 0;
  let position = view.items.length - 1;
  while (position >= 0 && ((view.columns.flags[view.items.at(position)] ?? 0) & FLAG.TURN_START) === 0) position -= 1;
  let tokens = 0;
  for (position -= 1; position >= 0; position--) {
    const item = view.items.at(position);
    if (view.columns.kind[item] === THINKING) tokens += view.tokensOf(item);
  }
  return tokens;
}

const THINKING = KINDS.indexOf("thinking");

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

interface Selection {
  /** Remote compaction keeps a message's texts apart, and its images; local compaction joins the texts to one. */
  readonly remote: boolean;
  readonly budget: Tokens;
  /** Bit of the measure `codex.retained`. */
  readonly bit: number;
}

/** A kept message: its items that stay, and those of them whose size changes. */
interface SelectedMessage {
  readonly items: readonly ItemIndex[];
  readonly resized: readonly (readonly [ItemIndex, Tokens])[];
}

/** A user message of the context. */
interface UserMessage {
  readonly texts: readonly ItemIndex[];
  readonly images: readonly ItemIndex[];
  /** Bytes of each text as it stands now: an earlier compaction may have truncated it. */
  readonly bytes: readonly Bytes[];
  /** It went through a compaction already. */
  readonly carried: boolean;
}

const IMAGE = KINDS.indexOf("image");
const TYPED = ORIGINS.indexOf("typed");

/** The newest user messages within the budget, the first that does not fit truncated to the rest. In context order. */
function selectMessages(view: ContextView, selection: Selection): readonly SelectedMessage[] {
  const selected: SelectedMessage[] = [];
  let remaining = selection.budget;
  for (const message of currentMessages(view, selection).toReversed()) {
    if (remaining === 0) break;
    const cost = costOf(message.bytes, selection);
    const bytes = cost > remaining ? truncatedTo(message.bytes, remaining, selection) : message.bytes;
    selected.push(selection.remote ? keptApart(view, message, bytes) : keptJoined(view, message, bytes));
    remaining = Math.max(0, remaining - cost);
  }
  return selected.reverse();
}

/** Tokens that a message takes of the budget. */
function costOf(bytes: readonly Bytes[], { remote }: Selection): Tokens {
  return remote ? Math.max(1, sum(bytes.map(tokensOfBytes))) : tokensOfBytes(sum(bytes));
}

/** The texts' bytes within a budget: joined and cut in the middle, or cut one by one until it is used up. */
function truncatedTo(bytes: readonly Bytes[], budget: Tokens, { remote }: Selection): readonly Bytes[] {
  if (!remote) return apportion(truncatedBytes(sum(bytes), budget), bytes);
  let remaining = budget;
  return bytes.map((size) => {
    if (remaining === 0) return 0;
    const after = truncatedBytes(size, remaining);
    remaining = Math.max(0, remaining - tokensOfBytes(size));
    return after;
  });
}

/** Local: one message of one text. The items of its texts share that message's size, its images go. */
function keptJoined(view: ContextView, message: UserMessage, bytes: readonly Bytes[]): SelectedMessage {
  const { texts } = message;
  const after: Shape = [USER_MESSAGE_BYTES, bytes];
  const wrapper = message.carried ? USER_MESSAGE_BYTES : wrapperBytes(texts.length);
  return {
    items: texts,
    resized: withoutImages(view, message, after) ?? resizedTexts(view, texts, [wrapper, message.bytes], after),
  };
}

/**
 * Sizes of the texts of a message that loses its images: under Codex's own count a text alone takes more than the share
 * that it had. `undefined` where there are none to lose, or under another count.
 */
function withoutImages(view: ContextView, message: UserMessage, after: Shape): SelectedMessage["resized"] | undefined {
  const { texts, images, carried } = message;
  if (images.length === 0 || carried) return undefined;
  const imageBytes = sum(images.map((item) => IMAGE_ITEM_BYTES + (view.columns.bytes[item] ?? 0)));
  const before = jsonBytes(view.columns, texts, [wrapperBytes(texts.length) + imageBytes, message.bytes]);
  const tokens = sum([...texts, ...images].map((item) => view.tokensOf(item)));
  if (!isOwnCount(tokens, before)) return undefined;
  return shared(texts, resized(tokens, before, jsonBytes(view.columns, texts, after)), after);
}

/** Remote: the message as it was, less the texts for which there was no room. */
function keptApart(view: ContextView, message: UserMessage, bytes: readonly Bytes[]): SelectedMessage {
  const stays = message.texts.filter((_, index) => message.bytes[index] === bytes[index] || (bytes[index] ?? 0) > 0);
  const changes = resizedTexts(
    view,
    message.texts,
    [wrapperBytes(message.texts.length), message.bytes],
    [wrapperBytes(stays.length), bytes],
  );
  const items = new Set(stays);
  return {
    items: [...stays, ...message.images].sort((a, b) => a - b),
    resized: changes.filter(([item]) => items.has(item)),
  };
}

function wrapperBytes(texts: number): Bytes {
  return USER_MESSAGE_BYTES + CONTENT_ITEM_BYTES * Math.max(0, texts - 1);
}

/** A message around its texts: bytes of the wrapper, and of every text. */
type Shape = readonly [wrapper: Bytes, texts: readonly Bytes[]];

/** The texts' tokens when their message changes its shape; none where it keeps it. */
function resizedTexts(
  view: ContextView,
  texts: readonly ItemIndex[],
  before: Shape,
  after: Shape,
): SelectedMessage["resized"] {
  if (before[0] === after[0] && sum(before[1]) === sum(after[1])) return [];
  const tokens = sum(texts.map((item) => view.tokensOf(item)));
  const total = resized(tokens, jsonBytes(view.columns, texts, before), jsonBytes(view.columns, texts, after));
  return shared(texts, total, after);
}

function shared(texts: readonly ItemIndex[], total: Tokens, after: Shape): SelectedMessage["resized"] {
  const shares = apportion(total, after[1]);
  return texts.map((item, index) => [item, shares[index] ?? 0] as const);
}

/** Bytes of a message's JSON. A text's escapes are taken to be spread evenly over it. */
function jsonBytes(columns: SessionColumns, texts: readonly ItemIndex[], [wrapper, bytes]: Shape): Bytes {
  const escaped = columns.measures["codex.jsonBytes"];
  const parts = texts.map((item, index) => {
    const whole = columns.bytes[item] ?? 0;
    const now = bytes[index] ?? 0;
    return whole > 0 ? (now * (escaped?.[item] ?? whole)) / whole : now;
  });
  return Math.round(wrapper + sum(parts));
}

/**
 * The user messages of the context as they stand now, oldest first. Of those that went through a compaction only the
 * oldest can have been truncated: to what the others left of the budget.
 */
function currentMessages(view: ContextView, selection: Selection): readonly UserMessage[] {
  const messages = userMessages(view, selection.bit);
  const [first, ...rest] = messages;
  if (first === undefined || !first.carried) return messages;
  const others = rest.filter((message) => message.carried).map((message) => costOf(message.bytes, selection));
  const room = Math.max(0, selection.budget - sum(others));
  if (costOf(first.bytes, selection) <= room) return messages;
  return [{ ...first, bytes: truncatedTo(first.bytes, room, selection) }, ...rest];
}

/** The user messages before a summary went through the compaction that made it. */
function userMessages(view: ContextView, bit: number): readonly UserMessage[] {
  const summary = newestSummary(view);
  const messages: { texts: ItemIndex[]; images: ItemIndex[]; bytes: Bytes[]; carried: boolean; index: number }[] = [];
  for (let position = 0; position < view.items.length; position++) {
    const item = view.items.at(position);
    if (item >= view.columns.length || !isKept(view.columns, item, bit)) continue;
    const index = view.columns.message[item] ?? -1;
    let last = messages.at(-1);
    if (last?.index !== index) {
      last = { texts: [], images: [], bytes: [], carried: position < summary, index };
      messages.push(last);
    }
    if (view.columns.kind[item] === IMAGE) last.images.push(item);
    else {
      last.texts.push(item);
      last.bytes.push(view.columns.bytes[item] ?? 0);
    }
  }
  return messages;
}

function newestSummary(view: ContextView): number {
  for (let position = view.items.length - 1; position >= 0; position--) {
    if (view.items.at(position) >= view.columns.length) return position;
  }
  return -1;
}

/** Where the measure is not there, what a person typed. */
function isKept(columns: SessionColumns, item: ItemIndex, bit: number): boolean {
  const retained = columns.measures["codex.retained"];
  return retained === undefined ? columns.origin[item] === TYPED : ((retained[item] ?? 0) & bit) !== 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
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
