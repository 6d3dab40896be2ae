/*
 * Events of OpenHands: a list, or one a line. First as releases before the software agent SDK wrote them, then as the SDK does. Invented:
 *
 * {"id":0,"timestamp":"2026-03-01T08:00:00.000000","source":"user","message":"Which port?","action":"message","args":{"content":"Which port?"}}
 * {"id":1,"timestamp":"2026-03-01T08:00:02.000000","source":"agent","message":"","action":"run","args":{"command":"cat .env","thought":""},
 *   "tool_call_metadata":{"function_name":"execute_bash","tool_call_id":"c-1","model_response":{"id":"r-1","model":"m","choices":[…],"usage":{…}}}}
 *
 * {"kind":"MessageEvent","id":"e-1","timestamp":"2026-03-01T08:00:00.000000","source":"user","llm_message":{"role":"user","content":[…]}}
 * {"kind":"Condensation","id":"e-9","timestamp":"2026-03-01T08:09:00.000000","source":"environment","forgotten_event_ids":["e-3"],"summary":"…"}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { countOf, isObject, type JsonObject, listOf, objectOf, timeOf } from "@/lib/agents/shared/json";
import { isOldEvent, isSdkEvent } from "@/lib/agents/shared/openhands-event";
import { promptTitle } from "@/lib/agents/shared/title";
import { usageFrom } from "@/lib/agents/shared/usage-from";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Message, RequestPoint, Usage } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import type { KnownUsageFields } from "@/lib/core/transcript/record-numbers";
import { GENERATION } from "../base/presets";
import type { OpenHandsEvent } from "./events";
import { EVENT_ID, oldEvent } from "./old-event";
import { sdkEvent } from "./sdk-event";

/** Reads events of OpenHands. README.md describes the format. */
export const openHandsReader: Reader = {
  format: "openhands",
  // A file with a single event is one of many that make up a session.
  sniff: (head) => head.length > 1 && head.some((record) => isSdkEvent(record) || isOldEvent(record)),
  parse: (builder) => new OpenHandsParser(builder),
  texts: (record) => {
    const { overhead = [], blocks } = eventOf(record);
    return [...overhead, ...blocks].map(({ text }) => text);
  },
};

function eventOf(record: JsonObject): OpenHandsEvent {
  return isSdkEvent(record) || !("action" in record || "observation" in record) ? sdkEvent(record) : oldEvent(record);
}

/** Token counts of a response as LiteLLM reports them. Of the details, only those that a sum includes are read. */
const KNOWN_USAGE: KnownUsageFields = new Set([
  ...["prompt_tokens", "completion_tokens", "total_tokens", "prompt_tokens_details", "completion_tokens_details"],
  ...["cache_creation_input_tokens", "cache_read_input_tokens"],
]);

/** Sums over a session: a response's usage is the difference between two of them. The last two fields are not sums. */
const KNOWN_SUMS: KnownUsageFields = new Set([
  ...["prompt_tokens", "completion_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens"],
  ...["context_window", "per_turn_token"],
]);

/** Sums over the session up to an event. */
interface Sums {
  readonly sent: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

const NOTHING: Sums = { sent: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

class OpenHandsParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  #title: string | undefined;
  #generation: number | undefined;
  /** Messages in the context, with the ids of their events. */
  #live: { readonly ids: readonly (string | number)[]; readonly message: number }[] = [];
  /** Response of the last request. */
  #response: string | undefined;
  /** True while the last message is that request's response. */
  #isOpen = false;
  #hasUsage = false;
  #hasModel = false;
  #sums = NOTHING;
  #isRequested = false;
  /** Calls of the delegations that have not ended, the outermost first. */
  readonly #delegations: (string | undefined)[] = [];
  #delegated = 0;
  /** Calls of the responses so far. */
  readonly #calls = new Set<string>();
  /** Last response of a delegate. */
  #delegateResponse: string | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const { value, line } = record;
    const read = eventOf(value);
    // The observation that ends a delegation may name no cause.
    const isEnd = value.observation === DELEGATE && this.#delegations.length > 0;
    const call = isEnd ? this.#delegations.pop() : undefined;
    const event = isEnd && read.kind === "context" ? answerOf(call, read) : read;
    this.#builder.countRecord(event.name);
    this.#generation ??= isSdkEvent(value) ? GENERATION.SDK : isOldEvent(value) ? GENERATION.BEFORE : undefined;
    const at = this.#builder.time(timeOf(value.timestamp), line);
    const when = { line, ...(at === undefined ? {} : { at }) };
    if (event.kind === "unknown") this.#builder.unknownRecord(event.name, line);
    // Until a delegation ends, all events are the delegate's, whose context is its own.
    const isDelegates = this.#delegations.length > 0;
    if (value.action === DELEGATE && value.source === "agent") {
      this.#delegations.push(event.blocks.at(-1)?.callId);
      this.#delegated += 1;
    }
    if (isDelegates) {
      this.#delegateRequest(record, event, when);
      return;
    }
    if (event.kind === "condensation") this.#condensation(record, event, when);
    else if (event.kind === "response") this.#answer(record, event, when);
    else if (event.kind !== "none" && event.kind !== "unknown") this.#message(record, event, when);
    if (event.name === "CondensationRequest" || event.name === "condensation_request") this.#isRequested = true;
    const grown = this.#growth(value, line);
    if (grown === undefined || !this.#isOpen || this.#hasUsage) return;
    this.#hasUsage = true;
    const model = this.#hasModel ? undefined : grown.model;
    if (model !== undefined) this.#builder.model(model);
    this.#builder.amendRequest({ usage: grown.usage, ...(model === undefined ? {} : { model }) });
  }

  end(): void {
    this.#builder.sidechains(this.#delegated);
    this.#builder.facts({ title: this.#title, formatVersion: this.#generation });
  }

  /** Adds a delegate's request: it is part of the bill, but not of this session's context. */
  #delegateRequest({ value, line }: SourceRecord, event: OpenHandsEvent, when: Pick<Message, "line" | "at">): void {
    const grown = this.#growth(value, line);
    const { response, model = grown?.model } = event;
    if (event.kind !== "response" || (response !== undefined && response === this.#delegateResponse)) return;
    this.#delegateResponse = response;
    const usage = this.#usage(event.usage, line) ?? grown?.usage;
    if (usage !== undefined) this.#builder.extraRequest({ kind: "subagent", ...when, model, usage });
  }

  #message(record: SourceRecord, event: OpenHandsEvent, when: Pick<Message, "line" | "at">): void {
    const { overhead = [], kind, blocks } = event;
    const { line, offset, length } = record;
    for (const [part, { text, ...entry }] of overhead.entries())
      this.#builder.overhead({ ...entry, text: this.#builder.text(text), source: { line, offset, length, part } });
    if (blocks.length === 0) return;
    this.#isOpen = false;
    const origin = kind === "result" ? "tool" : kind === "typed" ? "typed" : "context";
    if (origin === "typed") this.#title = promptTitle(this.#title, blocks[0]?.text);
    const drafts = kind === "result" ? this.#answering(blocks) : blocks;
    this.#add(record, { role: "user", origin, ...when, blocks: this.#builder.blocks(drafts, record, overhead.length) });
  }

  /** Before the SDK an observation may have been caused by a command of the user, which is not a call: then it answers none, and is sent all the same. */
  #answering(blocks: OpenHandsEvent["blocks"]): OpenHandsEvent["blocks"] {
    return blocks.map((block) => {
      const isOfUser = block.callId?.startsWith(EVENT_ID) === true && !this.#calls.has(block.callId);
      return isOfUser ? { ...block, callId: undefined } : block;
    });
  }

  /** Several events may belong to one response; in earlier releases the results of its first calls come between them. */
  #answer(record: SourceRecord, event: OpenHandsEvent, when: Pick<Message, "line" | "at">): void {
    const blocks = this.#builder.blocks(event.blocks, record);
    for (const { kind, callId } of blocks) if (kind === "tool_call" && callId !== undefined) this.#calls.add(callId);
    const { response, model } = event;
    if (response !== undefined && response === this.#response) {
      const last = this.#isOpen ? this.#live.pop() : undefined;
      if (last === undefined) this.#add(record, { role: "assistant", origin: "response", ...when, blocks });
      else {
        this.#builder.extendMessage(blocks);
        this.#live.push({ ...last, ids: [...last.ids, ...idsOf(record.value.id)] });
      }
      return;
    }
    if (model !== undefined) this.#builder.model(model);
    const usage = this.#usage(event.usage, when.line);
    this.#response = response;
    this.#isOpen = true;
    this.#hasUsage = usage !== undefined;
    this.#hasModel = model !== undefined;
    this.#builder.request({
      message: this.#builder.messageCount,
      ...when,
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
    });
    if (blocks.length > 0) this.#add(record, { role: "assistant", origin: "response", ...when, blocks });
  }

  #add({ value }: SourceRecord, message: Message): void {
    this.#live.push({ ids: idsOf(value.id), message: this.#builder.message(message) });
  }

  /** Forgotten events leave the context; a summary takes their place. Earlier releases had one summary at a time, the newest. */
  #condensation(record: SourceRecord, { blocks }: OpenHandsEvent, when: Pick<Message, "line" | "at">): void {
    const { value } = record;
    const isForgotten = forgottenBy(value);
    const isOld = !isSdkEvent(value);
    const replaces = isOld && blocks.length > 0;
    const kept = this.#live.filter(({ ids }) => !ids.some((id) => isForgotten(id) || (replaces && id === OLD_SUMMARY)));
    const message = this.#builder.messageCount;
    this.#builder.boundary({
      kind: "compaction",
      ...when,
      trigger: "unknown",
      ...(blocks.length === 0 ? {} : { summaryLine: when.line }),
      message,
      kept: kept.map((one) => one.message),
      clearedCalls: [],
    });
    // A request comes from the user, or follows a refusal for length.
    if (!this.#isRequested) this.#builder.setInferredTrigger("auto");
    this.#isRequested = false;
    this.#isOpen = false;
    this.#live = kept;
    if (blocks.length === 0) return;
    const summary = { role: "user", origin: "summary", recordedOnly: true, ...when } as const;
    this.#builder.message({ ...summary, blocks: this.#builder.blocks(blocks, record) });
    const ids = isOld ? [OLD_SUMMARY] : idsOf(value.id).map((id) => `${id}-summary`);
    this.#live.push({ ids, message });
  }

  /** A response's usage includes cache reads and writes. */
  #usage(usage: unknown, line: number): Usage | undefined {
    if (!isObject(usage)) return undefined;
    const numbers = this.#builder.numbers(line);
    numbers.unknownUsage(usage, KNOWN_USAGE);
    const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } = usage;
    const cached = objectOf(prompt_tokens_details).cached_tokens ?? usage.cache_read_input_tokens;
    return usageFrom({
      sent: numbers.tokens(prompt_tokens, "prompt_tokens"),
      output: numbers.tokens(completion_tokens, "completion_tokens"),
      cacheRead: numbers.tokens(cached, "cached_tokens"),
      cacheWrite: numbers.tokens(usage.cache_creation_input_tokens, "cache_creation_input_tokens"),
      reasoning: numbers.tokens(objectOf(completion_tokens_details).reasoning_tokens, "reasoning_tokens"),
    });
  }

  /** Growth of the sums since the last event: the usage of a response whose own usage is not stored, and its model. */
  #growth({ llm_metrics }: JsonObject, line: number): Pick<RequestPoint, "usage" | "model"> | undefined {
    const sums = objectOf(llm_metrics).accumulated_token_usage;
    if (!isObject(sums)) return undefined;
    const numbers = this.#builder.numbers(line);
    numbers.unknownUsage(sums, KNOWN_SUMS);
    // A delegate's model may have another window.
    if (this.#delegations.length === 0)
      this.#builder.facts({ recordedWindow: numbers.tokens(sums.context_window, "context_window") });
    const now: Sums = {
      sent: numbers.sum(sums.prompt_tokens, "prompt_tokens") ?? 0,
      output: numbers.sum(sums.completion_tokens, "completion_tokens") ?? 0,
      cacheRead: numbers.sum(sums.cache_read_tokens, "cache_read_tokens") ?? 0,
      cacheWrite: numbers.sum(sums.cache_write_tokens, "cache_write_tokens") ?? 0,
    };
    const before = this.#sums;
    this.#sums = now;
    if (now.sent <= before.sent) return undefined;
    const usage = usageFrom({
      sent: now.sent - before.sent,
      output: Math.max(0, now.output - before.output),
      cacheRead: Math.max(0, now.cacheRead - before.cacheRead),
      cacheWrite: Math.max(0, now.cacheWrite - before.cacheWrite),
    });
    return usage && { usage, model: nameOf(sums.model) };
  }
}

/** Action that starts a delegation before the SDK, and observation that ends it. */
const DELEGATE = "delegate";

/** An observation as the answer to a call. */
function answerOf(call: string | undefined, { name, blocks }: OpenHandsEvent): OpenHandsEvent {
  return { name, kind: "result", blocks: blocks.map((block) => ({ ...block, kind: "tool_result", callId: call })) };
}

/** Id for the summary in a context of an earlier release, which has at most one. */
const OLD_SUMMARY = "summary";

function idsOf(id: unknown): readonly (string | number)[] {
  if (typeof id === "number") return [id];
  const text = idOf(id);
  return text === undefined ? [] : [text];
}

/** Returns a check for forgotten events by id. The record holds a list of ids, or in earlier releases also a range. */
function forgottenBy(record: JsonObject): (id: string | number) => boolean {
  const { forgotten_event_ids, forgotten_events_start_id, forgotten_events_end_id } = isSdkEvent(record)
    ? record
    : objectOf(record.args);
  const ids = new Set(listOf(forgotten_event_ids));
  const [from, to] = [countOf(forgotten_events_start_id), countOf(forgotten_events_end_id)];
  return (id) =>
    ids.has(id) || (typeof id === "number" && from !== undefined && to !== undefined && id >= from && id <= to);
}
