import { Integers } from "@/lib/core/base/growing";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Boundary, Message, RequestPoint } from "@/lib/core/transcript/model";
import type { CompactionContent, EditContent, MessageContent, Nodes, ResponseContent } from "./nodes";
import { sentTokens } from "./nodes";

/** What the assistant names where pi's host only repeats what was delivered: no model. */
const NO_MODELS = new Set(["delivery-mirror"]);

const NONE = -1;

/** Writes the main chain, entry by entry, and keeps which of its messages the model still sees. */
export class Trajectory {
  readonly #builder: TranscriptBuilder;
  readonly #nodes: Nodes;
  /** Position on the chain of every entry that came, by id and by index in the file; the entry of an id that names a call. */
  readonly #byId: Int32Array;
  readonly #byIndex: Int32Array;
  readonly #calling: Int32Array;
  /** Messages in the recorded context, summaries not among them: those of these lists from `#liveFrom` on. */
  readonly #messages = new Integers();
  readonly #positions = new Integers();
  #liveFrom = 0;
  #position = 0;
  /** How much the model is told to think. */
  #terms: Pick<RequestPoint, "terms"> = {};

  constructor(builder: TranscriptBuilder, nodes: Nodes) {
    this.#builder = builder;
    this.#nodes = nodes;
    const { entries, index } = nodes;
    this.#byId = new Int32Array(entries.ids.length).fill(NONE);
    this.#calling = new Int32Array(entries.ids.length).fill(NONE);
    let last = NONE;
    for (let node = 0; node < entries.length; node++) last = Math.max(last, index.at(node));
    this.#byIndex = new Int32Array(last + 1).fill(NONE);
  }

  add(node: number): void {
    const { entries, index } = this.#nodes;
    if (entries.id(node) !== NONE) this.#byId[entries.id(node)] = this.#position;
    if (index.at(node) >= 0) this.#byIndex[index.at(node)] = this.#position;
    const content = entries.facts(node);
    if (content.kind === "message") this.#message(node, content);
    else if (content.kind === "response") this.#response(node, content);
    else if (content.kind === "compaction") this.#compaction(node, content);
    else if (content.kind === "edit") this.#edit(node, content);
    else if (content.kind === "effort")
      this.#terms = content.level === undefined ? {} : { terms: { effort: content.level } };
    this.#position += 1;
  }

  #message(node: number, content: MessageContent): void {
    const { entries } = this.#nodes;
    if (entries.id(node) !== NONE && this.#callOf(node) !== undefined) this.#calling[entries.id(node)] = node;
    const { firstBlock, endBlock } = entries.rows(node);
    if (endBlock > firstBlock) this.#push(node, { role: "user", origin: content.origin });
  }

  /** The call that a message names; of a result its first block does. */
  #callOf(node: number): string | undefined {
    const { entries } = this.#nodes;
    const content = entries.facts(node);
    if (content.kind !== "message" || content.origin !== "tool") {
      return content.kind === "message" ? content.callId : undefined;
    }
    const { firstBlock, endBlock } = entries.rows(node);
    return firstBlock < endBlock ? entries.blocks.callIdAt(firstBlock) : undefined;
  }

  #response(node: number, content: ResponseContent): void {
    const { entries } = this.#nodes;
    const line = entries.line(node);
    const usage = entries.usage(node);
    const model = content.model !== undefined && !NO_MODELS.has(content.model) ? content.model : undefined;
    if (model !== undefined) this.#builder.model(model);
    // Zeros are what a failed or aborted response writes: that nothing is recorded, not that nothing was sent.
    const used = usage !== undefined && sentTokens(usage) > 0 ? usage : undefined;
    if (usage !== undefined && used === undefined) this.#builder.problem("pseudo-usage", line);
    const message = this.#push(node, { role: "assistant", origin: "response" });
    this.#builder.request({
      message,
      line,
      ...this.#at(node),
      ...(model === undefined ? {} : { model }),
      ...(used === undefined ? {} : { usage: used }),
      ...this.#terms,
    });
  }

  /** The summary, then what was kept from the named entry on. An entry that is not on the chain keeps nothing. */
  #compaction(node: number, content: CompactionContent): void {
    const { entries } = this.#nodes;
    const first = this.#firstKept(content);
    const from = first === NONE ? this.#position : first;
    while (this.#liveFrom < this.#positions.length && this.#positions.at(this.#liveFrom) < from) this.#liveFrom += 1;
    this.#boundary(node, {
      kind: "compaction",
      summaryLine: entries.line(node),
      kept: this.#live(),
      clearedCalls: [],
      ...(content.tokensBefore === undefined ? {} : { tokensBefore: content.tokensBefore }),
    });
    this.#builder.messageOfRows(
      { role: "user", origin: "summary", line: entries.line(node), at: entries.at(node), recordedOnly: true },
      entries.blocks,
      entries.rows(node),
    );
  }

  #live(): readonly number[] {
    const length = this.#messages.length - this.#liveFrom;
    return Array.from({ length }, (_, index) => this.#messages.at(this.#liveFrom + index));
  }

  #firstKept({ firstKeptId, firstKeptIndex }: CompactionContent): number {
    if (firstKeptId !== undefined) return this.#byId[this.#nodes.entries.ids.find(firstKeptId)] ?? NONE;
    return firstKeptIndex === undefined ? NONE : (this.#byIndex[firstKeptIndex] ?? NONE);
  }

  /** An edited result left the context as it was: a clearing. Edits of other messages have no place in our model. */
  #edit(node: number, { target }: EditContent): void {
    const edited = target === undefined ? NONE : (this.#calling[this.#nodes.entries.ids.find(target)] ?? NONE);
    const callId = edited === NONE ? undefined : this.#callOf(edited);
    if (callId !== undefined) this.#boundary(node, { kind: "clearing", kept: [], clearedCalls: [callId] });
  }

  #boundary(node: number, facts: Omit<Boundary, "line" | "trigger" | "message" | "at">): void {
    this.#builder.boundary({
      ...facts,
      line: this.#nodes.entries.line(node),
      trigger: "unknown",
      message: this.#builder.messageCount,
      ...this.#at(node),
    });
  }

  #push(node: number, { role, origin }: Pick<Message, "role" | "origin">): number {
    const { entries } = this.#nodes;
    const message = this.#builder.messageOfRows(
      { role, origin, line: entries.line(node), at: entries.at(node) },
      entries.blocks,
      entries.rows(node),
    );
    this.#messages.push(message);
    this.#positions.push(this.#position);
    return message;
  }

  #at(node: number): { readonly at?: number } {
    const at = this.#nodes.entries.at(node);
    return at === undefined ? {} : { at };
  }
}
