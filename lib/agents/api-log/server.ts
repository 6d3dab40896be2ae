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
 */

import { nameOf } from "@/lib/agents/shared/ids";
import { type JsonObject, textOf } from "@/lib/agents/shared/json";
import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import { type Exchange, textsOf } from "./draft";
import { exchangesOf, hasToolShape, isCounting, isHarEntry, isHistoryMessage } from "./exchanges";
import { Log } from "./log";
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

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
    this.#log = new Log(builder);
  }

  record(record: SourceRecord): void {
    const exchanges = exchangesOf(record.value, this.#builder.numbers(record.line));
    const type = typeOf(record.value, exchanges);
    this.#builder.countRecord(type);
    const isOther = isCounting(record.value) || isHarEntry(record.value);
    if (exchanges.length === 0 && !isOther) this.#builder.unknownRecord(type, record.line);
    let part = 0;
    for (const exchange of exchanges) {
      this.#builder.time(exchange.at, record.line);
      this.#log.add(exchange, record, part);
      part += textsOf(exchange).length;
    }
  }

  end(): void {
    writeTrajectory(this.#builder, this.#log.threads);
  }
}

/** The type of a log's record. A record rarely states one, so its content decides. */
function typeOf(record: JsonObject, exchanges: readonly Exchange[]): string {
  const type = nameOf(record.type);
  if (type !== undefined) return type;
  if (isCounting(record)) return "count_tokens";
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
  return head.length > 0 && head.every(isHistory) && head.some(hasToolShape);
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

/** The overhead of most requests; of equals the latest. It may change within a session: a date, another server's tools. */
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
    if (thread.before !== undefined) this.#change(replacement(thread));
    for (const event of thread.events) {
      if (event.type === "message") this.#message(event.node);
      else if (event.type === "point") this.#point(event.point);
      else this.#change(event.change);
    }
  }

  #message(node: Node): void {
    const { message, origin, recordedOnly } = node;
    this.#indices.set(node, this.#builder.messageCount);
    this.#builder.message({ ...message, origin, ...(recordedOnly ? { recordedOnly } : {}) });
  }

  #point({ line, at, model, usage }: Point): void {
    if (model !== undefined) this.#builder.model(model);
    this.#builder.request({
      message: this.#builder.messageCount,
      line,
      ...(at === undefined ? {} : { at }),
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
    });
  }

  #change({ kind, line, at, kept, cleared, summaryLine }: Change): void {
    this.#builder.boundary({
      kind,
      line,
      ...(at === undefined ? {} : { at }),
      trigger: "unknown",
      ...(summaryLine === undefined ? {} : { summaryLine }),
      message: this.#builder.messageCount,
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
