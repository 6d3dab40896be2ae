/*
 * Wire file of Kimi CLI: a header, then one message of the wire a line. Invented and shortened:
 *
 * {"type":"metadata","protocol_version":"1.10"}
 * {"timestamp":1772352000.5,"message":{"type":"TurnBegin","payload":{"user_input":"Which port?"}}}
 * {"timestamp":1772352000.6,"message":{"type":"StepBegin","payload":{"n":1}}}
 * {"timestamp":1772352002,"message":{"type":"ToolCall","payload":{"id":"c1","function":{"name":"ReadFile","arguments":"{\"path\":\"a.ts\"}"}}}}
 * {"timestamp":1772352003,"message":{"type":"StatusUpdate","payload":{"context_tokens":900,"max_context_tokens":262144,
 *   "token_usage":{"input_other":900,"output":40,"input_cache_read":0,"input_cache_creation":0}}}}
 * {"timestamp":1772352004,"message":{"type":"ToolResult","payload":{"tool_call_id":"c1","return_value":{"is_error":false,"output":"port = 3000"}}}}
 * {"timestamp":1772352005,"message":{"type":"TurnEnd","payload":{}}}
 */

import { idOf } from "@/lib/agents/shared/ids";
import { type JsonObject, objectOf, textOf, timeOf } from "@/lib/agents/shared/json";
import { promptTitle } from "@/lib/agents/shared/title";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { DraftBlock } from "@/lib/core/transcript/draft";
import type { Block, Message, Usage } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";
import { KEPT_MESSAGES } from "../base/constants";
import { draftsOf, fileIn, wireMessage } from "./drafts";

/** Reads Kimi CLI's wire files. README.md describes the format. */
export const kimiReader: Reader = {
  format: "kimi-cli",
  sniff: (head) => head.some(({ timestamp, message }) => typeof timestamp === "number" && isSent(objectOf(message))),
  parse: (builder) => new KimiParser(builder),
  texts: (record) => draftsOf(record).map(({ text }) => text),
  sessionMarks:
    () =>
    ({ value }) => ({ begins: isHeader(value) }),
};

/** True for the header, the first record of a session. No record names its session. */
function isHeader({ type, protocol_version }: JsonObject): boolean {
  return type === "metadata" && protocol_version !== undefined;
}

/** Messages of the wire that are read. */
const READ = [
  "TurnBegin",
  "SteerInput",
  "TurnEnd",
  "StepBegin",
  "StepInterrupted",
  "StepRetry",
  "ContentPart",
  "ToolCall",
  "ToolCallPart",
  "ToolResult",
  "StatusUpdate",
  "CompactionBegin",
  "CompactionEnd",
  "SubagentEvent",
] as const;
/** Messages for the screen only. Source: README.md, "Records". */
const UNREAD = new Set([
  "HookTriggered",
  "HookResolved",
  "HookRequest",
  "MCPLoadingBegin",
  "MCPLoadingEnd",
  "Notification",
  "PlanDisplay",
  "BtwBegin",
  "BtwEnd",
  "ApprovalRequest",
  "ApprovalResponse",
  "ApprovalRequestResolved",
  "QuestionRequest",
  "ToolCallRequest",
]);

type Read = (typeof READ)[number];

const isRead = (type: string): type is Read => (READ as readonly string[]).includes(type);

function isSent({ type, payload }: JsonObject): boolean {
  return typeof payload === "object" && (isRead(textOf(type)) || UNREAD.has(textOf(type)));
}

interface When {
  readonly line: number;
  readonly at?: number | undefined;
}

/** A block before its text is measured, and the record that holds the text. */
interface Held {
  readonly draft: DraftBlock;
  readonly record: SourceRecord;
  readonly part: number;
}

/** One call of the model, with the results of its tools. They enter the context together, once every call has its result. */
interface Step {
  readonly when: When;
  blocks: Held[];
  results: { readonly held: readonly Held[]; readonly when: When }[];
  calls: number;
  /** Absent until the response ended. */
  ended?: { readonly usage: Usage | undefined };
}

class KimiParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #agents = new Set<string>();
  #title: string | undefined;
  #headers = 0;
  /** The prompt of a turn before its first step: a command has no steps, and its text is not sent. */
  #prompt: { readonly held: readonly Held[]; readonly when: When } | undefined;
  #step: Step | undefined;
  #compacting: number | undefined;
  /** Messages in the context, oldest first. */
  #live: { readonly message: number; readonly isResult: boolean }[] = [];

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const { value, line } = record;
    const message = wireMessage(value);
    const type = message?.type ?? (textOf(value.type) || "(no type)");
    this.#builder.countRecord(type);
    const at = this.#builder.time(timeOf(value.timestamp), line);
    const when = { line, at };
    if (isHeader(value)) this.#headers += 1;
    if (this.#headers > 1) this.#builder.problem("several-sessions", line);
    if (isRead(type) && message !== undefined) this.#read(type, message.payload, record, when);
    else if (type !== "metadata" && !UNREAD.has(type)) this.#builder.unknownRecord(type, line);
  }

  /** Writes the unfinished step, and keeps it for later records. */
  end(): void {
    const [live, title] = [[...this.#live], this.#title];
    this.#enterPrompt();
    this.#enterStep();
    this.#builder.facts({ title: this.#title });
    this.#live = live;
    this.#title = title;
    this.#builder.sidechains(this.#agents.size);
  }

  #read(type: Read, payload: JsonObject, record: SourceRecord, when: When): void {
    switch (type) {
      case "TurnBegin":
        this.#endStep();
        this.#prompt = { held: heldOf(record), when };
        return;
      case "SteerInput":
        this.#endStep();
        this.#enter({ role: "user", origin: "typed", ...when }, heldOf(record));
        return;
      case "StepBegin":
        this.#endStep();
        this.#enterPrompt();
        this.#prompt = undefined;
        this.#step = { when, blocks: [], results: [], calls: 0 };
        return;
      case "StepInterrupted":
        this.#endStep();
        return;
      case "TurnEnd":
        this.#endStep();
        this.#prompt = undefined;
        return;
      case "StepRetry":
        // The failed attempt's beginning was shown, but the next attempt writes the whole response again.
        if (this.#step !== undefined) this.#step = { when: this.#step.when, blocks: [], results: [], calls: 0 };
        return;
      case "ContentPart":
      case "ToolCall":
        this.#content(record, when, type === "ToolCall");
        return;
      case "ToolCallPart":
        this.#restOfCall(record);
        return;
      case "ToolResult":
        this.#result(record, when);
        return;
      case "StatusUpdate":
        this.#status(payload, when);
        return;
      case "CompactionBegin":
        this.#compacting = when.at ?? Number.NaN;
        return;
      case "CompactionEnd":
        this.#compaction(when);
        return;
      case "SubagentEvent":
        this.#subagent(payload, when);
    }
  }

  /** Text outside of a step is the program's own, such as a command's answer. */
  #content(record: SourceRecord, when: When, isCall: boolean): void {
    const step = this.#step;
    if (step === undefined) return;
    if (step.blocks.length === 0) this.#step = { ...step, when };
    this.#step?.blocks.push(...heldOf(record));
    if (isCall && this.#step !== undefined) this.#step.calls += 1;
  }

  /** The rest of the last call's arguments, whose beginning was written when another message came between. */
  #restOfCall(record: SourceRecord): void {
    const call = this.#step?.blocks.findLast(({ draft }) => draft.kind === "tool_call");
    const { callId, tool } = call?.draft ?? {};
    for (const held of heldOf(record)) {
      this.#step?.blocks.push({ ...held, draft: { ...held.draft, callId, tool } });
    }
  }

  #result(record: SourceRecord, when: When): void {
    const result = { held: heldOf(record), when };
    if (this.#step === undefined) this.#enter({ role: "user", origin: "tool", ...when }, result.held);
    else this.#step.results.push(result);
  }

  #status({ token_usage, max_context_tokens, context_tokens, message_id }: JsonObject, { line }: When): void {
    const numbers = this.#builder.numbers(line);
    const tokens = numbers.tokens(context_tokens, "context_tokens");
    // Only `/clear` leaves an empty context.
    if (this.#step === undefined && tokens === 0 && this.#live.length > 0) {
      this.#live = [];
      this.#boundary("rollback", { line }, []);
    }
    this.#builder.facts({ recordedWindow: numbers.tokens(max_context_tokens, "max_context_tokens") });
    numbers.unknownUsage(token_usage, KNOWN_FIELDS);
    const usage = usageOf(objectOf(token_usage), numbers);
    if (this.#step !== undefined && (usage !== undefined || typeof message_id === "string"))
      this.#step.ended ??= { usage };
  }

  /** A step whose calls were not all answered never entered the context: it was interrupted. */
  #endStep(): void {
    const step = this.#step;
    const before = [...this.#live];
    this.#enterStep();
    this.#step = undefined;
    if (step === undefined || (step.ended !== undefined && step.results.length >= step.calls)) return;
    if (this.#live.length === before.length) return;
    this.#live = before;
    this.#boundary("rollback", { line: step.when.line }, before);
  }

  #enterStep(): void {
    const step = this.#step;
    if (step === undefined || (step.blocks.length === 0 && step.ended === undefined)) {
      for (const { held, when } of step?.results ?? []) this.#enter({ role: "user", origin: "tool", ...when }, held);
      return;
    }
    const usage = step.ended?.usage;
    this.#builder.request({ ...step.when, usage });
    const blocks = withFiles(step.blocks);
    if (blocks.length > 0) this.#enter({ role: "assistant", origin: "response", ...step.when }, blocks);
    for (const { held, when } of step.results) this.#enter({ role: "user", origin: "tool", ...when }, held);
  }

  #enterPrompt(): void {
    if (this.#prompt === undefined) return;
    const { held, when } = this.#prompt;
    this.#title = promptTitle(this.#title, held[0]?.draft.text ?? "");
    this.#enter({ role: "user", origin: "typed", ...when }, held);
  }

  #enter(facts: Omit<Message, "blocks">, held: readonly Held[]): void {
    const blocks = held.map(({ draft, record, part }): Block => {
      const { line, offset, length } = record;
      return this.#builder.block(draft, { line, offset, length, part });
    });
    const message = this.#builder.message({ ...facts, blocks });
    this.#live.push({ message, isResult: facts.origin === "tool" });
  }

  /** The wire does not name the kept messages: they follow from the rule. Source: README.md, "Compaction". */
  #compaction({ line, at }: When): void {
    const began = this.#compacting;
    this.#compacting = undefined;
    const isManual = this.#step === undefined;
    const conversation = this.#live.filter(({ isResult }) => !isResult);
    const first = conversation.at(-KEPT_MESSAGES)?.message ?? 0;
    this.#live = this.#live.filter(({ message }) => message >= first);
    const took = at !== undefined && began !== undefined && at >= began ? { took: Math.round(at - began) } : {};
    this.#boundary("compaction", { line, at, ...took }, this.#live, isManual ? "manual" : "auto");
  }

  #boundary(
    kind: "compaction" | "rollback",
    { at, ...when }: { readonly line: number; readonly at?: number | undefined; readonly took?: number },
    live: readonly { readonly message: number }[],
    trigger: "manual" | "auto" | "unknown" = "unknown",
  ): void {
    this.#builder.boundary({ kind, ...when, at, trigger, kept: live.map(({ message }) => message) });
  }

  /** A subagent's usage is paid by this session; its messages are in a context of its own. */
  #subagent(payload: JsonObject, when: When): void {
    const { event, agent_id, parent_tool_call_id, task_tool_call_id } = payload;
    const callId = idOf(parent_tool_call_id) ?? idOf(task_tool_call_id);
    const agent = idOf(agent_id) ?? callId;
    if (agent !== undefined) {
      this.#agents.add(agent);
      this.#builder.subagent(agent, callId);
    }
    const { type, payload: inner } = objectOf(event);
    if (type === "SubagentEvent") {
      this.#subagent(objectOf(inner), when);
      return;
    }
    const numbers = this.#builder.numbers(when.line);
    const { token_usage } = objectOf(inner);
    numbers.unknownUsage(token_usage, KNOWN_FIELDS);
    const usage = usageOf(objectOf(token_usage), numbers);
    if (type === "StatusUpdate" && usage !== undefined)
      this.#builder.extraRequest({ kind: "subagent", ...when, usage });
  }
}

function heldOf(record: SourceRecord): readonly Held[] {
  return draftsOf(record.value).map((draft, part) => ({ draft, record, part }));
}

/** Blocks of a response; each call gets the file named by its complete arguments, which several records may hold. */
function withFiles(blocks: readonly Held[]): readonly Held[] {
  return blocks.map((held, at) => {
    if (held.draft.kind !== "tool_call" || wireMessage(held.record.value)?.type !== "ToolCall") return held;
    const end = blocks.findIndex(
      ({ record }, index) => index > at && wireMessage(record.value)?.type !== "ToolCallPart",
    );
    const args = blocks.slice(at, end < 0 ? undefined : end).map(({ draft }) => draft.text);
    return { ...held, draft: { ...held.draft, file: fileIn(args.join("")) } };
  });
}

/** All fields of the provider-neutral usage; the input excludes both cache parts. */
const KNOWN_FIELDS: KnownUsageFields = new Set(["input_other", "output", "input_cache_read", "input_cache_creation"]);

function usageOf(usage: JsonObject, numbers: RecordNumbers): Usage | undefined {
  const input = numbers.tokens(usage.input_other, "input_other");
  const output = numbers.tokens(usage.output, "output");
  const cacheRead = numbers.tokens(usage.input_cache_read, "input_cache_read");
  const cacheWrite = numbers.tokens(usage.input_cache_creation, "input_cache_creation");
  if (input === undefined) return undefined;
  return { input, cacheRead, cacheWrite, output };
}
