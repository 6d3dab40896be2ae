import { nameOf } from "@/lib/agents/shared/ids";
import type { SourceRecord } from "@/lib/core/records/fields";
import { type JsonObject, objectField, textField } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { RecordNumbers } from "@/lib/core/transcript/record-numbers";
import { execEventName, isUnknownEvent, itemsOfExecEvent, threadOfEvent, withEventId } from "../messages/exec-events";
import type { ConversationWriter } from "./conversation";
import { type ResponseWriter, usageOf } from "./responses";
import { KNOWN_USAGE, sessionMetaOf, type TokenUsage, tokenCountOf, tokenUsageOf } from "./schema";
import type { SessionFactsReader } from "./session";
import { timeOf } from "./time";

const USAGE_FIELDS = [
  "input_tokens",
  "cached_input_tokens",
  "cache_write_input_tokens",
  "output_tokens",
  "reasoning_output_tokens",
] as const satisfies (keyof TokenUsage)[];

/** Reads the events of `codex exec --json`. They state only the sum of a thread's requests, at the end of every turn. */
export class ExecReader {
  readonly #builder: TranscriptBuilder;
  readonly #session: SessionFactsReader;
  readonly #responses: ResponseWriter;
  readonly #conversation: ConversationWriter;
  #thread: string | undefined;
  #events = 0;
  /** The thread's sum at the end of the previous turn. */
  #before: TokenUsage | undefined;
  /** The sum of single counts, the only ones in the earliest format. */
  #counted: TokenUsage | undefined;

  constructor(
    builder: TranscriptBuilder,
    session: SessionFactsReader,
    responses: ResponseWriter,
    conversation: ConversationWriter,
  ) {
    this.#builder = builder;
    this.#session = session;
    this.#responses = responses;
    this.#conversation = conversation;
  }

  /** Reads an event; returns true if it begins a session. */
  event(record: SourceRecord): boolean {
    const { value, line } = record;
    const name = execEventName(value);
    this.#builder.countRecord(name);
    if (isUnknownEvent(value)) this.#builder.unknownRecord(name, line);
    this.#events += 1;
    let part = 0;
    for (const item of itemsOfExecEvent(value)) {
      part += this.#conversation.item(withEventId(item, this.#events), record, timeOf(value), name, part);
    }
    const thread = threadOfEvent(value);
    if (thread !== undefined) this.#begin(thread.id, record);
    if (value.type === undefined) this.#protocol(record);
    else if (value.type === "turn.started") this.#turn(true);
    else if (value.type === "turn.completed") this.#turnSum(value.usage, record);
    else if (value.type === "turn.failed") this.#conversation.taskEnds(false);
    return thread !== undefined;
  }

  /** Begins a thread; a resume repeats the event. */
  #begin(id: string | undefined, record: SourceRecord): void {
    this.#responses.header();
    if (id !== undefined && id === this.#thread) return;
    this.#thread = id;
    this.#before = undefined;
    this.#session.meta(sessionMetaOf({ id }), record);
  }

  #turn(begins: boolean): void {
    if (begins) this.#conversation.taskBegins();
    else this.#conversation.taskEnds(true);
    this.#conversation.turnBegins();
    this.#responses.turnBegins();
  }

  #turnSum(value: unknown, record: SourceRecord): void {
    const numbers = this.#builder.numbers(record.line);
    numbers.unknownUsage(value, KNOWN_USAGE);
    const total = tokenUsageOf(value, (number, field) => numbers.sum(number, field));
    if (total !== undefined) {
      const usage = usageOf(sinceBefore(total, this.#before));
      this.#before = total;
      this.#responses.turnSum(usage, record);
    }
    this.#turn(false);
  }

  /** Reads events of the protocol, and the two lines before them. */
  #protocol(record: SourceRecord): void {
    const { value } = record;
    const msg = objectField(value.msg);
    if (msg === undefined) {
      this.#settings({ model: value.model, cwd: value.workdir, effort: value["reasoning effort"] });
      return;
    }
    const numbers = this.#builder.numbers(record.line);
    switch (msg.type) {
      case "session_configured":
        this.#settings({ model: msg.model, cwd: undefined, effort: undefined });
        break;
      case "task_started":
      case "turn_started":
        this.#session.window(numbers.tokens(msg.model_context_window, "model_context_window"));
        this.#turn(true);
        break;
      case "task_complete":
      case "turn_complete":
      case "turn_aborted":
        this.#conversation.taskEnds(msg.type !== "turn_aborted");
        break;
      case "token_count":
        this.#count(msg, numbers, record);
        break;
    }
  }

  #settings({ model, cwd, effort }: { readonly [Key in "model" | "cwd" | "effort"]: unknown }): void {
    const context = { model: nameOf(model), cwd: textField(cwd), effort: textField(effort) };
    this.#session.turn(context);
    this.#responses.turn(context);
    this.#builder.facts({ project: nameOf(cwd) });
  }

  /** Reads a count, which has the sums of the session and of the last response, or in the earliest format only the latter. */
  #count(msg: JsonObject, numbers: RecordNumbers, record: SourceRecord): void {
    if (msg.info !== undefined) {
      const info = tokenCountOf(msg, numbers)?.info;
      if (info) this.#responses.count(info, record);
      this.#session.window(info?.window);
      return;
    }
    numbers.unknownUsage(msg, KNOWN_USAGE);
    const last = tokenUsageOf(msg, (value, field) => numbers.tokens(value, field));
    if (last === undefined) return;
    this.#counted = this.#counted === undefined ? last : sumOf(last, this.#counted);
    this.#responses.count({ total: this.#counted, last }, record);
  }
}

/** Difference between two states of a thread's running sum. A field that shrank means that the sum restarted at 0. */
function sinceBefore(total: TokenUsage, before: TokenUsage | undefined): TokenUsage {
  if (before === undefined || USAGE_FIELDS.some((field) => (total[field] ?? 0) < (before[field] ?? 0))) return total;
  return combined(total, before, (one, other) => one - other);
}

function sumOf(one: TokenUsage, other: TokenUsage): TokenUsage {
  return combined(one, other, (a, b) => a + b);
}

function combined(one: TokenUsage, other: TokenUsage, combine: (a: number, b: number) => number): TokenUsage {
  const number = (field: keyof TokenUsage) => {
    const value = one[field];
    return value === undefined ? undefined : combine(value, other[field] ?? 0);
  };
  return {
    input_tokens: combine(one.input_tokens, other.input_tokens),
    cached_input_tokens: number("cached_input_tokens"),
    cache_write_input_tokens: number("cache_write_input_tokens"),
    output_tokens: number("output_tokens"),
    reasoning_output_tokens: number("reasoning_output_tokens"),
  };
}
