import { idOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, listOf, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";

/** A call of a model, with the message that it wrote. */
interface ModelCall {
  readonly event: JsonObject;
  readonly message: JsonObject;
  /** Ids of the messages that were sent; empty if they have none. */
  readonly sent: ReadonlySet<string>;
}

/** One sample of an evaluation, with its parts in one shape for all releases. */
export interface Sample {
  readonly messages: readonly JsonObject[];
  /** The model call that wrote a message, by the message's index. */
  readonly calls: ReadonlyMap<number, ModelCall>;
  /** Calls whose response is not among the messages: of scorers, and of other agents. */
  readonly others: readonly JsonObject[];
  /** Compactions before a message's call, by the message's index. */
  readonly compactions: ReadonlyMap<number, readonly JsonObject[]>;
  /** Resolves a reference; returns any other text unchanged. */
  readonly resolve: (text: string) => string;
}

/** URL schemes of references to shared texts; logs before 2024-10-24 use `tc://`. */
const REFERENCE = /^(?:tc|attachment):\/\//;

/** The parts of a sample. Source: src/inspect_ai/log/_log.py, `EvalSample`. */
export function sampleOf(value: JsonObject): Sample {
  const messages = objectsOf(value.messages);
  const transcript = objectOf(value.transcript);
  const held = objectOf(value.attachments ?? transcript.content);
  const resolve = (text: string) => (REFERENCE.test(text) ? textOf(held[text.replace(REFERENCE, "")]) || text : text);
  const pool = listOf(value.message_pool ?? objectOf(value.events_data).messages);
  const calls = new Map<number, ModelCall>();
  const compactions = new Map<number, readonly JsonObject[]>();
  const others: JsonObject[] = [];
  let waiting: JsonObject[] = [];
  for (const event of objectsOf(value.events ?? transcript.events)) {
    if (event.event === "compaction") waiting.push(event);
    if (event.event !== "model") continue;
    const message = objectOf(objectOf(objectsOf(objectOf(event.output).choices)[0]).message);
    const index = indexOf(messages, message, calls, resolve);
    if (index < 0) {
      others.push(event);
      continue;
    }
    calls.set(index, { event, message, sent: sentBy(event, pool) });
    if (waiting.length > 0) compactions.set(index, waiting);
    waiting = [];
  }
  return { messages, calls, others, compactions, resolve };
}

/** Index of the message that a call wrote: by its id, or in logs without ids the first one with the same text. */
function indexOf(
  messages: readonly JsonObject[],
  written: JsonObject,
  calls: ReadonlyMap<number, ModelCall>,
  resolve: Sample["resolve"],
): number {
  const id = idOf(written.id);
  if (id !== undefined) return messages.findIndex((message) => message.id === id);
  const text = contentText(written.content, resolve);
  return messages.findIndex(
    (message, index) =>
      message.role === "assistant" && !calls.has(index) && contentText(message.content, resolve) === text,
  );
}

function contentText(content: unknown, resolve: Sample["resolve"]): string {
  if (typeof content === "string") return resolve(content);
  return objectsOf(content)
    .map(({ text }) => resolve(textOf(text)))
    .join("");
}

/** Newer logs hold each message once, and each call stores index ranges of the messages that it sent. */
function sentBy({ input, input_refs }: JsonObject, pool: readonly unknown[]): ReadonlySet<string> {
  const ranges = listOf(input_refs).flatMap((range) => {
    const [from, end] = listOf(range);
    return typeof from === "number" && typeof end === "number" ? pool.slice(from, end) : [];
  });
  const ids = [...objectsOf(input), ...ranges.filter(isObject)].map(({ id }) => idOf(id));
  return new Set(ids.filter((id) => id !== undefined));
}
