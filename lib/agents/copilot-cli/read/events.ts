import { idOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, textOf } from "@/lib/agents/shared/json";

/** Families of events that add nothing to the context. Source: github/copilot-sdk, nodejs/src/generated/session-events.ts. */
const FAMILIES = new Set([
  ...["hook", "permission", "user_input", "elicitation", "sampling", "mcp", "mcp_app", "external_tool", "command"],
  ...["commands", "auto_mode_switch", "session_limits_exhausted", "capabilities", "exit_plan_mode", "factory", "ui"],
  ...["pending_messages", "model", "tool_search", "skill", "subagent"],
]);

/** Further events that add nothing to the context. */
const OTHERS = new Set([
  ...["abort", "system.message", "assistant.intent", "assistant.server_tool_progress", "assistant.reasoning"],
  ...["assistant.turn_start", "assistant.turn_end", "assistant.idle", "assistant.usage", "assistant.message_start"],
  ...["assistant.reasoning_delta", "assistant.tool_call_delta", "assistant.streaming_delta", "assistant.message_delta"],
  ...["tool.user_requested", "tool.execution_start", "tool.execution_partial_result", "tool.execution_progress"],
]);

const SESSION = new Set(
  [
    "start resume remote_steerable_changed error idle title_changed schedule_created schedule_cancelled",
    "schedule_rearmed autopilot_objective_changed info warning model_change mode_changed session_limits_changed",
    "permissions_changed plan_changed todos_changed workspace_file_changed handoff truncation snapshot_rewind shutdown",
    "usage_checkpoint context_changed usage_info context_cleared compaction_start compaction_complete task_complete",
    "binary_asset custom_notification auto_mode_resolved managed_settings_resolved managed_settings_enforced",
    "tools_updated background_tasks_changed skills_loaded custom_agents_updated mcp_servers_loaded",
    "mcp_server_status_changed extensions_loaded",
  ].flatMap((names) => names.split(" ")),
);

/** True for an event of the documented format that is not a message. */
export function isKnownEvent(type: string): boolean {
  const [family = "", name = "", ...rest] = type.split(".");
  if (family !== "session") return OTHERS.has(type) || FAMILIES.has(family);
  return rest.length === 0 ? SESSION.has(name) : name === "canvas" || name === "extensions";
}

const OWN_EVENT =
  /^(?:session\.\w+|user\.message|assistant\.(?:message|turn_start|reasoning|usage)|tool\.execution_\w+|system\.message)$/;

/** True if one of the first records is an event of the program: a dotted type, an id, and its values in `data`. */
export function sniffCopilot(head: readonly JsonObject[]): boolean {
  return head.some(
    ({ type, id, data, timestamp }) =>
      typeof id === "string" && isObject(data) && typeof timestamp === "string" && OWN_EVENT.test(textOf(type)),
  );
}

/** True for an event of a subagent. Earlier releases name the call that started it. */
export function isSubagents({ agentId, data }: JsonObject): boolean {
  return textOf(agentId) !== "" || (isObject(data) && textOf(data.parentToolCallId) !== "");
}

/** Id of the subagent that an event belongs to; `undefined` for the session's own events, and if the id is masked. */
export function subagentOf({ agentId, data }: JsonObject): string | undefined {
  return idOf(agentId) ?? (isObject(data) ? idOf(data.parentToolCallId) : undefined);
}
