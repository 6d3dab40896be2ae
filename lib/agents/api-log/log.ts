import { promptTitle } from "@/lib/agents/shared/title";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { DraftMessage, DraftOverhead } from "@/lib/core/transcript/draft";
import type { Usage } from "@/lib/core/transcript/model";
import type { Alignment, Item } from "./align";
import { choose, type IncomingRequest, replacedBy } from "./choose";
import type { DraftRequest, DraftResponse, Exchange, StatedChange } from "./draft";
import { messageKey, textKey } from "./key";
import { isMarkedSummary, repeats, textIn } from "./summary";
import { type Change, type Event, type Node, newThread, type Overhead, type Point, type Thread } from "./thread";

/** A message of an exchange, with the part number of its first block. */
interface Placed extends Item {
  readonly draft: DraftMessage;
  readonly part: number;
}

/** Position of an exchange. */
interface Place {
  readonly record: SourceRecord;
  readonly at: number | undefined;
}

/**
 * Sorts the requests of a log into conversations. Every request is a snapshot of the model's input: messages shared with an earlier request are the
 * same ones, new ones are added, and missing ones were dropped from the context.
 */
export class Log {
  readonly threads: Thread[] = [];
  readonly #builder: TranscriptBuilder;
  /** All overheads sent; each is measured once. */
  readonly #overheads = new Map<string, Overhead>();
  #requests = 0;
  /** The thread of the last request, and that request's point until its response arrives. */
  #current: Thread | undefined;
  #openPoint: Point | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  /** Adds an exchange whose first part in the record is `part`. */
  add(exchange: Exchange, record: SourceRecord, part: number): void {
    const { request, response, message, failed, at } = exchange;
    const place = { record, at };
    if (message !== undefined) {
      this.#historyMessage(message, place, part);
      return;
    }
    const parts = request === undefined ? part : this.#request(request, exchange, place, part);
    if (request === undefined && this.#current !== undefined) addStatedChanges(this.#current, exchange.stated, place);
    if (request !== undefined && !failed) this.#point(request.model, place, exchange);
    if (response !== undefined) this.#response(response, place, parts);
  }

  #request(request: DraftRequest, { stated = [], compacted = false }: Exchange, place: Place, part: number): number {
    const overhead = this.#overhead(request.overhead, place, part);
    const items = placed(request.messages, part + request.overhead.length);
    const summarised = request.messages.some(isMarkedSummary);
    const incoming = { items, overhead, session: request.session, summarised };
    const continues = this.#continuedBy(request);
    const choice = continues === undefined ? choose(this.threads, incoming) : undefined;
    const thread = continues ?? choice?.thread ?? this.#begin(incoming, items);
    // A thread that continues was not replaced: its apparent continuation is a separate conversation.
    if (choice !== undefined || continues !== undefined) unlink(thread);
    this.#requests += 1;
    thread.last = this.#requests;
    this.#current = thread;
    this.#openPoint = undefined;
    thread.session ??= request.session;
    if (thread.isWithoutContent && request.isWithoutContent !== true) thread.live = [];
    thread.isWithoutContent = request.isWithoutContent === true && (thread.points === 0 || thread.isWithoutContent);
    thread.overheads.set(overhead, (thread.overheads.get(overhead) ?? 0) + 1);
    const events = thread.events.length;
    if (choice !== undefined) this.#change(thread, choice.alignment, items, place, stated);
    else addStatedChanges(thread, stated, place);
    // The provider compacted a history that was sent whole, or the record lacks the input.
    if (compacted && !thread.compacted && thread.points > 0 && thread.events.length === events)
      addStatedChanges(thread, [COMPACTION], place);
    thread.compacted = compacted;
    const fresh = choice === undefined ? items.map(() => -1) : choice.alignment.from;
    this.#sent(thread, items, fresh, continues !== undefined, place);
    return part + request.overhead.length + items.reduce((sum, { draft }) => sum + draft.blocks.length, 0);
  }

  /** The thread that a request continues: by the previous response that it names, or by its session if records lack the input. */
  #continuedBy({ previous, isWithoutContent = false, session }: DraftRequest): Thread | undefined {
    if (previous !== undefined) return this.#answeredBy(previous);
    return this.threads.findLast(
      (thread) => thread.session === session && (isWithoutContent || thread.isWithoutContent),
    );
  }

  /** The thread of a response. If its id, or that of the response before, is masked or missing, it is the thread that was answered last. */
  #answeredBy(response: string): Thread | undefined {
    const named = response === "" ? undefined : this.threads.find(({ responses }) => responses.has(response));
    const isNameless = response === "" || this.#current?.responses.has("") === true;
    return named ?? (isNameless ? this.#current : undefined);
  }

  /** Begins a conversation that repeats no other: a new one, or the rest of one whose history was replaced. */
  #begin(incoming: IncomingRequest, items: readonly Placed[]): Thread {
    const thread = newThread(this.#requests + 1);
    const messageWithAnswer = ({ answer }: Thread) => items.find(({ draft }) => repeats(draft, answer));
    const before = replacedBy(this.threads, incoming, (one) => messageWithAnswer(one) !== undefined);
    if (before !== undefined) {
      thread.before = before;
      before.after = thread;
      const repeatedAnswer = messageWithAnswer(before);
      if (repeatedAnswer !== undefined) markSummaryCall(before);
      const summary = repeatedAnswer ?? items.find(({ draft }) => isMarkedSummary(draft));
      thread.summary = summary?.key;
    }
    this.threads.push(thread);
    return thread;
  }

  /** Records the live messages that are missing from the request. */
  #change(
    thread: Thread,
    alignment: Alignment,
    items: readonly Placed[],
    place: Place,
    stated: readonly StatedChange[],
  ): void {
    const { from, missing, cleared, prefix } = alignment;
    const nodes = (places: readonly number[]) => places.flatMap((index) => thread.live[index] ?? []);
    const calls = nodes(cleared).flatMap(({ callId }) => callId ?? []);
    const when = { line: place.record.line, at: place.at };
    if (calls.length > 0 && stated.length === 0) {
      push(thread, { kind: "clearing", ...when, kept: [], cleared: calls, summaryLine: undefined });
    }
    // Reminders come and go with every request: a change among them does not change the history.
    const lost = nodes(missing).filter(({ origin, chars }) => origin !== "context" && chars > 0);
    if (lost.length === 0 && stated.length === 0) return;
    const kept = nodes(from.filter((index) => index >= 0));
    const kind = isRollback(thread, lost, from, prefix) ? "rollback" : "compaction";
    const stated1 = addStatedChanges(thread, stated, place, kept, calls);
    const change: Change = stated1 ?? { kind, ...when, kept, cleared: [], summaryLine: undefined };
    if (stated1 === undefined) push(thread, change);
    if (change.kind !== "compaction") return;
    const added = items.filter((_, index) => (from[index] ?? -1) < 0);
    const repeatedAnswer = added.find(({ draft }) => repeats(draft, thread.answer));
    if (repeatedAnswer !== undefined) markSummaryCall(thread);
    const summary =
      repeatedAnswer ?? added.find(({ draft }) => isMarkedSummary(draft)) ?? insertedBeforeKept(items, from);
    if (summary === undefined) return;
    change.summaryLine = when.line;
    thread.summary = summary.key;
  }

  /** Adds new messages, and updates the live ones. */
  #sent(thread: Thread, items: readonly Placed[], from: readonly number[], appends: boolean, place: Place): void {
    const before = thread.live;
    const fresh: Node[] = [];
    const live = items.map((item, index) => {
      const known = before[from[index] ?? -1];
      if (known !== undefined) return known;
      const node = this.#node(thread, item, place);
      fresh.push(node);
      return node;
    });
    thread.live = appends ? [...before, ...live] : live;
    thread.latest = fresh;
    thread.response = -1;
    thread.answer = undefined;
    thread.longest = Math.max(thread.longest, thread.live.length);
  }

  #node(thread: Thread, item: Placed, { record, at }: Place): Node {
    const summary = thread.summary === item.key;
    const blocks = this.#builder.blocks(item.draft.blocks, record, item.part);
    const message = { role: item.role, line: record.line, at, blocks };
    const { key, role, callId, chars } = item;
    const origin = summary ? "summary" : item.origin;
    const node: Node = { key, role, callId, chars, message, origin, recordedOnly: summary };
    thread.events.push({ type: "message", node });
    if (origin === "typed") thread.title = promptTitle(thread.title, textIn(item.draft));
    if (summary) thread.summary = undefined;
    return node;
  }

  #point(
    model: string | undefined,
    { record, at }: Place,
    { inherited = false, partialOutput = false }: Partial<Exchange> = {},
  ): void {
    const thread = this.#current;
    if (thread === undefined) return;
    const point: Point = { line: record.line, at, model, usage: undefined, inherited, partialOutput };
    thread.events.push({ type: "point", point });
    thread.points += 1;
    this.#openPoint = point;
  }

  /** Adds a response to the last request; a response without a request begins a conversation. */
  #response(response: DraftResponse, place: Place, part: number): void {
    if (this.#current === undefined || this.#openPoint === undefined) {
      if (response.messages.length === 0) return;
      const overhead = this.#overhead([], place, part);
      const incoming = { items: [], overhead, session: undefined, summarised: false };
      this.#current ??= this.#begin(incoming, []);
      this.#point(undefined, place);
    }
    const [thread, point] = [this.#current, this.#openPoint];
    if (thread === undefined || point === undefined) return;
    point.model = response.model ?? point.model;
    point.usage = merged(point.usage, response);
    thread.responses.add(response.id ?? "");
    if (response.messages.length === 0) return;
    const nodes = placed(response.messages, part).map((item) => this.#node(thread, item, place));
    thread.response = thread.live.length;
    thread.live.push(...nodes);
    thread.latest.push(...nodes);
    thread.longest = Math.max(thread.longest, thread.live.length);
    thread.answer = response.messages.map(textIn).join("\n");
    this.#openPoint = undefined;
  }

  /** Adds a history that is logged message by message: every answer in it is a request point. */
  #historyMessage({ messages }: DraftRequest, place: Place, part: number): void {
    const overhead = this.#overhead([], place, part);
    this.#current ??= this.#begin({ items: [], overhead, session: undefined, summarised: false }, []);
    const thread = this.#current;
    for (const item of placed(messages, part)) {
      if (item.role === "system" && thread.live.length === 0) {
        const prompt = item.draft.blocks.map(({ text }) => ({
          category: "systemPrompt" as const,
          name: "system prompt",
          text,
        }));
        const overhead = this.#overhead(prompt, place, item.part);
        thread.overheads.set(overhead, 1);
        continue;
      }
      if (item.role === "assistant") this.#point(undefined, place);
      thread.live.push(this.#node(thread, item, place));
      this.#requests += 1;
      thread.last = this.#requests;
      thread.longest = thread.live.length;
      this.#openPoint = undefined;
    }
  }

  #overhead(drafts: readonly DraftOverhead[], { record }: Place, part: number): Overhead {
    const keysOf = (isPrompt: boolean) =>
      drafts
        .filter(({ category }) => (category === "systemPrompt") === isPrompt)
        .map(({ name, text }) => `${name} ${textKey(text)}`)
        .join("\n");
    const [prompt, tools] = [keysOf(true), keysOf(false)];
    const key = `${prompt}\n\n${tools}`;
    const known = this.#overheads.get(key);
    if (known !== undefined) return known;
    const { line, offset, length } = record;
    const entries = drafts.map(({ category, name, text }, index) => ({
      category,
      name,
      text: this.#builder.text(text),
      source: { line, offset, length, part: part + index },
    }));
    const overhead = { entries, prompt, tools, key };
    this.#overheads.set(key, overhead);
    return overhead;
  }
}

function placed(messages: readonly DraftMessage[], part: number): readonly Placed[] {
  let next = part;
  return messages.flatMap((draft) => {
    const at = next;
    next += draft.blocks.length;
    if (draft.blocks.length === 0) return [];
    const chars = draft.blocks.reduce((sum, { text }) => sum + text.length, 0);
    const callId = draft.origin === "tool" ? draft.blocks[0]?.callId : undefined;
    return [{ draft, part: at, key: messageKey(draft), role: draft.role, origin: draft.origin, callId, chars }];
  });
}

/**
 * True if the user rewound or retried: the request then repeats only the beginning, up to a message that the user did not write. If the beginning is
 * missing, or messages after the gap are kept, the history was replaced.
 */
function isRollback(thread: Thread, lost: readonly Node[], from: readonly number[], prefix: number): boolean {
  if (lost.every(({ origin }) => origin === "response")) return true;
  const before = thread.live[prefix - 1];
  const behind = from.slice(prefix).some((index) => index >= 0);
  return !behind && before !== undefined && before.origin !== "typed" && before.origin !== "context";
}

/** A user message inserted before kept messages, which was therefore not typed. */
function insertedBeforeKept(items: readonly Placed[], from: readonly number[]): Placed | undefined {
  const kept = from.findIndex((at, index) => at >= 0 && items[index]?.origin !== "context");
  return items.slice(0, Math.max(0, kept)).find(({ origin }, index) => origin === "typed" && (from[index] ?? -1) < 0);
}

/** Marks the last request as a call for the summary: neither its question nor its answer belongs to the trajectory. */
function markSummaryCall({ latest }: Thread): void {
  for (const node of latest) {
    if (node.origin === "typed" || node.origin === "response") node.recordedOnly = true;
  }
}

function unlink(thread: Thread): void {
  if (thread.after !== undefined) thread.after.before = undefined;
  thread.after = undefined;
}

const COMPACTION: StatedChange = {
  kind: "compaction",
  trigger: "unknown",
  at: undefined,
  tokensBefore: undefined,
  tokensAfter: undefined,
};

/** Adds the changes that a record states, and returns the last one. */
function addStatedChanges(
  thread: Thread,
  changes: readonly StatedChange[] = [],
  { record, at }: Place,
  kept: readonly Node[] = [],
  calls: readonly string[] = [],
): Change | undefined {
  if (changes.length > 0 && thread.points === 0) thread.isStated = true;
  let last: Change | undefined;
  for (const stated of changes) {
    const { kind } = stated;
    const cleared = kind === "clearing" ? calls : [];
    last = { kind, line: record.line, at: stated.at ?? at, kept, cleared, stated, summaryLine: undefined };
    push(thread, last);
  }
  return last;
}

function push(thread: Thread, change: Change): void {
  const event: Event = { type: "change", change };
  thread.events.push(event);
}

/** Merges usages: a usage comes with the response, or in pieces with the events of its stream. */
function merged(known: Usage | undefined, { usage, generated }: DraftResponse): Usage | undefined {
  const all = usage === undefined ? known : { ...known, ...usage };
  return all === undefined || generated === undefined ? all : { ...all, output: generated };
}
