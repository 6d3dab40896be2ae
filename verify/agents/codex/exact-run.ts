import { effectiveWindow, nineTenths, tokensOfBytes, truncatedBytes } from "@/lib/agents/codex/base/constants";
import type { CodexPreset } from "@/lib/agents/codex/base/presets";
import { imageLabels, isRetained, nativeItems, staysAfterwards } from "@/lib/agents/codex/estimator";
import { SUMMARY_PREFIX } from "@/lib/agents/codex/messages/contextual";
import { itemTokens } from "@/lib/agents/codex/messages/estimate";
import {
  contentItems,
  messageTexts,
  type ResponseItem,
  stringField,
  typedTexts,
  userMessage,
} from "@/lib/agents/codex/messages/item";
import { pairing } from "@/lib/agents/codex/sent/normalize";
import type { TruncationPolicy } from "@/lib/agents/codex/sent/truncate";
import { assertDefined } from "@/lib/core/base/assert";
import { utf8Length } from "@/lib/core/base/characters";
import { sumOf } from "@/lib/core/base/numbers";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { KIND, recordedContext } from "@/lib/core/columns/columns";
import { callSize } from "@/lib/core/compaction/retention";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import { apportion } from "@/lib/core/tokens/item-estimator";
import type { CheckedRun } from "@/verify/support/checked-agent";
import { joinedSpans, type Span } from "@/verify/support/cross-check";
import { callFails, SteppedRun } from "@/verify/support/stepped-run";
import type { Step } from "@/verify/support/steps";
import { collectUserMessages, compact } from "./compaction";
import { totalTokenUsage } from "./conformance";
import { assumedText, cutTo, type Held, outputSpan, summaryOf } from "./held-item";
import { recordItems, withoutFirstItem } from "./recorded-history";
import { remoteCompactedHistory } from "./remote";

/** True if a service compacts. */
function isRemote(preset: CodexPreset, { remote }: Readonly<Record<string, unknown>>): boolean {
  return preset === "current" && remote !== false;
}

const SUMMARY = "What was done: everything that was asked for, in order, and what is left.";
const SUMMARY_ITEM = userMessage(`${SUMMARY_PREFIX}\n${SUMMARY}`);
const ANSWER: ResponseItem = {
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text: SUMMARY }],
};
const EMPTY_RESPONSE: ResponseItem = { ...ANSWER, content: [] };
const EMPTY_ITEM = userMessage(`${SUMMARY_PREFIX}\n`);
const EMPTY_ANSWER: ResponseItem = { ...ANSWER, content: [{ type: "output_text", text: "" }] };
const COMPACTION_ITEM: ResponseItem = { type: "compaction", encrypted_content: "x".repeat(4000) };
const UNKNOWN_ITEM: ResponseItem = { type: "other" };
const CUT = "a cut text: whole characters, escapes not evenly spread";
const NEAR = "a limit within the bound of a cut text";

/** Size of the summary that replaces the history, under the given settings. */
export function summaryTokens(preset: CodexPreset, given: Readonly<Record<string, unknown>>): Tokens {
  return itemTokens(isRemote(preset, given) ? COMPACTION_ITEM : SUMMARY_ITEM, preset);
}

/** The usage that is compared with the limit. */
interface Usage {
  readonly tokens: Tokens;
  readonly span: Span;
}

/** Runs the exact rules over a recording, request by request, next to the policy's run. */
export class ExactRun extends SteppedRun<CodexPreset> {
  readonly #entry: TruncationPolicy;
  #history: readonly Held[] = [];
  /** Tokens of the first request since the last summary; unknown until it is answered. */
  #prefix: Usage | undefined;
  #calls = 0;
  /** Changes of the items whose call or output is missing, by message and place within it. */
  readonly #pairing: ReadonlyMap<string, Tokens>;
  /** Rows of the labels around images. */
  readonly #labels = new Set<ItemIndex>();

  constructor(run: CheckedRun<CodexPreset>) {
    super(run);
    const { entryTruncation, toolOutputTokens } = this.settings;
    const limit = entryTruncation === true ? Number(toolOutputTokens) : Number.MAX_SAFE_INTEGER / 8;
    this.#entry = { mode: "tokens", limit };
    this.#pairing = entryTruncation === true ? this.#pairedSizes() : new Map();
  }

  protected override step(step: Step): void {
    const { present, next } = this.#nextTurn(step);
    const usage = this.#bringUpToDate({ ...step, added: present });
    const entering = next.flatMap((index) => this.#itemsOf(index));
    const where = `request ${step.request}`;
    const got = this.byRequest.get(step.request);
    this.#trigger(where, usage, got !== undefined);
    if (got === undefined) {
      this.#history = [...this.#history, ...entering];
      this.#close(`${where}, context`, this.numbers.context[step.request] ?? 0);
    } else this.#compaction(where, got, entering);
  }

  /** Separates the session at Codex's decision from the later records: the message that begins a turn, and everything after it. */
  #nextTurn({ added, takenBack }: Step): { readonly present: readonly number[]; readonly next: readonly number[] } {
    const { messages } = this.loaded.transcript;
    const stays = added.filter((index) => !takenBack.includes(index));
    const last = stays.findLastIndex((index) => messages[index]?.origin === "typed");
    const isWithin = stays.slice(last).some((index) => ["tool", "response"].includes(messages[index]?.origin ?? ""));
    if (last < 0 || isWithin) return { present: added, next: [] };
    const next = stays.slice(last);
    return { present: added.filter((index) => !next.includes(index)), next };
  }

  #bringUpToDate({ request, response, added, rowsTakenBack, emptied }: Step): Usage {
    const lastInput = request === 0 ? 0 : this.#size();
    if (lastInput > 0) this.#prefix ??= { tokens: lastInput, span: this.#span() };
    this.#enter(response);
    const lastOutput = request === 0 ? 0 : this.#size() - lastInput;
    const ofResponse = this.#span();
    const answered = this.#history.length;
    this.#enter(added);
    const isTakenBack = ({ rows }: Held) => (rows.length === 0 ? emptied : rows.some((row) => rowsTakenBack.has(row)));
    if (rowsTakenBack.size > 0 || emptied) this.#history = this.#history.filter((held) => !isTakenBack(held));
    // The server's count lacks earlier reasoning, while an estimate includes it.
    const isServers = lastInput > 0 && recordedContext(this.loaded.columns, request - 1) === lastInput;
    const items = this.#history.map(({ item }) => item);
    // A response without any record still separates the messages sent with its request from later ones.
    if (request > 0 && response.length === 0 && rowsTakenBack.size === 0) items.splice(answered, 0, EMPTY_RESPONSE);
    const tokens = totalTokenUsage(items, lastInput + lastOutput, !isServers, this.choice.preset);
    return { tokens, span: this.choice.preset === "current" ? this.#span() : ofResponse };
  }

  #trigger(where: string, { tokens, span }: Usage, compacted: boolean): void {
    const over = this.#over({ tokens, span });
    if (over.tokens >= 0 === compacted) return;
    const [least, most] = over.span;
    const reached = compacted ? over.tokens + most >= 0 : over.tokens + least < 0;
    if (reached) this.comparison.allow(NEAR, Math.abs(over.tokens));
    else this.comparison.differs(`${where}: usage ${tokens}, over by ${over.tokens}, numbers compact: ${compacted}`);
  }

  /** Excess of usage over the limit; of two limits, the larger excess. */
  #over({ tokens, span: [least, most] }: Usage): Usage {
    const configured = Number(this.settings.autoCompactLimit);
    if (this.settings.limitScope !== "body_after_prefix")
      return { tokens: tokens - this.#limit(), span: [least, most] };
    const full = tokens - effectiveWindow(this.choice.window, 95);
    // Before the first response to the prefix, no tokens follow the prefix.
    const { tokens: prefix, span } = this.#prefix ?? { tokens, span: [0, 0] };
    const after = tokens - prefix - configured;
    if (this.#prefix !== undefined && after >= 0 !== full >= 0) this.comparison.met("one limit of two");
    return { tokens: Math.max(after, full), span: [least - span[1], most - span[0]] };
  }

  #compaction(where: string, got: SimulatedCompaction, entering: readonly Held[]): void {
    const before = this.#history;
    const span = this.#span();
    const sent = this.#callTokens();
    this.#history = [...before, ...entering];
    this.#close(`${where}, before`, got.tokensBefore);
    const fails = callFails(this.settings, this.#calls++);
    const outcome = fails ? "failed" : "summary";
    this.#history = before;
    if (!fails) {
      this.#history = this.#isRemote ? this.#compactedRemotely() : this.#compactedLocally();
      this.#prefix = undefined;
    }
    const summary = fails ? 0 : (this.#history.at(-1)?.tokens ?? 0);
    this.sameFacts(where, got, { outcome, summary, sent: [sent, span, CUT] });
    this.#history = [...this.#history, ...entering];
    if (entering.length > 0) this.comparison.met("compacted before a turn");
    this.#close(`${where}, after`, got.tokensAfter);
    this.sameRows(
      where,
      got,
      this.#history.flatMap(({ rows }) => rows),
    );
  }

  /** A local call omits its oldest items until it fits. */
  #callTokens(): Tokens {
    const { window, preset } = this.choice;
    const tokens = new Map(this.#history.map((held) => [held.item, held.tokens]));
    let items: readonly ResponseItem[] = this.#history.map(({ item }) => item);
    const size = () => this.loaded.overhead + sumOf(items.map((item) => tokens.get(item) ?? 0));
    if (this.#isRemote) return callSize(Math.min(size(), window));
    while (size() > window && items.length > 0) items = withoutFirstItem(items, preset);
    return callSize(size());
  }

  get #isEmpty(): boolean {
    return this.settings.failSummary === "empty";
  }

  get #isRemote(): boolean {
    return isRemote(this.choice.preset, this.settings);
  }

  /** Tokens of everything, including the overhead. */
  #size(): Tokens {
    return this.loaded.overhead + sumOf(this.#history.map(({ tokens }) => tokens));
  }

  #span(): Span {
    return joinedSpans(this.#history.map(({ span }) => span));
  }

  #close(where: string, got: Tokens): void {
    this.comparison.close(where, got, this.#size(), this.#span(), CUT);
  }

  #limit(): Tokens {
    const limit = Number(this.settings.autoCompactLimit);
    return this.choice.preset === "current" ? Math.min(limit, nineTenths(this.choice.window)) : limit;
  }

  #enter(messages: readonly number[]): void {
    const entered = messages.flatMap((index) => this.#itemsOf(index));
    this.#history = [...this.#history, ...entered];
  }

  #paired(place: string, tokens: Tokens): Tokens {
    const change = this.#pairing.get(place) ?? 0;
    return change === Number.NEGATIVE_INFINITY ? 0 : tokens + change;
  }

  /** The prompt of the whole recording decides which outputs are removed, and which are generated. */
  #pairedSizes(): ReadonlyMap<string, Tokens> {
    const { transcript, contents, format } = this.loaded;
    const { preset } = this.choice;
    const placed = transcript.messages.flatMap((message, index) =>
      nativeItems(message, contents(index), format).map(({ item, blocks }, at) => ({
        item,
        place: `${index}:${at}`,
        hasId: message.blocks[blocks[0] ?? -1]?.callId !== undefined,
      })),
    );
    const { removed, added } = pairing(
      placed.filter(({ hasId }) => hasId).map(({ item }) => item),
      preset,
      format,
    );
    const changes = new Map<string, Tokens>();
    for (const { item, place } of placed) {
      const output = added.get(item);
      if (removed.has(item)) changes.set(place, Number.NEGATIVE_INFINITY);
      else if (output !== undefined) changes.set(place, itemTokens(output, preset));
    }
    return changes;
  }

  #itemsOf(index: number): readonly Held[] {
    const { transcript, contents, format, rowsOf } = this.loaded;
    const message = assertDefined(transcript.messages[index], "the message");
    const rows = rowsOf(index);
    return nativeItems(message, contents(index), format).map(({ item, blocks }, at) => {
      const recorded = recordItems([item], this.#entry, this.choice.preset)[0];
      // For kinds that the preset does not know, the numbers have rows of size 0.
      const entered = recorded ?? UNKNOWN_ITEM;
      const labels = imageLabels(item);
      const ownRows = blocks.map((block) => rows[block] ?? -1);
      for (const [part, row] of ownRows.entries()) if (labels[part] === true) this.#labels.add(row);
      return {
        item: entered,
        tokens: this.#paired(`${index}:${at}`, recorded === undefined ? 0 : itemTokens(recorded, this.choice.preset)),
        rows: ownRows,
        isUser: message.origin === "typed" || (format === "codex" && message.origin !== "summary"),
        isInitial: message.initialContext === true,
        span: outputSpan(item, entered, this.#entry),
        texts: (this.#isRemote ? messageTexts : typedTexts)(item).map(assumedText),
      };
    });
  }

  #compactedLocally(): readonly Held[] {
    const budget = Number(this.settings.userMessageTokens);
    const users = this.#history.filter(
      ({ item, isUser, isInitial }) =>
        isUser && !isInitial && collectUserMessages([item], this.choice.preset).length > 0,
    );
    const initial = this.#history.filter(({ isInitial }) => isInitial);
    const { history } = compact(
      {
        items: [...users.map(({ item }) => item), this.#isEmpty ? EMPTY_ANSWER : ANSWER],
        initialContext: initial.map(({ item }) => item),
        baseInstructions: "",
        userMessageTokens: budget,
        midTurn: true,
      },
      this.choice.preset,
    );
    const initialItems = new Set(initial.map(({ item }) => item));
    const kept = history.filter((item) => !initialItems.has(item)).slice(0, -1);
    const from = users.length - kept.length;
    return [
      ...initial,
      ...kept.map((item, at) => this.#joined(assertDefined(users[from + at], "the message"), item, kept, at)),
      summaryOf(this.#isEmpty ? EMPTY_ITEM : SUMMARY_ITEM, this.choice.preset),
    ];
  }

  /**
   * A user message after local compaction: its texts joined into one, without its images and their labels. Without a text, the first image's row
   * carries the empty one.
   */
  #joined(original: Held, item: ResponseItem, kept: readonly ResponseItem[], at: number): Held {
    const texts = original.rows.filter((row) => !this.#isImage(row) && !this.#labels.has(row));
    const rows = texts.length > 0 ? texts : original.rows.filter((row) => this.#isImage(row)).slice(0, 1);
    const before = typedTexts(original.item).join("");
    const after = messageTexts(item).join("");
    if (before === after) return this.#resized(original, item, rows);
    const newer = kept.slice(at + 1).map((message) => tokensOfBytes(utf8Length(messageTexts(message).join(""))));
    const room = Number(this.settings.userMessageTokens) - sumOf(newer);
    const sizes = original.texts.map(({ bytes }) => bytes);
    const shares = apportion(truncatedBytes(sumOf(sizes), room), sizes);
    return { ...this.#resized(original, item, rows), ...cutTo(original.texts, shares, after) };
  }

  #compactedRemotely(): readonly Held[] {
    const initial = this.#history.filter(({ isInitial }) => isInitial);
    const candidates = this.#history.filter(
      ({ item, isUser, isInitial }) => isUser && !isInitial && isRetained(item) && staysAfterwards(item),
    );
    const budget = Number(this.settings.retainedTokens);
    const history = remoteCompactedHistory(
      candidates.map(({ item }) => item),
      COMPACTION_ITEM,
      budget,
    ).slice(0, -1);
    const kept: Held[] = [];
    let at = candidates.length - 1;
    let room = budget;
    for (const item of history.toReversed()) {
      const original = assertDefined(candidates[at--], "the message");
      kept.push(item === original.item ? original : this.#cutEachText(original, item, room));
      room -= Math.max(1, sumOf(messageTexts(original.item).map((text) => tokensOfBytes(utf8Length(text)))));
    }
    return [...initial, ...kept.reverse(), summaryOf(COMPACTION_ITEM, this.choice.preset)];
  }

  /** A message truncated by its texts: the first texts are kept, and every image. */
  #cutEachText(original: Held, item: ResponseItem, room: Tokens): Held {
    let texts = contentItems(item.content).filter((entry) => stringField(entry, "text") !== undefined).length;
    const rows = original.rows.filter((row) => this.#isImage(row) || texts-- > 0);
    let remaining = room;
    const sizes = original.texts.map(({ bytes }) => {
      const size = remaining === 0 ? 0 : truncatedBytes(bytes, remaining);
      remaining = Math.max(0, remaining - tokensOfBytes(bytes));
      return size;
    });
    return { ...this.#resized(original, item, rows), ...cutTo(original.texts, sizes, messageTexts(item).join("")) };
  }

  #resized(original: Held, item: ResponseItem, rows: readonly ItemIndex[]): Held {
    return { ...original, item, tokens: itemTokens(item, this.choice.preset), rows };
  }

  #isImage(row: ItemIndex): boolean {
    return this.loaded.columns.kind[row] === KIND.image;
  }
}
