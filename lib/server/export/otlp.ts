import { createHash } from "node:crypto";
import { agentName } from "@/lib/agents/agents";
import { OWN_ATTRIBUTES as OWN } from "@/lib/agents/shared/otlp-attributes";
import {
  BOUNDARY,
  BOUNDARY_KINDS,
  EXTRA_KINDS,
  FLAG,
  KIND,
  type RequestColumns,
  type SessionColumns,
  TRIGGERS,
} from "@/lib/core/columns/columns";
import { VERSION } from "../base/version";
import type { OpenedSession } from "../sessions/opened-session";

type Value = string | number | boolean | undefined;
type Attributes = Readonly<Record<string, Value>>;

/** A span as the OpenTelemetry protocol writes it in JSON. */
interface Span {
  readonly id: string;
  readonly name: string;
  readonly kind: "internal" | "client";
  /** Milliseconds since 1970; NaN if unknown. */
  readonly from: number;
  readonly to: number;
  readonly attributes: Attributes;
  readonly events?: readonly object[];
  readonly isError?: boolean;
}

interface TracedSession extends Pick<OpenedSession, "columns"> {
  readonly summary: Pick<
    OpenedSession["summary"],
    "sessionId" | "file" | "format" | "agent" | "agentVersion" | "startedAt" | "endedAt"
  >;
}

/**
 * A session as a trace of OpenTelemetry, one JSON document (OTLP): a span for the session, and within it one for every request, with its usage, and
 * one for every tool call; compactions and other changes of history are events of the request after them. Names models and tools, and holds no text. The same
 * session gives the same ids. Attributes: README.md of the API request logs, "OpenTelemetry traces".
 */
export async function* otlpOf({ summary, columns }: TracedSession): AsyncGenerator<string> {
  const conversation = summary.sessionId ?? summary.file;
  const trace = hexOf(conversation, 2 * ID_DIGITS);
  const root = hexOf(`${conversation} session`, ID_DIGITS);
  const service = {
    "service.name": summary.agent ?? summary.format,
    "service.version": summary.agentVersion ?? undefined,
  };
  const resource = JSON.stringify({ attributes: attributesOf(service) });
  yield `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":{"name":"context-replay","version":"${VERSION}"},"spans":[\n`;
  yield JSON.stringify(otlpSpan(sessionSpan(root, conversation, summary, columns), trace, ""));
  for (const span of spansOf(conversation, columns)) yield `,\n${JSON.stringify(otlpSpan(span, trace, root))}`;
  yield "\n]}]}]}\n";
}

/** Hexadecimal digits of a span's id; a trace's has twice as many. */
const ID_DIGITS = 16;

/** The first digits of a digest, as the ids of traces and spans are written. */
function hexOf(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}

function otlpSpan(
  { id, name, kind, from, to, attributes, events = [], isError = false }: Span,
  traceId: string,
  parentSpanId: string,
) {
  return {
    traceId,
    spanId: id,
    parentSpanId,
    name,
    kind: kind === "client" ? 3 : 1,
    startTimeUnixNano: nanosecondsOf(from),
    endTimeUnixNano: nanosecondsOf(to),
    attributes: attributesOf(attributes),
    events,
    status: isError ? { code: 2 } : {},
  };
}

/** The protocol writes 64-bit integers as texts, and an unknown time as 0. */
function nanosecondsOf(at: number): string {
  return Number.isFinite(at) && at > 0 ? `${BigInt(Math.round(at)) * 1_000_000n}` : "0";
}

function attributesOf(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: NonNullable<Value>): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: `${value}` } : { doubleValue: value };
}

function sessionSpan(
  id: string,
  conversation: string,
  summary: TracedSession["summary"],
  columns: SessionColumns,
): Span {
  const name = agentName(summary.agent)?.label;
  return {
    id,
    name: name === undefined ? "invoke_agent" : `invoke_agent ${name}`,
    kind: "internal",
    from: timeOf(summary.startedAt),
    to: timeOf(summary.endedAt),
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": name,
      "gen_ai.conversation.id": conversation,
    },
    events: changesAt(columns, columns.requests.length),
  };
}

function timeOf(at: string | null): number {
  return at === null ? Number.NaN : Date.parse(at);
}

function* spansOf(conversation: string, columns: SessionColumns): Generator<Span> {
  const { requests, extra } = columns;
  let compacted = false;
  let last = 0;
  for (let at = 0; at < requests.length; at++) {
    const events = changesAt(columns, at);
    compacted ||= events.length > 0 && compactsAt(columns, at);
    const span = requestSpan(conversation, columns, requests, at, {
      "gen_ai.conversation.compacted": compacted || undefined,
    });
    // Readers sort spans by their beginning. If the clock went back, the order of the requests counts.
    last = Math.max(last, Number.isNaN(span.to) ? 0 : sentAt(columns, at));
    const from = Number.isNaN(span.to) ? Number.NaN : last;
    yield { ...span, from, id: hexOf(`${conversation} request ${at}`, ID_DIGITS), events };
  }
  for (let at = 0; at < extra.length; at++) {
    const span = requestSpan(conversation, columns, extra, at, {
      [OWN.extraKind]: EXTRA_KINDS[extra.kind[at] ?? 0],
      [OWN.extraPoint]: known(extra.point[at]),
      [OWN.extraBoundary]: known(extra.boundary[at]),
      [OWN.furtherPass]: extra.furtherPass[at] === 1 || undefined,
    });
    yield { ...span, id: hexOf(`${conversation} extra ${at}`, ID_DIGITS) };
  }
  yield* toolSpans(conversation, columns);
}

/** Time of the last item before a response, which was sent with its request; the response's time if it is not earlier. */
function sentAt({ at, requests }: SessionColumns, request: number): number {
  const answered = requests.at[request] ?? Number.NaN;
  const sent = at[(requests.firstItem[request] ?? 0) - 1] ?? Number.NaN;
  return sent <= answered ? sent : answered;
}

function requestSpan(
  conversation: string,
  { tables }: SessionColumns,
  requests: RequestColumns,
  at: number,
  facts: Attributes,
): Omit<Span, "id"> {
  const model = tables.models[requests.model[at] ?? -1];
  const answered = requests.at[at] ?? Number.NaN;
  return {
    name: model === undefined ? "chat" : `chat ${model}`,
    kind: "client",
    from: answered,
    to: answered,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": PROVIDERS.find(([names]) => names.test(model ?? ""))?.[1],
      "gen_ai.request.model": model,
      "gen_ai.response.model": model,
      "gen_ai.conversation.id": conversation,
      ...usageOf(requests, at),
      ...facts,
      [OWN.inherited]: requests.inherited[at] === 1 || undefined,
      [OWN.partialOutput]: requests.partial[at] === 1 || undefined,
    },
  };
}

/** Providers by the names of their models, in the conventions' terms. */
const PROVIDERS: readonly (readonly [models: RegExp, provider: string])[] = [
  [/claude/i, "anthropic"],
  [/gemini/i, "gcp.gemini"],
  [/(?:^|\/)(?:gpt-|o\d|codex|chatgpt)/i, "openai"],
  [/grok/i, "x_ai"],
  [/deepseek/i, "deepseek"],
  [/mistral|devstral|codestral/i, "mistral_ai"],
];

/** The conventions count cached tokens as input. */
function usageOf(requests: RequestColumns, at: number): Attributes {
  const input = known(requests.input[at]);
  if (input === undefined) return {};
  const [read, write] = [known(requests.cacheRead[at]), known(requests.cacheWrite[at])];
  return {
    "gen_ai.usage.input_tokens": input + (read ?? 0) + (write ?? 0),
    "gen_ai.usage.cache_read.input_tokens": read,
    "gen_ai.usage.cache_creation.input_tokens": write,
    "gen_ai.usage.output_tokens": known(requests.output[at]),
    "gen_ai.usage.reasoning.output_tokens": known(requests.reasoning[at]),
    [OWN.cacheWrite1h]: known(requests.cacheWrite1h[at]),
    [OWN.webSearches]: known(requests.webSearches[at]),
    [OWN.ownCost]: known(requests.ownCost[at]),
  };
}

/** A number of a column; `undefined` if it has none. */
function known(value: number | undefined): number | undefined {
  return value === undefined || !(value >= 0) ? undefined : value;
}

/** Rows of the boundaries right before a request; for the number of requests, those after the last one. */
function boundariesAt({ boundaries, requests }: SessionColumns, request: number): readonly number[] {
  return Array.from(boundaries.request, (_, row) => row).filter((row) => {
    const next = boundaries.request[row] ?? -1;
    return request < requests.length ? next === request : next < 0 || next >= requests.length;
  });
}

function compactsAt(columns: SessionColumns, request: number): boolean {
  return boundariesAt(columns, request).some((row) => columns.boundaries.kind[row] === BOUNDARY.compaction);
}

function changesAt(columns: SessionColumns, request: number): readonly object[] {
  const { kind, trigger, tokensBefore, tokensAfter } = columns.boundaries;
  return boundariesAt(columns, request).map((row) => ({
    timeUnixNano: nanosecondsOf(columns.requests.at[request] ?? Number.NaN),
    name: OWN.boundary,
    attributes: attributesOf({
      [OWN.boundaryKind]: BOUNDARY_KINDS[kind[row] ?? 0],
      [OWN.trigger]: TRIGGERS[trigger[row] ?? 0],
      [OWN.tokensBefore]: known(tokensBefore[row]),
      [OWN.tokensAfter]: known(tokensAfter[row]),
    }),
  }));
}

/** One span for every call with a result. */
function* toolSpans(conversation: string, columns: SessionColumns): Generator<Span> {
  const { kind, pair, tool, at, flags, tables } = columns;
  for (let row = 0; row < columns.length; row++) {
    const result = pair[row] ?? -1;
    if (kind[row] !== KIND.tool_call || result < 0) continue;
    const name = tables.tools[tool[row] ?? -1];
    const isError = ((flags[result] ?? 0) & FLAG.ERROR) !== 0;
    yield {
      id: hexOf(`${conversation} call ${row}`, ID_DIGITS),
      name: name === undefined ? "execute_tool" : `execute_tool ${name}`,
      kind: "internal",
      from: at[row] ?? Number.NaN,
      to: at[result] ?? Number.NaN,
      isError,
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.conversation.id": conversation,
        "error.type": isError ? "_OTHER" : undefined,
      },
    };
  }
}
