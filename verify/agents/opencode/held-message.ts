import { CLEARED_TEXT } from "@/lib/agents/opencode/base/constants";
import { tokensOfChars } from "@/lib/agents/opencode/messages/tokens";
import type { JsonObject } from "@/lib/agents/shared/json";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";

/** A part of a message as sent, and its row in the columns. */
export interface HeldPart {
  readonly row: ItemIndex;
  readonly json: JsonObject;
  readonly tool: string;
  readonly isError: boolean;
  /** Tokens of its text, which clearing counts for an output. */
  readonly tokens: Tokens;
  /** True if it was cleared: an output is then sent as a placeholder, and a picture after it is not sent. Both keep their row. */
  readonly cleared: boolean;
  /** For a call without a result, the message that is sent as its result. */
  readonly interrupted?: JsonObject | undefined;
}

export interface SentMessage {
  readonly role: string;
  readonly parts: readonly HeldPart[];
}

/** A message of the session: a response with its results, a user message, or one that a compaction added. */
export interface Held {
  readonly kind: "user" | "assistant" | "question" | "summary" | "continue";
  readonly startsTurn: boolean;
  readonly sent: readonly SentMessage[];
}

/** The message as the provider library takes it. */
export function modelMessage({ role, parts }: SentMessage): JsonObject {
  return { role, content: parts.filter(isSent).map(({ json }) => json) };
}

/** The message with the results generated for its calls. */
export function modelMessages(message: SentMessage): readonly JsonObject[] {
  return [
    modelMessage(message),
    ...message.parts.flatMap(({ interrupted }) => (interrupted === undefined ? [] : [interrupted])),
  ];
}

/** Tokens of a single message and of the results generated for its calls. */
export function sentTokens(message: SentMessage): Tokens {
  return modelMessages(message).reduce((sum, one) => sum + tokensOfChars(JSON.stringify(one).length), 0);
}

/** The rows of a message; none for one that a compaction added. */
export function rowsOf(held: Held): readonly ItemIndex[] {
  return held.sent.flatMap(({ parts }) => parts.map(({ row }) => row)).filter((row) => row >= 0);
}

/** The messages without some parts; those without other content are dropped. */
export function withoutRows(history: readonly Held[], isDropped: (row: ItemIndex) => boolean): readonly Held[] {
  return history.flatMap((held) => {
    if (!held.sent.some(({ parts }) => parts.some(({ row }) => isDropped(row)))) return [held];
    const sent = held.sent
      .map((message) => ({ ...message, parts: message.parts.filter(({ row }) => !isDropped(row)) }))
      .filter(({ parts }) => parts.length > 0);
    return sent.length === 0 ? [] : [{ ...held, sent }];
  });
}

export function isResult(part: HeldPart): boolean {
  return part.json.type === "tool-result";
}

/** The message with the outputs of these rows cleared, together with the pictures after them. */
export function cleared(message: SentMessage, rows: ReadonlySet<ItemIndex>): SentMessage {
  let last: HeldPart | undefined;
  const parts = message.parts.map((part) => {
    if (isResult(part)) last = part;
    const isCleared = last !== undefined && rows.has(last.row);
    if (isCleared && isPicture(part)) return { ...part, cleared: true };
    return isCleared && part === last ? placeholder(part) : part;
  });
  return { ...message, parts };
}

function isPicture({ json }: HeldPart): boolean {
  return json.type === "file";
}

function isSent(part: HeldPart): boolean {
  return !part.cleared || !isPicture(part);
}

function placeholder(part: HeldPart): HeldPart {
  return { ...part, json: { ...part.json, output: { type: "text", value: CLEARED_TEXT } }, cleared: true };
}
