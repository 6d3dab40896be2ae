import { entryOf } from "@/lib/core/records/fields";
import type { Origin } from "@/lib/core/transcript/model";
import type { DraftContent } from "./blocks";
import type { Envelope } from "./schema";

/** Origin of each kind of user record; `undefined` if the model does not read it. */
const ORIGIN_OF_SUBTYPE: Readonly<Record<string, Origin | undefined>> = {
  mid_turn_user_message: "typed",
  notification: "context",
  cron: "context",
  goal_runtime: "context",
  realtime_message: undefined,
};

/** True if a user record's subtype is known. */
export function isUserSubtype(subtype: string): boolean {
  return Object.hasOwn(ORIGIN_OF_SUBTYPE, subtype);
}

const REMINDER = /^\s*<system-reminder>[\s\S]*<\/system-reminder>\s*$/;
const HOOK_CONTEXT = /^\s*<qwen:user-prompt-submit-context>/;
/** A longer text is more than a reminder. */
const MAX_REMINDER_CHARS = 100_000;

/** The origin of a user or tool_result record; `undefined` if the model does not read it. */
export function userOrigin(envelope: Envelope, content: DraftContent): Origin | undefined {
  const { subtype } = envelope;
  if (subtype !== undefined) return isUserSubtype(subtype) ? entryOf(ORIGIN_OF_SUBTYPE, subtype) : "context";
  if (envelope.type === "tool_result" || content.blocks.some(({ kind }) => kind === "tool_result")) return "tool";
  if (envelope.provenance === "system" || envelope.provenance === "goal_runtime") return "context";
  if (envelope.externalInputKind !== undefined && envelope.externalInputKind !== "message") return "context";
  const reminders =
    content.blocks.length > 0 && content.blocks.every(({ kind, text }) => kind === "text" && isReminder(text));
  return reminders ? "context" : "typed";
}

function isReminder(text: string): boolean {
  return text.length <= MAX_REMINDER_CHARS && REMINDER.test(text);
}

/** The typed text of a record: the text for the screen, else the first text that no hook or reminder added. */
export function promptText({ payload }: Envelope, content: DraftContent): string {
  if (typeof payload.displayText === "string") return payload.displayText;
  const own = content.blocks.find(({ kind, text }) => kind === "text" && !isReminder(text) && !HOOK_CONTEXT.test(text));
  return own?.text ?? "";
}
