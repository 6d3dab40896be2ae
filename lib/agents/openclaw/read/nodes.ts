import { Integers } from "@/lib/core/base/growing";
import { IdTable } from "@/lib/core/base/id-table";
import type { EntryTree } from "../../entry-tree/chain";
import { Nodes } from "../../entry-tree/nodes";

const NONE = -1;

/** The entries of a file, with the facts that only OpenClaw records. */
export class OpenClawNodes extends Nodes {
  /** Names under which pruning knows results. */
  readonly pruningKeys = new IdTable();
  /** 1 for entries of the tree that never become its leaf. */
  readonly isSide = new Integers();
  /** For every result its number in `pruningKeys`; −1 if it has none. */
  readonly pruningKey = new Integers();

  /** The calls that a response makes. */
  callsOf(node: number): readonly string[] {
    const { blocks } = this.entries;
    const { firstBlock, endBlock } = this.entries.rows(node);
    const rows = Array.from({ length: endBlock - firstBlock }, (_, index) => firstBlock + index);
    if (this.entries.facts(node).kind !== "response") return [];
    return rows.flatMap((row) => (blocks.kindAt(row) === "tool_call" ? (blocks.callIdAt(row) ?? []) : []));
  }

  /**
   * Differences of the tree from pi's: some entries never become the leaf, and a leaf record points to the entry that it names. Source:
   * openclaw@2026.9.6, sessions/transcript-tree.
   */
  get steering(): Pick<EntryTree, "isSide" | "steersTo"> {
    return {
      isSide: (node) => this.isSide.at(node) === 1,
      steersTo: (node) => {
        const content = this.entries.facts(node);
        return content.kind === "leaf" ? content.target : undefined;
      },
    };
  }

  /** True if a reset may keep it. */
  isReplayed(node: number): boolean {
    const content = this.entries.facts(node);
    return content.kind === "response" || (content.kind === "message" && content.isReplayed === true);
  }

  /** Notes further facts about the entry that was added last. */
  note(isSide: boolean, pruningKey: string | undefined): void {
    this.isSide.push(isSide ? 1 : 0);
    this.pruningKey.push(pruningKey === undefined ? NONE : this.pruningKeys.index(pruningKey));
  }
}
