import type { HistoryMessage, PromptParts, SentTexts, SummaryPromptRule } from "@/lib/agents/server-half";
import type { BoundaryItemWire, ContextMessage, SummaryPrompt } from "@/lib/api/contract";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { type Standing, sentText } from "../session/sent-texts";
import { eachMessage, type LoadedFile } from "./each-message";

/** An item of the recording at a compaction: its state in the context afterwards, and whether it enters only then. */
export type WantedItem = Pick<BoundaryItemWire, "index" | "state"> & Standing & { readonly entering: boolean };

/** The recorded part of a context after a compaction, and what would have been sent to have the rest summarised. */
export interface ContextTexts {
  readonly messages: readonly ContextMessage[];
  /** How many of the last messages enter only after the compaction. */
  readonly entering: number;
  readonly prompt: SummaryPrompt | null;
}

/** Which prompt is wanted; without a rule, none is. */
export interface PromptChoice {
  readonly preset: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly rule: SummaryPromptRule | undefined;
  /** How that agent shortens what it sends. */
  readonly texts: SentTexts;
}

/**
 * Loads the texts of the items at a compaction: the messages as they are afterwards, and the agent's own prompt over what was in the context up to
 * the last dropped item. Throws `InputError` where the file has changed.
 */
export function contextTexts(
  loaded: LoadedFile,
  items: readonly WantedItem[],
  { preset, settings, rule, texts }: PromptChoice,
): ContextTexts {
  const wanted = new Map(items.map((item) => [item.index, item]));
  const lastDropped = items.reduce(
    (last, { index, state }) => (state === "dropped" ? Math.max(last, index) : last),
    -1,
  );
  const messages: ContextMessage[] = [];
  let entering = 0;
  const history: HistoryMessage[] = [];
  const whole: HistoryMessage[] = [];
  const ownSystem: string[] = [];
  eachMessage(loaded, {
    ...(rule !== undefined && {
      overhead: (row: number, text: string) => {
        if (loaded.transcript.overhead[row]?.category === "systemPrompt") ownSystem.push(text);
      },
    }),
    message: (message, contents, firstRow) => {
      const parts = message.blocks.map((block, part) => ({ block, part, item: wanted.get(firstRow + part) }));
      const stays = parts.flatMap(({ block, part, item }) =>
        item === undefined || item.state === "dropped" ? [] : [{ block, part, item }],
      );
      if (stays.length > 0) {
        const sent = stays.map(({ block, part, item }) => sentText(texts, contents[part]?.text ?? "", block, item));
        messages.push({ role: message.role, text: sent.join("\n\n"), note: noteOf(stays.map(({ item }) => item)) });
        if (stays.every(({ item }) => item.entering)) entering += 1;
      }
      const before = parts.filter(({ item }) => item !== undefined && isThereBefore(item));
      if (rule === undefined || before.length === 0) return;
      const part = (of: typeof before): HistoryMessage => ({
        message: { ...message, blocks: of.map(({ block }) => block) },
        contents: of.flatMap(({ block, part }) => entered(texts, block, contents[part])),
      });
      whole.push(part(before));
      const summarised = before.filter(({ part }) => firstRow + part <= lastDropped);
      if (summarised.length > 0) history.push(part(summarised));
    },
  });
  const parts = rule?.(history, preset, loaded.transcript.format, { whole, settings });
  return { messages, entering, prompt: parts === undefined ? null : promptOf(parts, ownSystem) };
}

function isThereBefore({ state, entering }: WantedItem): boolean {
  return state !== "added" && !entering;
}

/** A content as it entered the context. */
function entered(
  texts: SentTexts,
  block: Message["blocks"][number],
  content: BlockContent | undefined,
): BlockContent[] {
  return content === undefined ? [] : [{ ...content, text: sentText(texts, content.text, block, WHOLE) }];
}

const WHOLE: Standing = { standing: "whole", left: 1 };

/** @param ownSystem the session's own system prompt, as far as the file holds it */
function promptOf(
  { system, text, sent = [], around: [before, after] = ["", ""], notes = [] }: PromptParts,
  ownSystem: readonly string[],
): SummaryPrompt {
  const own = notes.includes("systemOwn") && ownSystem.length > 0 ? ownSystem.join("\n\n") : null;
  return {
    system: system ?? own,
    text,
    messages: sent.map(historyMessage),
    around: [before, after],
    notes: [...notes],
  };
}

/** A message as it was sent; parts without text (pictures) are left out. A call is told with the name of its tool. */
function historyMessage({ message, contents }: HistoryMessage): ContextMessage {
  const texts = contents.map(({ text }, part) => {
    const { kind, tool } = message.blocks[part] ?? {};
    return kind === "tool_call" ? `${tool ?? ""} ${text}`.trim() : text;
  });
  return { role: message.role, text: texts.filter((text) => text !== "").join("\n\n"), note: null };
}

function noteOf(items: readonly Standing[]): ContextMessage["note"] {
  if (items.some(({ standing }) => standing === "truncated")) return "truncated";
  return items.some(({ standing }) => standing === "cleared") ? "cleared" : null;
}
