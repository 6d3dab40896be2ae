import type {
  HistoryMessage,
  PromptParts,
  SentMessage,
  SentTexts,
  SummaryPromptRule,
} from "@/lib/agents/shared/server-profile";
import { withBlocks } from "@/lib/agents/shared/stand-ins";
import type { Tokens } from "@/lib/core/base/units";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Block } from "@/lib/core/transcript/model";
import type { BoundaryItemWire, ContextMessage, SummaryPrompt } from "@/lib/queries/contract/schemas";
import { eachMessage, type LoadedFile } from "./each-message";
import { type SentState, sentText } from "./sent-texts";

/** An item of the recording at a compaction: its state in the context afterwards, and whether it enters only then. */
export interface WantedItem extends Pick<BoundaryItemWire, "index" | "state">, SentState {
  readonly entering: boolean;
  /** True if the summary call leaves the item out. */
  readonly unsent: boolean;
  /** Limits in tokens to which compactions truncate its text, oldest first: `before` without this compaction, `after` with it. */
  readonly limits: Readonly<Record<"before" | "after", readonly Tokens[]>>;
}

/** The recorded part of a context after a compaction, and the request to summarise the rest. */
export interface ContextTexts {
  readonly messages: readonly ContextMessage[];
  /** Number of last messages that enter only after the compaction. */
  readonly entering: number;
  readonly prompt: SummaryPrompt | null;
}

/** The requested prompt; without a rule, none. */
interface PromptChoice {
  readonly preset: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly rule: SummaryPromptRule | undefined;
  /** Truncation rule of its agent for sent texts. */
  readonly texts: SentTexts;
}

/**
 * Loads the texts of the items at a compaction: the messages afterwards, and the agent's own prompt over the context up to the last dropped item.
 * Throws `InputError` if the file has changed.
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
  const staying: SentMessage[] = [];
  let entering = 0;
  const present: SentMessage[] = [];
  const itemOf = new Map<Block, WantedItem>();
  const ownSystem: string[] = [];
  eachMessage(loaded, {
    ...(rule !== undefined && {
      overhead: (row: number, text: string) => {
        if (loaded.transcript.overhead[row]?.category === "systemPrompt") ownSystem.push(text);
      },
    }),
    message: (message, contents, firstRow) => {
      const parts = message.blocks.flatMap((block, part) => {
        const item = wanted.get(firstRow + part);
        return item === undefined ? [] : [{ block, content: contents[part] ?? NO_CONTENT, item }];
      });
      for (const { block, item } of parts) itemOf.set(block, item);
      const partOf = (of: typeof parts, time: "before" | "after"): SentMessage => ({
        message: { ...message, blocks: of.map(({ block }) => block) },
        contents: of.map(({ block, content, item }) =>
          texts.history === undefined
            ? { ...content, text: sentText(texts, content.text, block, time === "after" ? item : WHOLE) }
            : content,
        ),
        limits: of.map(({ item }) => item.limits[time]),
      });
      const stays = parts.filter(({ item }) => item.state !== "dropped");
      if (stays.length > 0) {
        staying.push(partOf(stays, "after"));
        if (stays.every(({ item }) => item.entering)) entering += 1;
      }
      const before = parts.filter(({ item }) => isPresentBefore(item) && !item.unsent);
      if (rule !== undefined && before.length > 0) present.push(partOf(before, "before"));
    },
  });
  const sent = (messages: readonly SentMessage[]) => texts.history?.(messages, loaded.transcript.format) ?? messages;
  const after = sent(staying);
  const messages = (texts.paired?.(after, preset, loaded.transcript.format) ?? after).map(
    ({ message: { role, blocks }, contents }): ContextMessage => {
      const items = blocks.flatMap((block) => itemOf.get(block) ?? []);
      return { role, text: contents.map(({ text }) => text).join("\n\n"), note: noteOf(items) };
    },
  );
  const whole = sent(present);
  const history = whole.flatMap((message) =>
    withBlocks(message, (block) => (itemOf.get(block)?.index ?? Number.POSITIVE_INFINITY) <= lastDropped),
  );
  const parts = rule?.(history, preset, loaded.transcript.format, { whole, settings });
  return { messages, entering, prompt: parts === undefined ? null : promptOf(parts, ownSystem) };
}

function isPresentBefore({ state, entering }: WantedItem): boolean {
  return state !== "added" && !entering;
}

const NO_CONTENT: BlockContent = { text: "", record: {} };
const WHOLE: SentState = { sentAs: "whole", left: 1 };

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

/** A message as sent; parts without text (images) are omitted. A call includes the name of its tool. */
function historyMessage({ message, contents }: HistoryMessage): ContextMessage {
  const texts = contents.map(({ text }, part) => {
    const { kind, tool } = message.blocks[part] ?? {};
    return kind === "tool_call" ? `${tool ?? ""} ${text}`.trim() : text;
  });
  return { role: message.role, text: texts.filter((text) => text !== "").join("\n\n"), note: null };
}

function noteOf(items: readonly SentState[]): ContextMessage["note"] {
  if (items.some(({ sentAs }) => sentAs === "truncated")) return "truncated";
  return items.some(({ sentAs }) => sentAs === "cleared") ? "cleared" : null;
}
