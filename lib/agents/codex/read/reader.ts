/*
 * Rollout of Codex: one JSON record a line, its content in `payload`. Invented and shortened:
 *
 * {"timestamp":"2026-03-02T09:00:01.000Z","type":"session_meta","payload":{"id":"019c…","cwd":"/src","cli_version":"0.142.2"}}
 * {"timestamp":"…","type":"event_msg","payload":{"type":"task_started","turn_id":"t1","model_context_window":258400}}
 * {"timestamp":"…","type":"turn_context","payload":{"cwd":"/src","model":"gpt-5.2-codex","effort":"high"}}
 * {"timestamp":"…","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Fix it"}]}}
 * {"timestamp":"…","type":"response_item","payload":{"type":"reasoning","summary":[],"content":null,"encrypted_content":"gAAA…"}}
 * {"timestamp":"…","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{…}","call_id":"c1"}}
 * {"timestamp":"…","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"a.ts"}}
 * {"timestamp":"…","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{…},"last_token_usage":{…}}}}
 * {"timestamp":"…","type":"compacted","payload":{"message":"","replacement_history":[…]}}
 * {"timestamp":"…","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}
 */

import { JoinedNames } from "@/lib/core/base/name-table";
import type { Milliseconds } from "@/lib/core/base/units";
import type { SourceRecord } from "@/lib/core/records/fields";
import { isObject, objectField, textField } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import { isExecEvent, sniffExecEvent } from "../messages/exec-events";
import { toItem } from "../messages/item";
import { itemsOfRecord } from "../messages/record-contents";
import { blocksOf } from "./blocks";
import { ConversationWriter } from "./conversation";
import { ExecReader } from "./exec-reader";
import { sessionMarks } from "./headers";
import { ResponseWriter } from "./responses";
import {
  bareHeaderOf,
  compactedOf,
  rolledBackOf,
  sessionMetaOf,
  tokenCountOf,
  turnContextOf,
  usageRecordOf,
} from "./schema";
import { SessionFactsReader } from "./session";
import { timeOf } from "./time";

/**
 * Reader of Codex's rollouts; README.md of this folder describes the format. The trap: `event_msg` repeats the content of `response_item`, and
 * `token_count` repeats itself. The model saw only response items, and a count is a request only if the running total changed.
 */
export const codexReader: Reader = {
  format: "codex",
  sniff: (head) => head.some(isWrapped) || head.some(isHeader) || head.some(sniffExecEvent) || isBareList(head),
  parse: (builder) => new CodexParser(builder),
  texts: (value) => itemsOfRecord(value).flatMap((item) => blocksOf(item).map((block) => block.text)),
  sessionMarks,
};

const WRAPPED_TYPES = new Set([
  "session_meta",
  "response_item",
  "event_msg",
  "turn_context",
  "compacted",
  "token_usage_record",
]);
/** Event types of all versions seen; others are counted as unknown. Source: README.md, "Not needed", and recordings. */
const EVENT_TYPES = new Set(
  `user_message agent_message agent_reasoning agent_reasoning_raw_content token_count context_compacted
  entered_review_mode exited_review_mode thread_rolled_back undo_completed turn_aborted item_completed
  thread_goal_updated thread_settings_applied thread_name_updated task_started task_complete turn_started turn_complete
  patch_apply_begin patch_apply_end mcp_tool_call_begin mcp_tool_call_end web_search_begin web_search_end
  image_generation_end sub_agent_activity view_image_tool_call exec_command_end error warning stream_error
  dynamic_tool_call_request dynamic_tool_call_response collab_agent_spawn_end collab_agent_interaction_end
  collab_waiting_end collab_close_end collab_resume_end background_event
  guardian_assessment guardian_warning`.split(/\s+/),
);
const OTHER_TYPES = new Set(
  `world_state inter_agent_communication inter_agent_communication_metadata retained_context security_risk_score
  realtime_item`.split(/\s+/),
);
const BARE_TYPES = new Set(["message", "reasoning", "function_call", "function_call_output", "local_shell_call"]);
/** A task begins or ends at these events: no response continues across them. */
const TASK_BEGINS = new Set(["task_started", "turn_started"]);
const TASK_ENDS = new Set(["turn_aborted", "task_complete", "turn_complete"]);

type JsonRecord = Readonly<Record<string, unknown>>;

function isWrapped(value: JsonRecord): boolean {
  return typeof value.type === "string" && WRAPPED_TYPES.has(value.type) && isObject(value.payload);
}

function isHeader(value: JsonRecord): boolean {
  return !("type" in value) && "instructions" in value && bareHeaderOf(value) !== undefined;
}

function isBareItem(value: JsonRecord): boolean {
  if (value.record_type === "state") return true;
  if (typeof value.type !== "string" || !BARE_TYPES.has(value.type)) return false;
  const content = value.content;
  if (value.type !== "message") return "call_id" in value || "summary" in value;
  return (
    Array.isArray(content) &&
    content.every((entry) => isObject(entry) && /^(in|out)put_/.test(textField(entry.type) ?? ""))
  );
}

/** True if it is a bare file whose header is damaged or missing. */
function isBareList(head: readonly JsonRecord[]): boolean {
  return head.length > 0 && head.every(isBareItem);
}

/** Passes each record to its writer. The writers hold all state. */
class CodexParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #session: SessionFactsReader;
  readonly #responses: ResponseWriter;
  readonly #conversation: ConversationWriter;
  readonly #exec: ExecReader;
  readonly #names = new JoinedNames();

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
    this.#session = new SessionFactsReader(builder);
    this.#responses = new ResponseWriter(builder);
    this.#conversation = new ConversationWriter(builder, this.#responses);
    this.#exec = new ExecReader(builder, this.#session, this.#responses, this.#conversation);
  }

  record(record: SourceRecord): void {
    const { value } = record;
    const at = timeOf(value);
    this.#builder.time(at, record.line);
    this.#session.time(at);
    this.#responses.copies(this.#session.copiedUntil);
    const bareHeader = isHeader(value);
    let begins = bareHeader || value.type === "session_meta";
    if (typeof value.type === "string" && isObject(value.payload)) this.#wrapped(record, value.type, value.payload, at);
    else if (bareHeader) this.#header(record);
    else if (isExecEvent(value)) begins = this.#exec.event(record);
    else this.#bare(record);
    this.#session.record(record, begins);
  }

  end(): void {
    // Every record was written as it came.
  }

  #header(record: SourceRecord): void {
    this.#builder.countRecord("header");
    this.#session.bareHeader(bareHeaderOf(record.value), record);
  }

  #bare(record: SourceRecord): void {
    const { value } = record;
    // A record whose payload has no type is skipped: its outer object is not an item either.
    const item = isObject(value.payload) ? undefined : toItem(value);
    if (value.record_type === "state") {
      this.#builder.countRecord("state");
      return;
    }
    this.#builder.countRecord(item?.type ?? "no type");
    if (item === undefined) this.#builder.unknownRecord("no type", record.line);
    else if (WRAPPED_TYPES.has(item.type)) this.#builder.problem("unexpected-field", record.line, item.type);
    else this.#conversation.item(item, record, undefined, item.type);
  }

  #wrapped(record: SourceRecord, type: string, payload: JsonRecord, at: Milliseconds | undefined): void {
    const hasKinds = type === "response_item" || type === "event_msg";
    const name = hasKinds && typeof payload.type === "string" ? this.#names.join(type, payload.type) : type;
    this.#builder.countRecord(name);
    this.#session.wrapped(record, type === "session_meta");
    if (type === "response_item") this.#responseItem(record, payload, at, name);
    else if (type === "event_msg") this.#event(record, payload, name);
    else if (type === "session_meta") this.#sessionMeta(record, payload);
    else if (type === "turn_context") this.#turnContext(record, payload);
    else if (type === "compacted") this.#compacted(record, payload, at);
    else if (type === "token_usage_record") this.#usageRecord(record, payload);
    else if (!OTHER_TYPES.has(type)) this.#builder.unknownRecord(name, record.line);
  }

  #sessionMeta(record: SourceRecord, payload: JsonRecord): void {
    const meta = this.#checked(sessionMetaOf, payload, record, "session_meta");
    this.#responses.header(this.#session.meta(meta, record));
    this.#responses.version(meta?.version);
  }

  #compacted(record: SourceRecord, payload: JsonRecord, at: Milliseconds | undefined): void {
    // Whatever its fields are, the record says that the history was replaced.
    const data = this.#checked(compactedOf, payload, record, "compacted");
    const call = this.#responses.compactionCall(data?.response);
    this.#conversation.compacted(record, data?.message, at);
    if (call !== undefined) this.#builder.extraRequest({ ...call, boundary: this.#builder.boundaryCount - 1 });
  }

  #usageRecord(record: SourceRecord, payload: JsonRecord): void {
    const numbers = this.#builder.numbers(record.line);
    const usage = this.#checked((one) => usageRecordOf(one, numbers), payload, record, "token_usage_record");
    if (usage !== undefined) this.#responses.usageRecord(usage, record);
  }

  #responseItem(record: SourceRecord, payload: JsonRecord, at: Milliseconds | undefined, name: string): void {
    const item = toItem(payload);
    if (item === undefined) this.#builder.unknownRecord(name, record.line);
    else this.#conversation.item(item, record, at, name);
  }

  #turnContext(record: SourceRecord, payload: JsonRecord): void {
    const context = this.#checked(turnContextOf, payload, record, "turn_context");
    this.#session.turn(context);
    if (context !== undefined) this.#responses.turn(context);
    this.#conversation.turnBegins();
  }

  #event(record: SourceRecord, payload: JsonRecord, name: string): void {
    const type = textField(payload.type) ?? "";
    const numbers = this.#builder.numbers(record.line);
    if (type === "token_count") {
      const count = this.#checked((one) => tokenCountOf(one, numbers), payload, record, name);
      if (count?.info) this.#responses.count(count.info, record);
      this.#session.window(count?.info?.window);
    } else if (type === "thread_rolled_back") {
      const event = this.#checked(rolledBackOf, payload, record, name);
      if (event !== undefined) this.#conversation.rollBack(event.turns, record);
    } else if (TASK_BEGINS.has(type)) {
      this.#session.window(numbers.tokens(payload.model_context_window, "model_context_window"));
      this.#conversation.taskBegins();
    } else if (TASK_ENDS.has(type)) this.#conversation.taskEnds(type !== "turn_aborted");
    else if (type === "thread_settings_applied")
      this.#responses.settings(objectField(payload.thread_settings)?.service_tier);
    else if (type === "collab_agent_spawn_end") this.#session.spawned(payload);
    else if (!EVENT_TYPES.has(type)) this.#builder.unknownRecord(name, record.line);
  }

  /** The validated payload; if it is invalid, reports a problem and returns `undefined`. */
  #checked<T>(
    read: (payload: JsonRecord) => T | undefined,
    payload: JsonRecord,
    record: SourceRecord,
    name: string,
  ): T | undefined {
    const data = read(payload);
    if (data === undefined) this.#builder.problem("unexpected-field", record.line, name);
    return data;
  }
}
