import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { createParser } from "eventsource-parser";
import { ZodError } from "zod";
import type { Bytes, Milliseconds, Tokens } from "@/lib/core/base/units";
import type { SummaryFailure } from "@/lib/queries/contract/schemas";
import type { Endpoint } from "../base/endpoint";
import { systemCode } from "../base/input-error";
import { EndpointError } from "./endpoint-error";
import { type AnswerPart, PROTOCOLS, problemOf } from "./protocols";

export interface EndpointCall {
  readonly endpoint: Endpoint;
  readonly key: string | undefined;
  /** The body, as previewed. */
  readonly body: string;
  /** Maximum silence of the endpoint; the whole answer may take ten times as long. */
  readonly silence: Milliseconds;
  readonly signal: AbortSignal;
  /** Is called with new data. */
  readonly onText: (text: string) => void;
}

/** The model's answer. */
export interface Answered {
  readonly text: string;
  /** True if the endpoint's limit ended it, so a whole answer would be longer. */
  readonly isCut: boolean;
  /** Tokens as the endpoint counted them; `undefined` if absent. */
  readonly input: Tokens | undefined;
  readonly output: Tokens | undefined;
}

/** Maximum bytes of an answer with all its events: ten times those of a text as long as a whole context. */
const ANSWER_BYTES: Bytes = 16 << 20;
/** Maximum bytes read from an error response. */
const REFUSAL_BYTES: Bytes = 64 << 10;
/** Maximum characters repeated from an endpoint's message. */
const MESSAGE_CHARS = 300;

/**
 * Sends a prompt to the endpoint and collects its answer. This is the only function of the program that opens a connection to another host: it
 * follows no redirect, uses no proxy, and keeps no connection. Rejects with `EndpointError`, and with the signal's reason if aborted.
 */
export async function callEndpoint(call: EndpointCall): Promise<Answered> {
  const { endpoint, signal, silence } = call;
  signal.throwIfAborted();
  const watch = new Watch(silence);
  const stop = () => watch.stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const response = await responseTo(call, watch.signal);
    watch.heard();
    try {
      return await answerOf(response, call, watch);
    } finally {
      response.destroy();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw watch.limit === undefined ? endpointErrorOf(error, call) : slow(endpoint, watch.limit);
  } finally {
    watch.end();
    signal.removeEventListener("abort", stop);
  }
}

/** Ends a call that is silent for too long, or takes too long altogether. */
class Watch {
  readonly #ended = new AbortController();
  readonly #whole: NodeJS.Timeout;
  #silence: NodeJS.Timeout;
  /** The limit that was reached. */
  limit: Milliseconds | undefined;

  constructor(private readonly silence: Milliseconds) {
    this.#silence = setTimeout(() => this.#end(silence), silence);
    this.#whole = setTimeout(() => this.#end(silence * 10), silence * 10);
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Data arrived. */
  heard(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#end(this.silence), this.silence);
  }

  stop(): void {
    this.#ended.abort();
  }

  end(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#whole);
  }

  #end(limit: Milliseconds): void {
    this.limit = limit;
    this.stop();
  }
}

function responseTo({ endpoint, key, body }: EndpointCall, signal: AbortSignal): Promise<IncomingMessage> {
  const { url, protocol } = endpoint;
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    accept: "text/event-stream, application/json",
    "accept-encoding": "identity",
    ...PROTOCOLS[protocol].headers(key),
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const request = send(url, { method: "POST", headers, agent: false, signal }, resolve);
    // Later errors belong to the body, and are reported there.
    request.on("error", reject);
    request.end(body);
  });
}

async function answerOf(response: IncomingMessage, call: EndpointCall, watch: Watch): Promise<Answered> {
  const status = response.statusCode ?? 0;
  if (status !== 200) throw await refusalOf(response, status, call);
  const type = response.headers["content-type"] ?? "";
  if (type.startsWith("text/event-stream")) return streamedAnswer(response, call, watch);
  const protocol = PROTOCOLS[call.endpoint.protocol];
  const answer = new Collected(call.onText);
  const data: unknown = JSON.parse(await wholeText(response, call, watch));
  throwProblem(data, call);
  answer.take(protocol.whole(data));
  return answer.finished(call.endpoint);
}

async function streamedAnswer(response: IncomingMessage, call: EndpointCall, watch: Watch): Promise<Answered> {
  const { endpoint, onText } = call;
  const { event: partOf } = PROTOCOLS[endpoint.protocol];
  const answer = new Collected(onText);
  let isOver = false;
  const parser = createParser({
    onEvent: ({ data }) => {
      if (isOver) return;
      isOver = data === LAST_OF_CHAT;
      if (isOver) return;
      const value: unknown = JSON.parse(data);
      throwProblem(value, call);
      const part = partOf(value);
      answer.take(part);
      isOver = part.isLast === true;
    },
  });
  try {
    for await (const text of textsOf(response, call, watch)) {
      parser.feed(text);
      if (isOver) break;
    }
  } catch (error) {
    // Errors after the final event do not invalidate the answer.
    if (!answer.hasEnd || call.signal.aborted) throw error;
  }
  return answer.finished(endpoint);
}

/** Ends a stream of Chat Completions. */
const LAST_OF_CHAT = "[DONE]";

/** A partial answer. */
class Collected {
  #text = "";
  #part: AnswerPart = {};

  constructor(private readonly onText: (text: string) => void) {}

  get hasEnd(): boolean {
    return this.#part.end !== undefined;
  }

  take({ text = "", end, input, output }: AnswerPart): void {
    this.#text += text;
    const before = this.#part;
    this.#part = {
      end: end ?? before.end,
      input: input ?? before.input,
      output: output ?? before.output,
    };
    if (text !== "") this.onText(text);
  }

  /** Throws `EndpointError` for an answer without an end or a text. */
  finished({ url }: Endpoint): Answered {
    const { end, input, output } = this.#part;
    if (end === undefined) throw new EndpointError(url.host, failure("cutOff"));
    if (this.#text.trim() === "") throw new EndpointError(url.host, failure("empty"));
    return { text: this.#text, isCut: end.isCut, input, output };
  }
}

/** The body piece by piece, as text. Throws `EndpointError` if it is too large. */
async function* textsOf(response: IncomingMessage, { endpoint }: EndpointCall, watch: Watch): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of response) {
    watch.heard();
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES) throw new EndpointError(endpoint.url.host, failure("tooLarge"));
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

async function wholeText(response: IncomingMessage, call: EndpointCall, watch: Watch): Promise<string> {
  const pieces: string[] = [];
  for await (const text of textsOf(response, call, watch)) pieces.push(text);
  return pieces.join("");
}

function throwProblem(data: unknown, { endpoint, key }: EndpointCall): void {
  const message = problemOf(data);
  if (message === undefined) return;
  throw new EndpointError(endpoint.url.host, { ...failure("failed"), detail: shown(message, key) });
}

/** The meaning of a status other than 200. */
async function refusalOf(response: IncomingMessage, status: number, { endpoint, key }: EndpointCall) {
  const of = (code: SummaryFailure["code"], more: Partial<SummaryFailure> = {}) =>
    new EndpointError(endpoint.url.host, { ...failure(code), status, ...more });
  if (status >= 300 && status < 400) return of("redirected");
  // Endpoints repeat a part of the key there.
  if (status === 401 || status === 403) return of("unauthorized");
  if (status === 429) return of("tooMany", { seconds: secondsToWait(response.headers["retry-after"]) });
  const detail = shown(await messageIn(response), key);
  return of(status >= 400 && status < 500 ? "rejected" : "failed", { detail });
}

/** `Retry-After` in seconds, from a number or a date. */
function secondsToWait(header: string | undefined): number | null {
  if (header === undefined || header.trim() === "") return null;
  const seconds = Number.isNaN(Number(header)) ? (Date.parse(header) - Date.now()) / 1000 : Number(header);
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}

/** The message in an error response; empty if there is no readable one. */
async function messageIn(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > REFUSAL_BYTES) break;
    }
    return problemOf(JSON.parse(Buffer.concat(chunks).toString("utf8"))) ?? "";
  } catch {
    // The status is sufficient.
    return "";
  }
}

/** An endpoint's message, short and without the key; `null` without one. */
function shown(message: string, key: string | undefined): string | null {
  const text = (key === undefined ? message : message.replaceAll(key, "***"))
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ")
    .trim();
  return text === "" ? null : text.slice(0, MESSAGE_CHARS);
}

function failure(code: SummaryFailure["code"]): SummaryFailure {
  return { code, status: null, seconds: null, detail: null };
}

function slow({ url }: Endpoint, limit: Milliseconds): EndpointError {
  return new EndpointError(url.host, { ...failure("slow"), seconds: Math.round(limit / 1000) });
}

const REFUSED = new Set(["ECONNREFUSED"]);
const BROKEN = new Set(["ECONNRESET", "EPIPE", "HPE_INVALID_CHUNK_SIZE", "HPE_INVALID_EOF_STATE"]);

function endpointErrorOf(error: unknown, { endpoint }: EndpointCall): unknown {
  const { host } = endpoint.url;
  if (error instanceof EndpointError) return error;
  if (error instanceof SyntaxError || error instanceof ZodError) return new EndpointError(host, failure("unreadable"));
  const code = codeOf(error);
  if (code === undefined) return error;
  if (REFUSED.has(code)) return new EndpointError(host, failure("refused"));
  if (BROKEN.has(code)) return new EndpointError(host, failure("cutOff"));
  if (code.startsWith("HPE_")) return new EndpointError(host, failure("unreadable"));
  return new EndpointError(host, { ...failure("unreachable"), detail: code });
}

/** The code of a failed connection. A name with several addresses fails with a list of errors. */
function codeOf(error: unknown): string | undefined {
  return systemCode(error instanceof AggregateError && systemCode(error) === undefined ? error.errors[0] : error);
}
