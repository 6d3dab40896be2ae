import { idOf } from "@/lib/agents/shared/ids";
import { jsonOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import { isObject, type JsonObject, objectField } from "@/lib/core/records/fields";
import { type ResponseItem, stringField } from "./item";

/**
 * Converts events that `codex exec --json` prints into records of a rollout: events of a thread and its items, or, until September 2025, those of the
 * protocol (`{id, msg}`). Source: README.md, "Formats".
 */

/** Kinds of events of a thread; another kind is unknown. */
const THREAD_EVENTS = new Set(
  `thread.started session.created turn.started turn.completed turn.failed item.started item.updated item.completed
  item.plan.delta request_user_input error`.split(/\s+/),
);

/** True if a record is an event of a captured stream, of either format. */
export function isExecEvent(value: JsonObject): boolean {
  return isThreadEvent(value) || isProtocolEvent(value) || isSettings(value) || isPrompt(value);
}

/** True if a record can only come from such a stream. */
export function sniffExecEvent(value: JsonObject): boolean {
  switch (value.type) {
    case "thread.started":
      return typeof value.thread_id === "string";
    case "session.created":
      return typeof value.session_id === "string";
    case "turn.completed":
      return objectField(value.usage)?.input_tokens !== undefined;
    case "item.started":
    case "item.completed":
      return kindOfItem(objectField(value.item)) !== undefined;
    default:
      return isProtocolEvent(value) && SNIFFED_MESSAGES.has(textOf(objectField(value.msg)?.type));
  }
}

const SNIFFED_MESSAGES = new Set(
  "session_configured task_started agent_message agent_reasoning exec_command_begin token_count".split(" "),
);

function isThreadEvent({ type, payload }: JsonObject): boolean {
  return typeof type === "string" && THREAD_EVENTS.has(type) && !isObject(payload);
}

function isProtocolEvent({ type, id, msg }: JsonObject): boolean {
  return type === undefined && typeof id === "string" && typeof objectField(msg)?.type === "string";
}

/** The first line until September 2025: settings, among them `workdir` and `model`. */
function isSettings({ type, workdir, sandbox }: JsonObject): boolean {
  return type === undefined && typeof workdir === "string" && typeof sandbox === "string";
}

/** The second line until September 2025. */
function isPrompt(value: JsonObject): boolean {
  return typeof value.prompt === "string" && Object.keys(value).length === 1;
}

/** The name under which a record is counted. */
export function execEventName(value: JsonObject): string {
  const { type, item, msg } = value;
  if (isSettings(value)) return "settings";
  if (isPrompt(value)) return "prompt";
  const kind = isProtocolEvent(value) ? textOf(objectField(msg)?.type) : kindOfItem(objectField(item));
  return kind === undefined ? textOf(type) : [textOf(type) || "msg", kind].join("/");
}

/** The items of an event, as a rollout has them. The texts of an event are numbered across its items. */
export function itemsOfExecEvent(value: JsonObject): readonly ResponseItem[] {
  if (isPrompt(value)) return [message("user", "input_text", textOf(value.prompt))];
  const msg = isProtocolEvent(value) ? objectField(value.msg) : undefined;
  if (msg !== undefined) return itemsOfMessage(msg);
  const item = value.type === "item.completed" ? objectField(value.item) : undefined;
  return item === undefined ? [] : itemsOfThreadItem(item);
}

function kindOfItem(item: JsonObject | undefined): string | undefined {
  return item === undefined ? undefined : (stringField(item, "type") ?? stringField(item, "item_type"));
}

function itemsOfThreadItem(item: JsonObject): readonly ResponseItem[] {
  switch (kindOfItem(item)) {
    case "agent_message":
    case "assistant_message":
    case "plan":
      return [message("assistant", "output_text", textOf(item.text))];
    case "reasoning":
      return [reasoning(item.text)];
    case "command_execution":
      return callWithOutput("shell", { command: item.command }, textOf(item.aggregated_output));
    case "file_change":
      return callWithOutput("apply_patch", { changes: item.changes }, "");
    case "mcp_tool_call":
      return callWithOutput(`${textOf(item.server)}.${textOf(item.tool)}`, item.arguments, resultText(item));
    case "collab_tool_call":
      return callWithOutput(textOf(item.tool), { prompt: item.prompt }, jsonOf(item.agents_states));
    case "web_search":
      return [{ type: "web_search_call", action: { type: "search", query: item.query } }];
    default:
      return [];
  }
}

function itemsOfMessage(msg: JsonObject): readonly ResponseItem[] {
  const id = idOf(msg.call_id);
  const invocation = objectField(msg.invocation);
  switch (msg.type) {
    case "user_message":
      return [message("user", "input_text", textOf(msg.message))];
    case "agent_message":
      return [message("assistant", "output_text", textOf(msg.message))];
    case "agent_reasoning":
      return [reasoning(msg.text)];
    case "exec_command_begin":
      return [call("shell", { command: msg.command }, id)];
    case "exec_command_end":
      return [
        output(stringField(msg, "formatted_output") ?? stringField(msg, "aggregated_output") ?? printed(msg), id),
      ];
    case "patch_apply_begin":
      return [call("apply_patch", { changes: msg.changes }, id)];
    case "patch_apply_end":
      return [output(printed(msg), id)];
    case "mcp_tool_call_begin":
      return [call(`${textOf(invocation?.server)}.${textOf(invocation?.tool)}`, invocation?.arguments, id)];
    case "mcp_tool_call_end":
      return [output(resultText({ result: objectField(msg.result)?.Ok, error: objectField(msg.result)?.Err }), id)];
    case "web_search_end":
      return [{ type: "web_search_call", action: { type: "search", query: msg.query } }];
    default:
      return [];
  }
}

/** The id that joins a call and its output within one event. */
const SAME_EVENT = "same event";

/** An item with ids made unique to its event: a captured file may hold several streams, whose item ids restart. */
export function withEventId(item: ResponseItem, event: number): ResponseItem {
  return item.call_id === SAME_EVENT ? { ...item, call_id: `event ${event}` } : item;
}

function callWithOutput(name: string, args: unknown, text: string): readonly ResponseItem[] {
  return [call(name, args, SAME_EVENT), output(text, SAME_EVENT)];
}

function message(role: string, type: string, text: string): ResponseItem {
  return { type: "message", role, content: [{ type, text }] };
}

function reasoning(text: unknown): ResponseItem {
  return { type: "reasoning", content: [{ type: "reasoning_text", text }] };
}

function call(name: string, args: unknown, id: string | undefined): ResponseItem {
  return { type: "function_call", name, arguments: jsonOf(args ?? {}), call_id: id };
}

function output(text: string, id: string | undefined): ResponseItem {
  return { type: "function_call_output", call_id: id, output: text };
}

function printed({ stdout, stderr }: JsonObject): string {
  return textOf(stdout) + textOf(stderr);
}

function resultText({ result, error }: JsonObject): string {
  const content = objectsOf(objectField(result)?.content).map((part) => stringField(part, "text") ?? jsonOf(part));
  return content.length > 0 ? content.join("\n") : textOf(objectField(error)?.message ?? error);
}

/** Kinds of items and messages to skip: they repeat others, or the model does not see them. */
const NOT_READ = new Set(
  `todo_list error agent_message_delta agent_reasoning_delta agent_reasoning_raw_content
  agent_reasoning_raw_content_delta agent_reasoning_section_break exec_command_output_delta turn_diff plan_update
  web_search_begin session_configured token_count task_started task_complete turn_started turn_complete turn_aborted
  stream_error background_event warning exec_approval_request apply_patch_approval_request shutdown_complete`.split(
    /\s+/,
  ),
);

/** True if an event holds an item or a message of unknown kind. */
export function isUnknownEvent(value: JsonObject): boolean {
  const held = objectField(value.item) ?? (isProtocolEvent(value) ? objectField(value.msg) : undefined);
  if (held === undefined) return false;
  const isKnown = NOT_READ.has(kindOfItem(held) ?? "");
  return !isKnown && (isProtocolEvent(value) ? itemsOfMessage(held) : itemsOfThreadItem(held)).length === 0;
}

/** The id of the thread that an event begins, as a session's header has it; `undefined` if it begins none. */
export function threadOfEvent(value: JsonObject): { readonly id: string | undefined } | undefined {
  if (value.type === "thread.started" && !isObject(value.payload)) return { id: idOf(value.thread_id) };
  if (value.type === "session.created" && !isObject(value.payload)) return { id: idOf(value.session_id) };
  const msg = isProtocolEvent(value) ? objectField(value.msg) : undefined;
  return msg?.type === "session_configured" ? { id: idOf(msg.session_id) } : undefined;
}
