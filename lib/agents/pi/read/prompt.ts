import type { OverheadCategoryId } from "@/lib/core/context/categories";
import type { OverheadEntry } from "@/lib/core/transcript/model";
import type { PromptBlock, PromptContent, PromptPart } from "../../entry-tree/nodes";

/**
 * Tracks the prompt up to the end of the chain: contents are added one after another, later sections and tools replace earlier ones of the same
 * name. A compaction that holds the prompt holds all of it. Source: README.md, "Context of a path".
 */
export class PromptState {
  #contents: PromptBlock[] = [];
  readonly #named = new Map<string, PromptBlock>();

  /** Takes an entry's change to the prompt. */
  change({ blocks, removed }: PromptContent): void {
    for (const part of removed) this.#named.delete(keyOf(part));
    for (const one of blocks) {
      if (one.part.kind === "content") this.#contents.push(one);
      else this.#named.set(keyOf(one.part), one);
    }
  }

  /** Takes the whole prompt; a compaction without one leaves the prompt unchanged. */
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
