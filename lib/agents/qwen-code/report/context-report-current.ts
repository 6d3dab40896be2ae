import type { Tokens } from "@/lib/core/base/units";
import type { NamedTokens } from "@/lib/core/context/context-overhead";
import type { DocumentedReport } from "./context-report";
import type { CurrentShares } from "./context-shares-current";

export interface SkillRow extends NamedTokens {
  readonly loaded?: boolean;
  readonly bodyTokens?: Tokens | undefined;
}

export interface CurrentReport extends Omit<DocumentedReport, "breakdown" | "skills"> {
  readonly breakdown: Omit<CurrentShares, "scale" | "unknown"> & { readonly cachedTokens: Tokens };
  readonly skills: readonly SkillRow[];
}

/** The model's answer that older versions put after the context at the front. */
export const CONTEXT_ANSWER = "Got it. Thanks for the context!";
/** First words of a loaded skill's body. */
export const SKILL_BODY_HEAD = "Base directory for this skill: ";
const REMINDER = "<system-reminder>";
const REMINDER_END = "</system-reminder>";

/** True if a text is nothing but a reminder that the client wrote. */
export function isReminder(text: string): boolean {
  return text.startsWith(REMINDER) && text.trimEnd().endsWith(REMINDER_END);
}
