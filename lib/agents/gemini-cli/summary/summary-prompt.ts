import { textOf } from "@/lib/agents/shared/json";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { SNAPSHOT_TAG } from "../base/constants";
import { type Content, partsOf } from "../messages/content";
import { nativeContent } from "../read/native";

/** The request after the history, which is sent unchanged. The system prompt of that call is not known. */
export function summaryPromptOf(
  history: readonly { readonly message: Message; readonly contents: readonly BlockContent[] }[],
  _preset: string,
  format: string,
) {
  const contents = history.map((entry) => nativeContent(entry.message, entry.contents, format).content);
  return { system: null, text: summaryRequest(contents), sent: history, notes: ["systemUnknown"] as const };
}

const NEW_SNAPSHOT = "Generate a new <state_snapshot> based on the provided history.";
const UPDATED_SNAPSHOT =
  "A previous <state_snapshot> exists in the history. You MUST integrate all still-relevant information from that snapshot into the new one, updating it with the more recent events. Do not lose established constraints or critical knowledge.";

/** The request after the history: for a new snapshot, or to update the existing one. */
export function summaryRequest(history: readonly Content[]): string {
  const has = history.some((content) => partsOf(content).some((part) => textOf(part.text).includes(SNAPSHOT_TAG)));
  const task = has ? UPDATED_SNAPSHOT : NEW_SNAPSHOT;
  return `${task}\n\nFirst, reason in your scratchpad. Then, generate the updated <state_snapshot>.`;
}

/** The request after the first answer. */
export const CHECK_REQUEST =
  "Critically evaluate the <state_snapshot> you just generated. Did you omit any specific technical details, file paths, tool results, or user constraints mentioned in the history? If anything is missing or could be more precise, generate a FINAL, improved <state_snapshot>. Otherwise, repeat the exact same <state_snapshot> again.";
