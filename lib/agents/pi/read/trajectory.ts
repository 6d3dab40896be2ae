import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { CompactionContent, MessageContent, NodeContent, Nodes } from "../../entry-tree/nodes";
import { known, Trajectory } from "../../entry-tree/trajectory";
import { PromptState } from "./prompt";

/** The main chain of one of pi's sessions. Only pi records its prompt, and edits to what is in the context. */
export class PiTrajectory extends Trajectory {
  readonly #prompt = new PromptState();
  /** The entry of each call id. */
  readonly #calling: Int32Array;

  constructor(builder: TranscriptBuilder, nodes: Nodes) {
    super(builder, nodes);
    this.#calling = new Int32Array(nodes.entries.ids.length).fill(-1);
  }

  override end(): void {
    for (const entry of this.#prompt.overhead()) this.builder.overhead(entry);
  }

  protected override own(node: number, content: NodeContent): void {
    if (content.kind === "prompt") this.#prompt.change(content);
    else if (content.kind === "edit") this.#edit(node, content.target);
  }

  protected override message(node: number, content: MessageContent): number | undefined {
    const id = this.nodes.entries.id(node);
    if (id >= 0 && this.#callOf(node) !== undefined) this.#calling[id] = node;
    return super.message(node, content);
  }

  protected override compaction(node: number, content: CompactionContent): void {
    super.compaction(node, content);
    this.#prompt.replace(content.prompt ?? []);
  }

  /** The call that a message names; for a result, the call that its first block names. */
  #callOf(node: number): string | undefined {
    const content = this.nodes.entries.facts(node);
    return this.nodes.answeredCall(node) ?? (content.kind === "message" ? content.callId : undefined);
  }

  /** An edited result left the context as it was: a clearing. Our model has no place for edits of other messages. */
  #edit(node: number, target: string | undefined): void {
    const edited = target === undefined ? undefined : known(this.#calling[this.nodes.entries.ids.find(target)]);
    const callId = edited === undefined ? undefined : this.#callOf(edited);
    if (callId !== undefined) this.boundary(node, { kind: "clearing", kept: [], clearedCalls: [callId] });
  }
}
