import type { OverheadCategoryId } from "@/lib/core/context/categories";

/**
 * Category of the texts that Codex inserts, by their beginning. Codex has no breakdown of its own; these are the sections Built-in and User of a
 * branch that was not merged, in our categories. Source: README.md, "Breakdown".
 */
const BY_BEGINNING: readonly (readonly [string, OverheadCategoryId])[] = [
  ["# agents.md instructions", "memoryFiles"],
  ["<user_instructions>", "memoryFiles"],
  ["<environment_context>", "startupContext"],
  ["<environments_instructions>", "startupContext"],
  ["<skill", "skills"],
  ["<apps_instructions>", "mcpTools"],
  ["<plugins_instructions>", "mcpTools"],
];
/** Texts that concern one moment and not the whole session: they stay among the messages. */
const OF_THE_MOMENT = [
  "<turn_aborted>",
  "<user_shell_command>",
  "<subagent_notification>",
  "<hook_prompt",
  "<goal_context>",
];
const HEAD_CHARS = 64;

/**
 * The category of a context text; `undefined` for what stays an attachment.
 * @param developer whether it is in a developer message, which holds permissions, collaboration, personality and the user's own developer
 * instructions
 */
export function contextCategory(text: string, developer: boolean): OverheadCategoryId | undefined {
  const head = text
    .slice(0, HEAD_CHARS * 2)
    .trimStart()
    .slice(0, HEAD_CHARS)
    .toLowerCase();
  const found = BY_BEGINNING.find(([beginning]) => head.startsWith(beginning));
  if (found !== undefined) return found[1];
  if (OF_THE_MOMENT.some((beginning) => head.startsWith(beginning))) return undefined;
  return developer ? "systemPrompt" : undefined;
}
