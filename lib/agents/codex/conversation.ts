import type { Milliseconds } from "@/lib/core/base/units";
import { utf8Length } from "@/lib/core/tokens/characters";
import { block, type TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Block, Message, Origin, Role, Usage } from "@/lib/core/transcript/model";
import type { SourceRecord } from "@/lib/core/transcript/reader";
import { titleOf } from "../title";
import { type BlockDraft, blocksOf } from "./blocks";
import { contextCategory } from "./context-category";
import { isContextual, isSummaryText, isTurnAborted } from "./contextual";
import { type HistoryEntry, historyKey, keptByRule, matchHistory, withoutLastTurns } from "./history";
import { isCompactionItem, isMessage, isModelGenerated, messageTexts, type ResponseItem, typedTexts } from "./item";
import { itemsOfRecord } from "./record-contents";
import { isRecorded } from "./recorded-history";
import type { TokenUsage } from "./schema";
import { timeOf } from "./time";
import { BYTES_PER_TOKEN } from "./tokens";

/** Budget of user messages that a local compaction keeps. Source: systems/codex.md §6, COMPACT_USER_MESSAGE_MAX_TOKENS. */
const KEPT_USER_TOKENS = 20_000;
/** The desktop application and the editors write the typed text below this heading. */
const REQUEST_HEADING = "## My request for Codex:";
/** Kinds that are never sent, or not part of the history. */
const UNSENT = new Set(["ghost_snapshot", "compaction_trigger", "other", "additional_tools"]);

/**
 * Writes messages, request points and boundaries.
 *
 * A response is the run of model-generated items up to the `token_count` that pays for it. Until about 0.104 that count
 * stands between the calls and their outputs, from 0.140 on after the outputs; where there is none, the next output or
 * user message ends the response.
 */
export class ConversationWriter {
  readonly #builder: TranscriptBuilder;
  #model: string | undefined;
  /** Further model-generated items belong to the last request point. */
  #open = false;
  /** The last request point still waits for its usage. */
  #unpaid = false;
  #conversationBegan = false;
  #titled = false;
  #compactions = 0;
  #lastTotal: TokenUsage | undefined;
  #history: readonly HistoryEntry[] = [];
  #pending: HistoryEntry[] = [];

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  model(name: string | undefined): void {
    this.#model = name ?? this.#model;
  }

  /** A response item, wrapped or bare. `name` is the record's kind, for what we do not know. */
  item(item: ResponseItem, record: SourceRecord, at: number | undefined, name: string): void {
    const drafts = blocksOf(item);
    if (drafts.length === 0) {
      if (!UNSENT.has(item.type)) this.#builder.unknownRecord(name, record.line);
      return;
    }
    if (!isRecorded(item, "current")) return;
    const origin = originOf(item);
    this.#follow(item, origin, record, at);
    const message = this.#builder.message(this.#message(item, origin, drafts, { record, at, part: 0, copy: false }));
    this.#remember(item, origin, message);
    if (origin === "typed") this.#title(item);
  }

  /** Moves the state of the response that an item belongs to, opening a request point where one starts. */
  #follow(item: ResponseItem, origin: Origin, record: SourceRecord, at: number | undefined): void {
    if (origin === "response" && isModelGenerated(item)) {
      if (!this.#open) this.#request(record, at);
      this.#open = true;
      this.#conversationBegan = true;
      return;
    }
    this.#open = false;
    if (origin === "typed") {
      this.#unpaid = false;
      this.#conversationBegan = true;
    }
  }

  #request(record: SourceRecord, at: number | undefined, usage?: Usage): void {
    this.#unpaid = usage === undefined;
    this.#builder.request({
      message: this.#builder.messageCount,
      line: record.line,
      ...(at === undefined ? {} : { at }),
      ...(this.#model === undefined ? {} : { model: this.#model }),
      ...(usage === undefined ? {} : { usage }),
    });
  }

  /** A `token_count`. It counts where the running total changed and something was sent; after a compaction it is an estimate. */
  usage(total: TokenUsage, last: TokenUsage, record: SourceRecord): void {
    const changed = this.#lastTotal === undefined || !isSameTotal(total, this.#lastTotal);
    this.#lastTotal = total;
    if (last.input_tokens === 0) {
      if ((last.total_tokens ?? 0) > 0) this.#builder.problem("pseudo-usage", record.line, "token_count");
      return;
    }
    if (!changed) return;
    if (this.#unpaid) this.#builder.amendRequest({ usage: usageOf(last) });
    else this.#request(record, definedTime(timeOf(record.value)), usageOf(last));
    this.turnEnds();
  }

  /** Nothing that follows belongs to the response before. */
  turnEnds(): void {
    this.#open = false;
    this.#unpaid = false;
  }

  /** A `compacted` record: a boundary, what it kept of before, and what it put in. */
  compacted(record: SourceRecord, message: string | undefined, at: number): void {
    this.turnEnds();
    const history = this.#historyNow();
    const items = itemsOfRecord(record.value);
    const replaced = Array.isArray(itemsPayload(record)) ? items : undefined;
    const matches = matchHistory(history, items.map(historyKey));
    const kept =
      replaced === undefined ? keptByRule(history, KEPT_USER_TOKENS) : matches.flatMap((index) => history[index] ?? []);
    const summary = message !== undefined && message !== "" && replaced === undefined;
    const summarised = summary || items.some((item) => originOf(item) === "summary");
    this.#builder.boundary({
      kind: "compaction",
      line: record.line,
      ...(Number.isNaN(at) ? {} : { at }),
      trigger: "unknown",
      ...(summarised ? { summaryLine: record.line } : {}),
      message: this.#builder.messageCount,
      kept: kept.map((entry) => entry.message).sort((a, b) => a - b),
      clearedCalls: [],
    });
    this.#compactions += 1;
    this.#history = kept;
    let part = 0;
    for (const [index, item] of items.entries()) {
      const drafts = blocksOf(item);
      if (drafts.length > 0 && (matches[index] === -1 || replaced === undefined)) {
        const origin = replaced === undefined ? "summary" : originOf(item);
        const copy = this.#message(item, origin, drafts, { record, at, part, copy: true });
        this.#remember(item, origin, this.#builder.message(copy));
      }
      part += drafts.length;
    }
  }

  /** Turns that the user took back: they leave the context, though what they cost was paid. */
  rollBack(turns: number, record: SourceRecord): void {
    this.turnEnds();
    const kept = withoutLastTurns(this.#historyNow(), turns);
    this.#history = kept;
    this.#builder.problem("left-behind-branch", record.line, "thread_rolled_back");
    this.#builder.boundary({
      kind: "rollback",
      line: record.line,
      trigger: "manual",
      message: this.#builder.messageCount,
      kept: kept.map((entry) => entry.message),
      clearedCalls: [],
    });
  }

  #historyNow(): readonly HistoryEntry[] {
    if (this.#pending.length > 0) this.#history = [...this.#history, ...this.#pending];
    this.#pending = [];
    return this.#history;
  }

  #remember(item: ResponseItem, origin: Origin, message: number): void {
    const kept = origin === "typed" || (isMessage(item, "user") && isTurnAborted(item));
    const tokens = kept ? Math.ceil(utf8Length(typedTexts(item).join("")) / BYTES_PER_TOKEN) : undefined;
    this.#pending.push({
      message,
      key: historyKey(item),
      turnStart: origin === "typed" || item.type === "agent_message",
      initial: origin === "context" && !this.#conversationBegan,
      userTokens: tokens,
    });
  }

  #title(item: ResponseItem): void {
    if (this.#titled) return;
    const text = typedTexts(item).join("\n");
    const request = text.split(REQUEST_HEADING).at(-1) ?? text;
    const title = titleOf(request);
    if (title === undefined) return;
    this.#titled = true;
    this.#builder.facts({ title });
  }

  #message(item: ResponseItem, origin: Origin, drafts: readonly BlockDraft[], place: Place): Message {
    const recordedOnly = place.copy || isCompactionItem(item) || (origin === "summary" && this.#compactions > 0);
    const standing = origin === "context" && item.type === "message";
    const developer = isMessage(item, "developer");
    const categoryOf = ({ kind, text }: BlockDraft) =>
      standing && kind === "text" ? contextCategory(text, developer) : undefined;
    return {
      role: roleOf(item, origin),
      origin,
      line: place.record.line,
      ...(place.at === undefined || Number.isNaN(place.at) ? {} : { at: place.at }),
      blocks: drafts.map((draft, index) => this.#block(draft, categoryOf(draft), place, index)),
      ...(recordedOnly ? { recordedOnly } : {}),
      ...(origin === "context" && !this.#conversationBegan ? { initialContext: true } : {}),
    };
  }

  #block(draft: BlockDraft, category: Block["category"] | undefined, place: Place, index: number): Block {
    const { line, offset, length } = place.record;
    const hidden = draft.hiddenBytes;
    const text =
      hidden !== undefined
        ? { chars: hidden, bytes: hidden }
        : draft.kind === "image"
          ? this.#builder.payload(draft.text)
          : this.#builder.text(draft.text);
    const source = { line, offset, length, part: place.part + index };
    return block(draft.kind, text, source, category === undefined ? draft : { ...draft, category });
  }
}

interface Place {
  readonly record: SourceRecord;
  readonly at: number | undefined;
  /** Part of the record's first block. */
  readonly part: number;
  /** Put back by a compaction. */
  readonly copy: boolean;
}

function itemsPayload(record: SourceRecord): unknown {
  const payload = record.value.payload;
  return typeof payload === "object" && payload !== null && "replacement_history" in payload
    ? payload.replacement_history
    : undefined;
}

function definedTime(at: Milliseconds): Milliseconds | undefined {
  return Number.isNaN(at) ? undefined : at;
}

/** Whether two running totals are the same in what a request changes. */
function isSameTotal(a: TokenUsage, b: TokenUsage): boolean {
  return (
    a.input_tokens === b.input_tokens &&
    a.cached_input_tokens === b.cached_input_tokens &&
    a.output_tokens === b.output_tokens &&
    a.reasoning_output_tokens === b.reasoning_output_tokens &&
    a.total_tokens === b.total_tokens
  );
}

/** Where an item came from. A user message is typed unless a version's rule says that the agent put it in. */
function originOf(item: ResponseItem): Origin {
  if (isCompactionItem(item)) return "summary";
  if (item.type === "message") {
    if (item.role === "assistant") return "response";
    if (item.role !== "user" || isContextual(item)) return "context";
    return messageTexts(item).some(isSummaryText) ? "summary" : "typed";
  }
  if (item.type === "agent_message") return "context";
  return isModelGenerated(item) ? "response" : "tool";
}

function roleOf(item: ResponseItem, origin: Origin): Role {
  if (origin === "response" || isCompactionItem(item)) return "assistant";
  return isMessage(item, "developer") ? "system" : "user";
}

/** `input_tokens` holds the cached part; ours does not. Absent fields stay absent. */
function usageOf(last: TokenUsage): Usage {
  const { cached_input_tokens: cacheRead, cache_write_input_tokens: cacheWrite } = last;
  return {
    input: Math.max(0, last.input_tokens - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    ...(last.output_tokens === undefined ? {} : { output: last.output_tokens }),
    ...(last.reasoning_output_tokens === undefined ? {} : { reasoning: last.reasoning_output_tokens }),
  };
}
