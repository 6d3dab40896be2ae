import fc from "fast-check";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import { block } from "@/lib/core/transcript/draft";
import type { Block, BlockKind, Message, Origin } from "@/lib/core/transcript/model";

/** For tests: a message of our model with every text loaded, as a rule receives it. */
export interface LoadedMessage {
  readonly message: Message;
  readonly contents: readonly BlockContent[];
  /** Format of the file that the message is supposed to come from. */
  readonly format: string;
}

interface Rest extends Partial<Pick<Block, "callId" | "tool" | "file" | "isError">> {
  /** Index of the block within its record. */
  readonly part?: number;
}

/** A block whose text is loaded. */
export function blockOf(kind: BlockKind, text: string, { part = 0, ...links }: Rest = {}): Block {
  const measure = { chars: text.length, bytes: Buffer.byteLength(text), value: text };
  return block(kind, measure, { line: 1, offset: 0, length: 1, part }, links);
}

export function messageOf(role: Message["role"], origin: Origin, ...blocks: readonly Block[]): Message {
  return { role, origin, line: 1, blocks };
}

/** The texts of a message's blocks, all from one record. */
export function contentsOf(message: Message, record: Readonly<Record<string, unknown>> = {}): BlockContent[] {
  return message.blocks.map(({ text }) => ({ text: text.value ?? "", record }));
}

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.constantFrom("", "会话记录", '{"path":"a.ts"}', "x".repeat(500)),
);

/** The kinds of block that messages of each origin have. */
const KINDS: Readonly<Record<Origin, readonly BlockKind[]>> = {
  typed: ["text", "image"],
  context: ["text", "image"],
  summary: ["text"],
  response: ["text", "thinking", "tool_call"],
  tool: ["tool_result", "image"],
};

/** Messages of every origin, as a file of a general format holds them; agents make their own messages from them. */
export const arbitraryMessage: fc.Arbitrary<LoadedMessage> = fc
  .constantFrom(...(Object.keys(KINDS) as Origin[])) // The keys are origins.
  .chain((origin) =>
    fc
      .array(fc.record({ kind: fc.constantFrom(...KINDS[origin]), text }), { minLength: 1, maxLength: 5 })
      .map((parts): LoadedMessage => {
        const blocks = parts.map((one, part) =>
          blockOf(one.kind, one.text, {
            part,
            ...(origin === "tool" || one.kind === "tool_call" ? { callId: `call-${part}`, tool: "Read" } : {}),
          }),
        );
        const message = messageOf(origin === "response" ? "assistant" : "user", origin, ...blocks);
        return { message, contents: contentsOf(message), format: "chat" };
      }),
  );
