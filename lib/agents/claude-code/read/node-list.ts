import { Floats, Integers } from "@/lib/core/base/growing";
import { IdTable } from "@/lib/core/base/id-table";
import { NameTable } from "@/lib/core/base/name-table";
import type { BlockList } from "@/lib/core/transcript/block-list";
import { HeldTerms } from "@/lib/core/transcript/held-terms";
import { HeldUsage } from "@/lib/core/transcript/held-usage";
import type { Usage } from "@/lib/core/transcript/model";
import {
  type BoundaryContent,
  type ClearingContent,
  type NewNode,
  type Node,
  type NodeContent,
  type Pass,
  sentTokens,
} from "./nodes";
import type { UserOrigin } from "./origin";
import { UnnamedResponses } from "./seen-uuids";
import type { TreeNode } from "./trunk";

const KINDS = ["other", "user", "response", "boundary", "clearing"] as const satisfies NodeContent["kind"][];
const ORIGINS = ["typed", "tool", "context", "summary", "command", "output"] as const satisfies UserOrigin[];
const NONE = -1;
const SIDECHAIN = 1;
const CONVERSATION = 2;
const SETTLED = 4;
const FIRST_COUNT = 8;
const INHERITED = 16;
const UNNAMED = 32;

/** The nodes of a file as columns. As objects, the nodes of 1 GB would take as much memory as the file; `node` makes a single object. */
export class NodeList {
  readonly blocks: BlockList;
  readonly ids = new IdTable();
  readonly #models = new NameTable();
  readonly #line = new Integers();
  readonly #at = new Floats();
  readonly #uuid = new Integers();
  readonly #parent = new Integers();
  readonly #logicalParent = new Integers();
  readonly #flags = new Integers();
  readonly #kind = new Integers();
  readonly #origin = new Integers();
  /** Index after the last block of each node. */
  readonly #end = new Integers();
  /** Number of each response's message id, or of its key if it has no id. */
  readonly #messageId = new Integers();
  readonly #unnamed = new UnnamedResponses();
  readonly #requestId = new Integers();
  readonly #model = new Integers();
  /** Row in `#usage` for each node that is a response; −1 for the others. */
  readonly #usageRow = new Integers();
  readonly #usage = new HeldUsage();
  /** Number of each node's terms in `#heldTerms`. */
  readonly #terms = new Integers();
  readonly #heldTerms = new HeldTerms();
  /** Further passes, by node; few responses have any. */
  readonly #passes = new Map<number, readonly Pass[]>();
  readonly #rare = new Map<number, BoundaryContent | ClearingContent>();

  /** @param blocks the list for the nodes' blocks, from `TranscriptBuilder.heldBlocks` */
  constructor(blocks: BlockList) {
    this.blocks = blocks;
  }

  get length(): number {
    return this.#line.length;
  }

  push(node: NewNode): void {
    const { line, at, uuid, parent, logicalParent, sidechain, content } = node;
    const key = this.#unnamed.keyOf(node, this.length);
    const isUser = content.kind === "user";
    const isResponse = content.kind === "response";
    if (content.kind === "boundary" || content.kind === "clearing") this.#rare.set(this.length, content);
    if (isResponse && content.passes !== undefined) this.#passes.set(this.length, content.passes);
    if (isUser || isResponse) for (const block of content.blocks) this.blocks.push(block);
    this.#line.push(line);
    this.#at.push(at ?? Number.NaN);
    this.#uuid.push(this.#idOf(uuid));
    this.#parent.push(this.#idOf(parent));
    this.#logicalParent.push(this.#idOf(logicalParent));
    const output = isResponse
      ? (content.isSettled ? SETTLED : 0) | (content.usesFirstCount === true ? FIRST_COUNT : 0)
      : 0;
    const flags = (isUser && content.conversation ? CONVERSATION : 0) | (key === undefined ? 0 : UNNAMED);
    this.#flags.push((sidechain ? SIDECHAIN : 0) | flags | output);
    this.#kind.push(KINDS.indexOf(content.kind));
    this.#origin.push(isUser ? ORIGINS.indexOf(content.origin) : NONE);
    this.#end.push(this.blocks.length);
    this.#messageId.push(isResponse ? this.#idOf(content.id ?? key) : NONE);
    this.#requestId.push(isResponse ? this.#idOf(content.requestId) : NONE);
    this.#model.push(isResponse && content.model !== undefined ? this.#models.index(content.model) : NONE);
    this.#usageRow.push(isResponse && content.usage !== undefined ? this.#usage.push(content.usage) : NONE);
    this.#terms.push(isResponse ? this.#heldTerms.index(content.terms) : NONE);
  }

  /** Replaces the usage of a response's line. @param isFinal true if it counts all of the response's output */
  settle(index: number, usage: Usage, isFinal: boolean): void {
    this.#usageRow.set(index, this.#usage.push(usage));
    if (isFinal) this.#flags.set(index, this.#flags.at(index) | SETTLED);
  }

  /** Marks a record as made by another session. */
  inherit(index: number): void {
    this.#flags.set(index, this.#flags.at(index) | INHERITED);
  }

  #idOf(id: string | undefined): number {
    return id === undefined ? NONE : this.ids.index(id);
  }

  node(index: number): Node {
    const at = this.#at.at(index);
    return {
      index,
      line: this.#line.at(index),
      uuid: this.#uuid.at(index),
      parent: this.#parent.at(index),
      logicalParent: this.#logicalParent.at(index),
      sidechain: this.isSidechain(index),
      at: Number.isNaN(at) ? undefined : at,
      content: this.#content(index),
    };
  }

  isSidechain(index: number): boolean {
    return (this.#flags.at(index) & SIDECHAIN) !== 0;
  }

  /** True if it is a user or assistant record. */
  isConversation(index: number): boolean {
    return this.isResponse(index) || (this.#flags.at(index) & CONVERSATION) !== 0;
  }

  /** The fields of a record that the tree needs, without making its node. */
  treeNode(index: number, origin: UserOrigin | undefined): TreeNode {
    const conversation = this.isConversation(index);
    return {
      line: this.#line.at(index),
      uuid: this.#uuid.at(index),
      parent: this.#parent.at(index),
      logicalParent: this.#logicalParent.at(index),
      conversation,
      prompt: conversation && origin === "typed",
      answered: sentTokens(this.#usageAt(this.#usageRow.at(index))) > 0,
    };
  }

  isResponse(index: number): boolean {
    return KINDS[this.#kind.at(index)] === "response";
  }

  /** The number shared by all rows of a response: of its message id, or of its key if it has none. */
  messageId(index: number): number {
    return this.#messageId.at(index);
  }

  /** True if a response has a message id. */
  isNamed(index: number): boolean {
    return (this.#flags.at(index) & UNNAMED) === 0;
  }

  /** Origin of a user's or an attached message; `undefined` for everything else. */
  origin(index: number): UserOrigin | undefined {
    const code = this.#origin.at(index);
    return code === NONE ? undefined : ORIGINS[code];
  }

  #content(index: number): NodeContent {
    const firstBlock = index === 0 ? 0 : this.#end.at(index - 1);
    const place = { firstBlock, endBlock: this.#end.at(index) };
    switch (KINDS[this.#kind.at(index)]) {
      case "user":
        return {
          kind: "user",
          conversation: this.isConversation(index),
          origin: this.origin(index) ?? "context",
          ...place,
        };
      case "response":
        return {
          kind: "response",
          id: this.#messageId.at(index),
          requestId: this.#requestId.at(index),
          response: this.isNamed(index) ? this.ids.hash(this.#messageId.at(index)) : undefined,
          model: this.#models.names[this.#model.at(index)],
          usage: this.#usageAt(this.#usageRow.at(index)),
          passes: this.#passes.get(index),
          terms: this.#heldTerms.at(this.#terms.at(index)),
          inherited: (this.#flags.at(index) & INHERITED) !== 0,
          isSettled: (this.#flags.at(index) & SETTLED) !== 0,
          usesFirstCount: (this.#flags.at(index) & FIRST_COUNT) !== 0,
          ...place,
        };
      default:
        return this.#rare.get(index) ?? { kind: "other" };
    }
  }

  #usageAt(row: number): Usage | undefined {
    return row === NONE ? undefined : this.#usage.at(row);
  }
}

/** True if every user and assistant record belongs to a sidechain. Source: docs/interfaces.md, "How inspect counts" (Subagents). */
export function isSubagentFile(nodes: NodeList): boolean {
  let conversation = 0;
  for (let index = 0; index < nodes.length; index++) {
    if (!nodes.isConversation(index)) continue;
    if (!nodes.isSidechain(index)) return false;
    conversation += 1;
  }
  return conversation > 0;
}

/** The records outside subagents; all records in a subagent's own file. */
export function chainOf(nodes: NodeList, subagentFile: boolean): Int32Array {
  const chain = new Int32Array(nodes.length);
  let length = 0;
  for (let index = 0; index < nodes.length; index++) {
    if (!subagentFile && nodes.isSidechain(index)) continue;
    chain[length] = index;
    length += 1;
  }
  return chain.subarray(0, length);
}

/** Marks the responses before the last typed prompt as made by another session. */
export function inheritBefore(nodes: NodeList, chain: Int32Array): void {
  const prompt = chain.findLastIndex((index) => nodes.isConversation(index) && nodes.origin(index) === "typed");
  for (const index of chain.subarray(0, Math.max(0, prompt))) if (nodes.isResponse(index)) nodes.inherit(index);
}

/** Origins of slash commands. A command answered by the client is context; any other sends a prompt, so the user typed it. */
export function decidedCommands(nodes: NodeList, chain: Int32Array): ReadonlyMap<number, "context" | "typed"> {
  const origins = new Map<number, "context" | "typed">();
  let answer: UserOrigin | undefined;
  for (let place = chain.length - 1; place >= 0; place--) {
    const index = chain[place] ?? 0;
    const origin = nodes.origin(index);
    if (origin === "command") origins.set(index, answer === "output" ? "context" : "typed");
    if (origin !== undefined || nodes.isResponse(index)) answer = origin;
  }
  return origins;
}
