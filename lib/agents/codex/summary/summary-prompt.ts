import { codexPreset } from "../base/presets";
import { SUMMARY_PREFIX } from "../messages/contextual";

/** The prompt as Codex's published description prints it. The release's prompt, `templates/compact/prompt.md`, has the same content. */
const SUMMARIZATION_PROMPT = `You are performing a CONTEXT CHECKPOINT COMPACTION.
Create a handoff summary for another LLM that will resume the task.

Include:
- Current progress and key decisions made
- Important context, constraints, or user preferences
- What remains to be done (clear next steps)
- Any critical data, examples, or references needed to continue

Be concise, structured, and focused on helping the next LLM seamlessly continue the work.`;

/**
 * Prompt sent after the whole history, with the session's own base instructions and without tools. The document joins prompt and history into one
 * text for illustration; the releases send messages. A provider that compacts by itself gets only the history. Source: README.md, "Local compaction"
 * and "Remote compaction".
 */
export function summaryPromptOf<Entry>(
  _history: readonly Entry[],
  preset: string,
  _format: string,
  { whole, settings }: { readonly whole: readonly Entry[]; readonly settings: Readonly<Record<string, unknown>> },
) {
  const isRemote = codexPreset(preset) === "current" && settings.remote !== false;
  if (isRemote) return { system: null, text: "", sent: whole, notes: ["systemOwn", "onServer"] as const };
  const wording = codexPreset(preset) === "as-documented" ? [] : (["wordingOfDocument"] as const);
  const notes = ["systemOwn", ...wording] as const;
  return { system: null, text: SUMMARIZATION_PROMPT, sent: whole, around: [`${SUMMARY_PREFIX}\n`, ""] as const, notes };
}
