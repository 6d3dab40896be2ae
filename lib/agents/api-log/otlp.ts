import { responseMessage } from "@/lib/agents/shared/api-parts";
import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, listOf, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import { OWN_ATTRIBUTES as OWN } from "@/lib/agents/shared/otlp-attributes";
import { usageFrom } from "@/lib/agents/shared/usage-from";
import { BOUNDARY_KINDS, EXTRA_KINDS, TRIGGERS } from "@/lib/core/columns/columns";
import type { DraftMessage } from "@/lib/core/transcript/draft";
import type { Usage } from "@/lib/core/transcript/model";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";
import type { DraftRequest, Exchange, StatedChange } from "./draft";
import {
  type Attributes,
  eventMessage,
  flatMessages,
  genAiMessages,
  instructionBlocks,
  isSystem,
  structured,
} from "./gen-ai";
import { systemPrompt, toolDeclarations } from "./overhead";

/** Traces of the OpenTelemetry protocol (OTLP), as JSON. Format, with the releases of the conventions: README.md, "OpenTelemetry traces". */

interface SpanEvent {
  readonly name: string;
  readonly at: unknown;
  readonly attributes: Attributes;
}

interface Span {
  readonly value: JsonObject;
  readonly attributes: Attributes;
  readonly resource: Attributes;
  readonly events: readonly SpanEvent[];
}

/** True for a document of the protocol that holds spans. */
export function isTrace({ resourceSpans }: JsonObject): boolean {
  return Array.isArray(resourceSpans);
}

/** The requests to models among a document's spans, in the order in which they began, then the changes of history that follow them. */
export function exchangesOfTrace(record: JsonObject, numbers: RecordNumbers): readonly Exchange[] {
  const spans = inOrder(spansOf(record));
  const conversations = new Map(
    spans.flatMap((span) => {
      const id = conversationOf(span);
      return id === undefined ? [] : [[span.value.traceId, id] as const];
    }),
  );
  const sessionOf = (span: Span) =>
    conversationOf(span) ?? conversations.get(span.value.traceId) ?? idOf(span.value.traceId);
  const requests = spans.filter(isRequest);
  const others = spans.filter((span) => !isRequest(span) && span.events.some(isBoundary));
  return [
    ...requests.map((span) => exchangeOf(span, sessionOf(span), numbers)),
    ...others.map((span) => ({ ...NOTHING, stated: changesOf(span, numbers), at: atOf(span, numbers) })),
  ];
}

const NOTHING = { request: undefined, response: undefined, failed: false } as const;

function spansOf({ resourceSpans }: JsonObject): readonly Span[] {
  return objectsOf(resourceSpans).flatMap(({ resource, scopeSpans, instrumentationLibrarySpans }) => {
    const shared = attributesOf(objectOf(resource).attributes);
    const scopes = objectsOf(scopeSpans ?? instrumentationLibrarySpans); // The second is the name before version 0.15 of the protocol.
    return scopes.flatMap(({ spans }) =>
      objectsOf(spans).map((value) => ({
        value,
        attributes: attributesOf(value.attributes),
        resource: shared,
        events: objectsOf(value.events).map((event) => ({
          name: textOf(event.name),
          at: event.timeUnixNano,
          attributes: attributesOf(event.attributes),
        })),
      })),
    );
  });
}

/** Spans in the order of their start; a span without a time follows the span before it. */
function inOrder(spans: readonly Span[]): readonly Span[] {
  let last = 0;
  const placed = spans.map((span) => {
    last = nanosecondsOf(span.value.startTimeUnixNano) ?? last;
    return { span, from: last };
  });
  return placed.sort((a, b) => a.from - b.from).map(({ span }) => span);
}

function attributesOf(list: unknown): Attributes {
  return new Map(objectsOf(list).map(({ key, value }) => [textOf(key), plainValue(value)] as const));
}

/** The value of the protocol's `AnyValue`. Its 64-bit integers are texts. */
function plainValue(value: unknown): unknown {
  if (!isObject(value)) return value;
  if ("intValue" in value) return integerOf(value.intValue);
  if (isObject(value.arrayValue)) return listOf(value.arrayValue.values).map(plainValue);
  if (isObject(value.kvlistValue)) return Object.fromEntries(attributesOf(value.kvlistValue.values));
  return value.stringValue ?? value.doubleValue ?? value.boolValue ?? value.bytesValue;
}

function integerOf(value: unknown): unknown {
  return typeof value === "string" && /^-?\d{1,20}$/.test(value) ? Number(value) : value;
}

function nanosecondsOf(value: unknown): number | undefined {
  const number = integerOf(value);
  return typeof number === "number" && number > 0 ? number : undefined;
}

/** The end of a span, when its response is complete; else its beginning. */
function atOf({ value }: Span, numbers: RecordNumbers): number | undefined {
  return timeOf(value.endTimeUnixNano, numbers) ?? timeOf(value.startTimeUnixNano, numbers);
}

function timeOf(value: unknown, numbers: RecordNumbers): number | undefined {
  const at = nanosecondsOf(value);
  return at === undefined ? undefined : numbers.time(Math.round(at / 1e6), "time");
}

function conversationOf({ attributes, resource }: Span): string | undefined {
  return (
    idOf(attributes.get("gen_ai.conversation.id")) ??
    idOf(attributes.get("session.id")) ??
    idOf(resource.get("session.id"))
  );
}

/** Operations that ask a model for a response, and those that do not, or that sum up the requests within them. */
const REQUESTS = new Set(["chat", "generate_content", "text_completion"]);
const OTHERS =
  /^(?:embeddings|retrieval|execute_tool|create_agent|invoke_agent|invoke_workflow|plan|[a-z]+_memory(?:_store)?)$/;

/** An operation of another name is a request if it has usage; so is a span that names no operation, as older ones do. */
function isRequest({ attributes }: Span): boolean {
  const operation = textOf(attributes.get("gen_ai.operation.name"));
  if (REQUESTS.has(operation)) return true;
  if (OTHERS.test(operation) || /^(?:embedding|rerank)$/.test(textOf(attributes.get("llm.request.type")))) return false;
  const names = ["gen_ai.request.model", "gen_ai.response.model"];
  if (!names.some((name) => typeof attributes.get(name) === "string")) return false;
  return attributes.has("llm.request.type") || USAGE_TOTALS.some((name) => attributes.has(name));
}

function exchangeOf(span: Span, session: string | undefined, numbers: RecordNumbers): Exchange {
  const { value, events } = span;
  // Older conventions record the messages as events of the span.
  const fromEvents = events
    .filter(({ name }) => name.startsWith("gen_ai."))
    .flatMap(({ attributes }) => [...attributes]);
  const attributes = new Map([...fromEvents, ...span.attributes]);
  const input = contentOf(attributes, "gen_ai.input.messages", "gen_ai.prompt", "user");
  const output = contentOf(attributes, "gen_ai.output.messages", "gen_ai.completion", "assistant");
  const messages = input.messages ?? messagesInEvents(events, false);
  const [answer] = output.messages ?? messagesInEvents(events, true) ?? [];
  const usage = usageOf(attributes, numbers);
  const failed = isFailed(value) && usage === undefined && answer === undefined;
  const model = nameOf(attributes.get("gen_ai.request.model"));
  const kind = EXTRA_KINDS.find((one) => one === attributes.get(OWN.extraKind));
  return {
    request: { model, session, previous: undefined, ...requestOf(attributes, messages) },
    response: failed
      ? undefined
      : {
          id: idOf(attributes.get("gen_ai.response.id")),
          model: nameOf(attributes.get("gen_ai.response.model")),
          messages: answer === undefined ? unknownAnswer(messages) : genAiMessages({ ...answer, role: "assistant" }),
          usage,
        },
    failed,
    at: atOf(span, numbers),
    span: { id: spanKey(value.traceId, value.spanId), parent: spanKey(value.traceId, value.parentSpanId) },
    stated: changesOf(span, numbers),
    compacted: attributes.get("gen_ai.conversation.compacted") === true,
    odd: [...input.odd, ...output.odd, ...STRUCTURED.filter((name) => isCut(structured(attributes.get(name))))],
    inherited: attributes.get(OWN.inherited) === true,
    partialOutput: attributes.get(OWN.partialOutput) === true,
    ...(kind === undefined
      ? {}
      : {
          extra: {
            kind,
            point: numbers.sum(attributes.get(OWN.extraPoint), OWN.extraPoint),
            boundary: numbers.sum(attributes.get(OWN.extraBoundary), OWN.extraBoundary),
            furtherPass: attributes.get(OWN.furtherPass) === true,
          },
        }),
  };
}

/** An answer with unknown content. The next request contains it, unless the trace records no contents. */
function unknownAnswer(messages: readonly JsonObject[] | undefined): readonly DraftMessage[] {
  return messages === undefined ? [responseMessage([])] : [];
}

function spanKey(trace: unknown, span: unknown): string | undefined {
  const id = idOf(span);
  return id === undefined ? undefined : `${textOf(trace)} ${id}`;
}

/** The protocol's code of an error, as a number or by its name. */
function isFailed({ status }: JsonObject): boolean {
  const { code } = objectOf(status);
  return code === 2 || code === "STATUS_CODE_ERROR";
}

function requestOf(
  attributes: Attributes,
  messages: readonly JsonObject[] | undefined,
): Pick<DraftRequest, "overhead" | "messages" | "isWithoutContent"> {
  const first = messages?.findIndex((message) => !isSystem(message)) ?? 0;
  const promptEnd = first < 0 ? (messages?.length ?? 0) : first;
  const leading = (messages ?? []).slice(0, promptEnd).flatMap(genAiMessages);
  const instructions = attributes.get("gen_ai.system_instructions") ?? attributes.get("gen_ai.system.instructions");
  const prompt = [...instructionBlocks(instructions), ...leading.flatMap(({ blocks }) => blocks)];
  return {
    overhead: [...systemPrompt(prompt), ...toolDeclarations(structured(attributes.get("gen_ai.tool.definitions")))],
    messages: (messages ?? []).slice(promptEnd).flatMap((message): readonly DraftMessage[] => genAiMessages(message)),
    isWithoutContent: messages === undefined,
  };
}

interface Content {
  readonly messages: readonly JsonObject[] | undefined;
  /** The attribute's name if its value is not what the conventions say, such as JSON cut at a limit. */
  readonly odd: readonly string[];
}

/** The messages in an attribute, or in one of an older name: a list, its JSON, a text alone, or an attribute for every field. */
function contentOf(attributes: Attributes, name: string, older: string, role: string): Content {
  const key = attributes.has(name) ? name : older;
  const value = structured(attributes.get(key));
  if (Array.isArray(value)) return { messages: objectsOf(value), odd: [] };
  if (isObject(value) && Array.isArray(value.messages)) return { messages: objectsOf(value.messages), odd: [] };
  if (typeof value === "string" && !isCut(value)) return { messages: [{ role, content: value }], odd: [] };
  const flat = flatMessages(attributes, `${older}.`);
  return { messages: flat.length === 0 ? undefined : flat, odd: value === undefined || value === null ? [] : [key] };
}

/** Attributes other than messages that may be recorded as JSON. */
const STRUCTURED = ["gen_ai.system_instructions", "gen_ai.tool.definitions"];

/** True for the beginning of a JSON value, such as one cut at a limit of the length of attributes. */
function isCut(value: unknown): boolean {
  return typeof value === "string" && /^\s*[[{]/.test(value);
}

function messagesInEvents(events: readonly SpanEvent[], isAnswer: boolean): readonly JsonObject[] | undefined {
  const messages = events
    .filter(({ name }) => (name === "gen_ai.choice") === isAnswer)
    .map(({ name, attributes }) => eventMessage(name, attributes))
    .filter((message) => message !== undefined);
  return messages.length === 0 ? undefined : messages;
}

const USAGE = "gen_ai.usage.";
const INPUT = [`${USAGE}input_tokens`, `${USAGE}prompt_tokens`];
const OUTPUT = [`${USAGE}output_tokens`, `${USAGE}completion_tokens`];
const CACHE_READ = [
  `${USAGE}cache_read.input_tokens`,
  `${USAGE}cache_read_input_tokens`,
  "llm.usage.cache_read_input_tokens",
];
const CACHE_WRITE = [
  `${USAGE}cache_creation.input_tokens`,
  `${USAGE}cache_write.input_tokens`,
  `${USAGE}cache_creation_input_tokens`,
  "llm.usage.cache_creation_input_tokens",
];
const REASONING = [`${USAGE}reasoning.output_tokens`, `${USAGE}reasoning_tokens`];
const USAGE_TOTALS = [...INPUT, ...OUTPUT];

/** Fields that are read. Not needed: the total; tokens of one modality, which are parts of the input or the output. */
const KNOWN_FIELDS: KnownUsageFields = new Set([
  ...[...USAGE_TOTALS, ...CACHE_READ, ...CACHE_WRITE, ...REASONING].map((name) => name.replace(USAGE, "")),
  "total_tokens",
  ...["audio", "image", "text", "video"].flatMap((kind) => [`${kind}.input_tokens`, `${kind}.output_tokens`]),
]);

/** Usage of a request. The conventions count cached tokens as input; a cache larger than the input shows that its writer does not. */
function usageOf(attributes: Attributes, numbers: RecordNumbers): Usage | undefined {
  const used = [...attributes].filter(([name]) => name.startsWith(USAGE));
  numbers.unknownUsage(
    Object.fromEntries(used.map(([name, value]) => [name.slice(USAGE.length), value])),
    KNOWN_FIELDS,
  );
  const read = (...names: readonly string[]) => {
    const name = names.find((one) => attributes.has(one));
    return name === undefined ? undefined : numbers.tokens(attributes.get(name), name);
  };
  const [input, cacheRead, cacheWrite] = [read(...INPUT), read(...CACHE_READ), read(...CACHE_WRITE)];
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const webSearches = numbers.tokens(attributes.get(OWN.webSearches), OWN.webSearches);
  const ownCost = numbers.dollars(attributes.get(OWN.ownCost), OWN.ownCost);
  const usage = usageFrom({
    sent: input === undefined || input >= cached ? input : input + cached,
    cacheRead,
    cacheWrite,
    cacheWrite1h: read(OWN.cacheWrite1h),
    output: read(...OUTPUT),
    reasoning: read(...REASONING),
  });
  return (
    usage && {
      ...usage,
      ...(webSearches === undefined ? {} : { webSearches }),
      ...(ownCost === undefined ? {} : { ownCost }),
    }
  );
}

function isBoundary({ name }: SpanEvent): boolean {
  return name === OWN.boundary;
}

function changesOf({ events }: Span, numbers: RecordNumbers): readonly StatedChange[] {
  return events.filter(isBoundary).map(({ at, attributes }) => ({
    kind: BOUNDARY_KINDS.find((kind) => kind === attributes.get(OWN.boundaryKind)) ?? "compaction",
    trigger: TRIGGERS.find((trigger) => trigger === attributes.get(OWN.trigger)) ?? "unknown",
    at: timeOf(at, numbers),
    tokensBefore: numbers.tokens(attributes.get(OWN.tokensBefore), OWN.tokensBefore),
    tokensAfter: numbers.tokens(attributes.get(OWN.tokensAfter), OWN.tokensAfter),
  }));
}
