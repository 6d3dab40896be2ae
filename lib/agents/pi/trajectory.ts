import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Block, Boundary, Message } from "@/lib/core/transcript/model";
import type { CompactionContent, EditContent, MessageContent, Node, ResponseContent } from "./nodes";
import { sentTokens } from "./nodes";

/** What the assistant names where pi's host only repeats what was delivered: no model. */
const NO_MODELS = new Set(["delivery-mirror"]);

/** Writes the main chain, entry by entry, and keeps which of its messages the model still sees. */
export class Trajectory {
  readonly #builder: TranscriptBuilder;
  /** Position on the chain of every entry, by id and by index in the file. */
  readonly #byId = new Map<string, number>();
  readonly #byIndex = new Map<number, number>();
  readonly #callIds = new Map<string, string>();
  /** Messages in the recorded context, summaries not among them. */
  #live: { readonly message: number; readonly position: number }[] = [];
  #position = 0;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  add(node: Node): void {
    if (node.id !== undefined) this.#byId.set(node.id, this.#position);
    if (node.index >= 0) this.#byIndex.set(node.index, this.#position);
    const { content } = node;
    if (content.kind === "message") this.#message(node, content);
    else if (content.kind === "response") this.#response(node, content);
    else if (content.kind === "compaction") this.#compaction(node, content);
    else if (content.kind === "edit") this.#edit(node, content);
    this.#position += 1;
  }

  #message(node: Node, content: MessageContent): void {
    if (node.id !== undefined && content.callId !== undefined) this.#callIds.set(node.id, content.callId);
    if (content.blocks.length > 0) this.#push(node, { role: "user", origin: content.origin }, content.blocks);
  }

  #response(node: Node, content: ResponseContent): void {
    const model = content.model !== undefined && !NO_MODELS.has(content.model) ? content.model : undefined;
    if (model !== undefined) this.#builder.model(model);
    // Zeros are what a failed or aborted response writes: that nothing is recorded, not that nothing was sent.
    const used = content.usage !== undefined && sentTokens(content.usage) > 0 ? content.usage : undefined;
    if (content.usage !== undefined && used === undefined) this.#builder.problem("pseudo-usage", node.line);
    const message = this.#push(node, { role: "assistant", origin: "response" }, content.blocks);
    this.#builder.request({
      message,
      line: node.line,
      ...atOf(node),
      ...(model === undefined ? {} : { model }),
      ...(used === undefined ? {} : { usage: used }),
    });
  }

  /** The summary, then what was kept from the named entry on. An entry that is not on the chain keeps nothing. */
  #compaction(node: Node, content: CompactionContent): void {
    const first = this.#firstKept(content) ?? this.#position;
    this.#live = this.#live.filter(({ position }) => position >= first);
    this.#boundary(node, {
      kind: "compaction",
      summaryLine: node.line,
      kept: this.#live.map(({ message }) => message),
      clearedCalls: [],
      ...(content.tokensBefore === undefined ? {} : { tokensBefore: content.tokensBefore }),
    });
    this.#builder.message({
      role: "user",
      origin: "summary",
      line: node.line,
      ...atOf(node),
      blocks: content.blocks,
      recordedOnly: true,
    });
  }

  #firstKept({ firstKeptId, firstKeptIndex }: CompactionContent): number | undefined {
    if (firstKeptId !== undefined) return this.#byId.get(firstKeptId);
    return firstKeptIndex === undefined ? undefined : this.#byIndex.get(firstKeptIndex);
  }

  /** An edited result left the context as it was: a clearing. Edits of other messages have no place in our model. */
  #edit(node: Node, { target }: EditContent): void {
    const callId = target === undefined ? undefined : this.#callIds.get(target);
    if (callId !== undefined) this.#boundary(node, { kind: "clearing", kept: [], clearedCalls: [callId] });
  }

  #boundary(node: Node, facts: Omit<Boundary, "line" | "trigger" | "message" | "at">): void {
    this.#builder.boundary({
      ...facts,
      line: node.line,
      trigger: "unknown",
      message: this.#builder.messageCount,
      ...atOf(node),
    });
  }

  #push(node: Node, facts: Pick<Message, "role" | "origin">, blocks: readonly Block[]): number {
    const message = this.#builder.message({ ...facts, line: node.line, blocks, ...atOf(node) });
    this.#live.push({ message, position: this.#position });
    return message;
  }
}

function atOf({ at }: Node): { readonly at?: number } {
  return at === undefined ? {} : { at };
}
