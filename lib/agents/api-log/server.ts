/*
 * Log of requests to a model: request and response in one record, in two, or as stream events. Invented and shortened:
 *
 * {"timestamp":"2026-04-01T10:00:00.000Z","request":{"method":"POST","url":"https://api.anthropic.com/v1/messages","body":{
 *   "model":"claude-opus-4-6","max_tokens":32000,"system":[{"type":"text","text":"You are careful."}],"tools":[{"name":"Read"}],
 *   "messages":[{"role":"user","content":"Fix it"}]}},"response":{"body":{"id":"m1","content":[…],"usage":{"input_tokens":900,"output_tokens":40}}}}
 * {"model":"gpt-4.1","messages":[{"role":"user","content":"Fix it"}],"tools":[…]}
 * {"id":"c1","object":"chat.completion","choices":[{"message":{"role":"assistant","content":"Fixed."}}],"usage":{"prompt_tokens":210,…}}
 * {"url":"https://api.openai.com/v1/responses","body":{"model":"gpt-5.2-codex","instructions":"…","input":[…]},"response":{"id":"resp_1",…}}
 * {"request":{"model":"gpt-4.1","messages":[…],"stream":true},"response":[{"object":"chat.completion.chunk","choices":[{"delta":{…}}]}]}
 * {"log":{"entries":[{"startedDateTime":"…","request":{"url":"…","postData":{"text":"…"}},"response":{"content":{"text":"…"}}}]}}
 * {"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"5b8e","spanId":"eee1","startTimeUnixNano":"1790000000000000000","attributes":[
 *   {"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.usage.input_tokens","value":{"intValue":"900"}},…]}]}]}]}
 */

import { nameOf } from "@/lib/agents/shared/ids";
import { type JsonObject, textOf } from "@/lib/agents/shared/json";
import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { isTaskMessage } from "@/lib/agents/shared/task-history";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import { type Exchange, textsOf } from "./draft";
import { exchangesOf, hasToolShape, isCounting, isHarEntry, isHistoryMessage } from "./exchanges";
import { Log } from "./log";
import { isTrace } from "./otlp";
import {
  type Change,
  chainOf,
  type Event,
  mainChain,
  type Node,
  type Overhead,
  type Point,
  type Thread,
} from "./thread";

/**
 * Reads logs of requests to a model: bodies of Anthropic Messages, OpenAI Chat Completions and OpenAI Responses, with or without their responses.
 * Each request holds the model's whole input, including its system prompt and tools.
 */
export const apiLogReader: Reader = {
  format: "api-log",
  sniff: sniffApiLog,
  parse: (builder) => new ApiLogParser(builder),
  texts: (record) => exchangesOf(record).flatMap(textsOf),
  // Path of the list of records in a HAR.
  documentList: ["log", "entries"],
  // An answer on its own line belongs to the request before it.
  sessionMarks:
    () =>
    ({ value }) => ({ session: exchangesOf(value).find(({ request }) => request !== undefined)?.request?.session }),
};

class ApiLogParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #log: Log;
  /** Keys of the spans that were read, and of their parents. */
  readonly #spans = new Set<string>();
  readonly #parents = new Set<string>();
  readonly #extras: (Exchange & Required<Pick<Exchange, "extra">> & { readonly line: number })[] = [];

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
    this.#log = new Log(builder);
  }

  record(record: SourceRecord): void {
    const exchanges = exchangesOf(record.value, this.#builder.numbers(record.line));
    const type = typeOf(record.value, exchanges);
    this.#builder.countRecord(type);
    const isOther = isCounting(record.value) || isHarEntry(record.value) || isTrace(record.value);
    if (exchanges.length === 0 && !isOther) this.#builder.unknownRecord(type, record.line);
    for (const { span } of exchanges) if (span?.parent !== undefined) this.#parents.add(span.parent);
    let part = 0;
    for (const exchange of exchanges) {
      if (this.#isOwn(exchange, record.line)) this.#add(exchange, record, part);
      part += textsOf(exchange).length;
    }
  }

  #add(exchange: Exchange, record: SourceRecord, part: number): void {
    const { extra, odd = [], at } = exchange;
    this.#builder.time(at, record.line);
    for (const name of odd) this.#builder.problem("unexpected-field", record.line, name);
    if (extra === undefined) this.#log.add(exchange, record, part);
    else this.#extras.push({ ...exchange, extra, line: record.line });
  }

  /** False for a span that was read before, and for one that surrounds another request's span, such as a library's. */
  #isOwn({ span }: Exchange, line: number): boolean {
    if (span?.id === undefined) return true;
    const isKnown = this.#spans.has(span.id);
    this.#spans.add(span.id);
    if (isKnown) this.#builder.problem("duplicate-record", line);
    return !isKnown && !this.#parents.has(span.id);
  }

  end(): void {
    writeTrajectory(this.#builder, this.#log.threads);
    for (const { extra, request, response, at, line, inherited, partialOutput } of this.#extras) {
      const { kind, point = -1, boundary, furtherPass } = extra;
      const model = response?.model ?? request?.model;
      this.#builder.extraRequest({
        kind,
        line,
        furtherPass,
        ...(at === undefined ? {} : { at }),
        ...(model === undefined ? {} : { model }),
        ...(response?.usage === undefined ? {} : { usage: response.usage }),
        ...(point >= 0 && point < this.#builder.requestCount ? { point } : {}),
        ...(kind !== "compaction"
          ? {}
          : { boundary: boundary !== undefined && boundary < this.#builder.boundaryCount ? boundary : -1 }),
        ...(inherited === true ? { inherited } : {}),
        ...(partialOutput === true ? { partialOutput } : {}),
      });
    }
  }
}

/** The type of a log's record. A record rarely states one, so its content decides. */
function typeOf(record: JsonObject, exchanges: readonly Exchange[]): string {
  const type = nameOf(record.type);
  if (type !== undefined) return type;
  if (isCounting(record)) return "count_tokens";
  if (isTrace(record)) return "spans";
  if (exchanges.length > 1) return "log";
  if (exchanges.length === 0 && isHarEntry(record)) return "other request";
  const [exchange] = exchanges;
  if (exchange?.message !== undefined) return textOf(record.role);
  if (exchange?.request === undefined) return exchange === undefined ? "(no type)" : "response";
  return exchange.response === undefined ? "request" : "request and response";
}

export const server: ServerProfile = {
  reader: apiLogReader,
};

/**
 * True if the first records are an API's: a request or a response in any wrapper, or a history in which one message calls a tool in an API's format.
 * A history of text alone is plain chat.
 */
function sniffApiLog(head: readonly JsonObject[]): boolean {
  if (head.some((record) => exchangesOf(record).some(isApiCall))) return true;
  return head.length > 0 && head.every(isHistory) && head.some(hasToolShape) && !head.some(isTaskMessage);
}

function isApiCall({ request, response }: Exchange): boolean {
  return request !== undefined || (response?.messages.length ?? 0) > 0;
}

/** Messages with more fields than the API knows belong to an agent. */
function isHistory(record: JsonObject): boolean {
  return isHistoryMessage(record) && !("uuid" in record) && !("parts" in record);
}

/** Writes the main conversation of a log: its overhead, messages, request points and changes of history. */
function writeTrajectory(builder: TranscriptBuilder, threads: readonly Thread[]): void {
  const chain = mainChain(threads);
  const writer = new Writer(builder);
  for (const entry of mostSent(chain)?.entries ?? []) builder.overhead(entry);
  for (const thread of chain) writer.thread(thread);
  const session = chain.find((thread) => thread.session !== undefined)?.session;
  const title = chain.find((thread) => thread.title !== undefined)?.title;
  builder.facts({ sessionId: session, title });
  builder.sidechains(
    threads.filter(({ before }) => before === undefined).map(chainOf).length - (chain.length > 0 ? 1 : 0),
  );
  const own = session ?? threads.find((thread) => thread.session !== undefined)?.session;
  for (const thread of threads) {
    if (thread.session === undefined || thread.session === own) continue;
    builder.problem("several-sessions", thread.events.find(isPoint)?.point.line, thread.session, thread.points);
  }
}

function isPoint(event: Event): event is Extract<Event, { readonly type: "point" }> {
  return event.type === "point";
}

/** The overhead that most requests carried, or the latest of several equally frequent ones. It may change within a session: a date, another server's tools. */
function mostSent(chain: readonly Thread[]): Overhead | undefined {
  const sent = new Map<Overhead, number>();
  for (const [overhead, requests] of chain.flatMap(({ overheads }) => [...overheads])) {
    sent.set(overhead, (sent.get(overhead) ?? 0) + requests);
  }
  const most = Math.max(...sent.values());
  return [...sent].findLast(([, requests]) => requests === most)?.[0];
}

class Writer {
  readonly #builder: TranscriptBuilder;
  readonly #indices = new Map<Node, number>();

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  thread(thread: Thread): void {
    if (thread.before !== undefined && !thread.isStated) this.#change(replacement(thread));
    for (const event of thread.events) {
      if (event.type === "message") this.#message(event.node);
      else if (event.type === "point") this.#point(event.point);
      else this.#change(event.change);
    }
  }

  #message(node: Node): void {
    const { message, origin, recordedOnly } = node;
    this.#indices.set(node, this.#builder.messageCount);
    this.#builder.message({ ...message, origin, recordedOnly });
  }

  #point({ line, at, model, usage, inherited, partialOutput }: Point): void {
    if (model !== undefined) this.#builder.model(model);
    const flags = { ...(inherited ? { inherited } : {}), ...(partialOutput ? { partialOutput } : {}) };
    this.#builder.request({ line, at, model, usage, ...flags });
  }

  #change({ kind, line, at, kept, cleared, summaryLine, stated }: Change): void {
    const { trigger = "unknown", tokensBefore, tokensAfter } = stated ?? {};
    this.#builder.boundary({
      kind,
      line,
      at,
      trigger,
      tokensBefore,
      tokensAfter,
      summaryLine,
      kept: kept.flatMap((node) => this.#indices.get(node) ?? []),
      clearedCalls: cleared,
    });
  }
}

/** The boundary between a thread and its continuation that sends none of its messages. */
function replacement({ events }: Thread): Change {
  const first = events.find((event) => event.type === "message");
  const node = first?.node;
  const line = node?.message.line ?? 1;
  const summaryLine = node?.origin === "summary" ? line : undefined;
  return { kind: "compaction", line, at: node?.message.at, kept: [], cleared: [], summaryLine };
}
