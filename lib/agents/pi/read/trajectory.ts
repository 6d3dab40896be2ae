import type { OverheadCategoryId } from "@/lib/core/base/categories";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { OverheadEntry } from "@/lib/core/transcript/model";
import type {
  CompactionContent,
  MessageContent,
  NodeContent,
  Nodes,
  PromptBlock,
  PromptContent,
  PromptPart,
} from "../../entry-tree/nodes";
import { known, Trajectory } from "../../entry-tree/trajectory";

/**
 * Tracks the prompt up to the end of the chain: contents are added one after another, later sections and tools replace earlier ones of the same
 * name. A compaction that holds the prompt holds all of it. Source: README.md, "Context of a path".
 */
class PromptState {
  #contents: PromptBlock[] = [];
  readonly #named = new Map<string, PromptBlock>();

  /** Applies an entry's change to the prompt. */
  change({ blocks, removed }: PromptContent): void {
    for (const part of removed) this.#named.delete(keyOf(part));
    for (const one of blocks) {
      if (one.part.kind === "content") this.#contents.push(one);
      else this.#named.set(keyOf(one.part), one);
    }
  }

  /** Replaces the whole prompt; a compaction without one leaves the prompt unchanged. */
  replace(blocks: readonly PromptBlock[]): void {
    if (blocks.length === 0) return;
    this.#contents = [];
    this.#named.clear();
    this.change({ kind: "prompt", blocks, removed: [] });
  }

  overhead(): readonly OverheadEntry[] {
    return [...this.#contents, ...this.#named.values()].map(({ part, block }) => ({
      category: categoryOf(part),
      name: part.name,
      text: block.text,
      source: block.source,
    }));
  }
}

function keyOf(part: PromptPart): string {
  return `${part.kind}\0${part.name}`;
}

/** Sections that belong to another category than the prompt itself. Source: release 1.5.2, core/system-prompt. */
const SECTIONS: Readonly<Record<string, OverheadCategoryId>> = { project_context: "memoryFiles", skills: "skills" };

function categoryOf(part: PromptPart): OverheadCategoryId {
  if (part.kind === "tool") return /^mcp_/.test(part.name) ? "mcpTools" : "builtinTools";
  return (
    (part.kind === "section" && Object.hasOwn(SECTIONS, part.name) ? SECTIONS[part.name] : undefined) ?? "systemPrompt"
  );
}

/** The main chain of one of pi's sessions. Only pi records its prompt, and edits to the context. */
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

  /** An edited result leaves the context in its old form: a clearing. Our model does not hold edits of other messages. */
  #edit(node: number, target: string | undefined): void {
    const edited = target === undefined ? undefined : known(this.#calling[this.nodes.entries.ids.find(target)]);
    const callId = edited === undefined ? undefined : this.#callOf(edited);
    if (callId !== undefined) this.boundary(node, { kind: "clearing", kept: [], clearedCalls: [callId] });
  }
}
