import type { BoundaryItemWire, ContextMessage, SummaryPrompt } from "@/lib/api/contract";
import type { HistoryMessage, PromptParts, SummaryPromptRule } from "../summary-prompts";
import { eachMessage, type LoadedFile } from "./each-message";

/** An item of the recording at a compaction. */
export type WantedItem = Pick<BoundaryItemWire, "index" | "state">;

/** The recorded part of a context after a compaction, and what would have been sent to have the rest summarised. */
export interface ContextTexts {
  readonly messages: readonly ContextMessage[];
  readonly prompt: SummaryPrompt | null;
}

/** Whose prompt is wanted; without a rule none is. */
export interface PromptChoice {
  readonly preset: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly rule: SummaryPromptRule | undefined;
}

/** Stands for a result whose content was cleared. */
const CLEARED = "[content cleared]";

/**
 * Loads the texts of the items at a compaction: messages as they stand afterwards, and the agent's own prompt over what
 * was in the context up to the last dropped item. Throws `InputError` where the file has changed.
 */
export function contextTexts(
  loaded: LoadedFile,
  items: readonly WantedItem[],
  { preset, settings, rule }: PromptChoice,
): ContextTexts {
  const states = new Map(items.map(({ index, state }) => [index, state]));
  const lastDropped = items.reduce(
    (last, { index, state }) => (state === "dropped" ? Math.max(last, index) : last),
    -1,
  );
  const messages: ContextMessage[] = [];
  const history: HistoryMessage[] = [];
  const whole: HistoryMessage[] = [];
  eachMessage(loaded, {
    message: (message, contents, firstRow) => {
      const parts = message.blocks.map((block, part) => ({ block, part, state: states.get(firstRow + part) }));
      const stays = parts.filter(({ state }) => state !== undefined && state !== "dropped");
      if (stays.length > 0) {
        const texts = stays.map(({ part, state }) => (state === "cleared" ? CLEARED : (contents[part]?.text ?? "")));
        messages.push({ role: message.role, text: texts.join("\n\n"), note: noteOf(stays.map(({ state }) => state)) });
      }
      const before = parts.filter(({ state }) => state !== undefined && state !== "added");
      if (rule === undefined || before.length === 0) return;
      const part = (of: typeof before): HistoryMessage => ({
        message: { ...message, blocks: of.map(({ block }) => block) },
        contents: of.flatMap(({ part }) => contents[part] ?? []),
      });
      whole.push(part(before));
      const summarised = before.filter(({ part }) => firstRow + part <= lastDropped);
      if (summarised.length > 0) history.push(part(summarised));
    },
  });
  const parts = rule?.(history, preset, loaded.transcript.format, { whole, settings });
  return { messages, prompt: parts === undefined ? null : promptOf(parts) };
}

function promptOf({ system, text, sent = [], notes = [] }: PromptParts): SummaryPrompt {
  return { system, text, messages: sent.map(historyMessage), notes: [...notes] };
}

/** A message as it was sent; what has no text (pictures) leaves no trace. */
function historyMessage({ message, contents }: HistoryMessage): ContextMessage {
  const texts = contents.map(({ text }) => text).filter((text) => text !== "");
  return { role: message.role, text: texts.join("\n\n"), note: null };
}

function noteOf(states: readonly (WantedItem["state"] | undefined)[]): ContextMessage["note"] {
  if (states.includes("truncated")) return "truncated";
  return states.includes("cleared") ? "cleared" : null;
}
