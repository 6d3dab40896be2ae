import type { CodexPreset } from "@/lib/agents/codex/base/presets";
import { ends, isRealUserMessage } from "@/lib/agents/codex/messages/contextual";
import { contentItems, type ResponseItem, stringField } from "@/lib/agents/codex/messages/item";

const DEVELOPER_PREFIXES = [
  "<permissions instructions>",
  "<model_switch>",
  "<collaboration_mode>",
  "<multi_agent_mode>",
  "<environments_instructions>",
  "<apps_instructions>",
  "<plugins_instructions>",
  "<skills_instructions>",
  "<realtime_conversation>",
  "<personality_spec>",
  "<token_budget>",
  "<context_window>",
  "<context_window_guidance>",
  "<rollout_budget>",
];

/** True if a developer message holds a part that is sent again with the next turn. */
export function isContextualDeveloperMessage(item: ResponseItem): boolean {
  return contentItems(item.content).some((entry) => {
    const { head } = ends(stringField(entry, "text") ?? "");
    return entry.type === "input_text" && DEVELOPER_PREFIXES.some((prefix) => head.startsWith(prefix));
  });
}

/** True if a user turn starts at this item. `current` also counts mail from another agent. */
export function isUserTurnBoundary(item: ResponseItem, preset: CodexPreset): boolean {
  return isRealUserMessage(item, preset) || (preset === "current" && item.type === "agent_message");
}
