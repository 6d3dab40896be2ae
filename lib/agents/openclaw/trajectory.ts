import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Block, Boundary, Message } from "@/lib/core/transcript/model";
import type { CompactionContent, MessageContent, Node, PruningContent, ResetContent, ResponseContent } from "./nodes";
import { sentTokens } from "./nodes";

/** What a response names that only repeats what was delivered: no model. Source: interfaces.md, MODELS. */
const DELIVERY_MIRROR = "delivery-mirror";

/** A message of the recorded context: its index, and its entry's position on the chain. */
interface LiveMessage {
  readonly message: number;
  readonly position: number;
  /** What a reset may keep: what the person's side said, responses, and results of their calls. */
  readonly isReplayed: boolean;
  readonly calls: readonly string[];
  /** The call that it answers. */
  readonly answers: string | undefined;
}

/** Writes the main chain, entry by entry, and keeps which of its messages the model still sees. */
export class Trajectory {
  readonly #builder: TranscriptBuilder;
  /** Position on the chain of every entry, by id and by index in the file. */
  readonly #byId = new Map<string, number>();
  readonly #byIndex = new Map<number, number>();
  /** Calls by the name under which pruning knows their results, and those that it has cleared. */
  readonly #callsByKey = new Map<string, string>();
  readonly #cleared = new Set<string>();
  #live: LiveMessage[] = [];
  /** The message with which the last run began. */
  #runStart = 0;
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
    else if (content.kind === "reset") this.#reset(node, content);
    else if (content.kind === "pruning") this.#pruning(node, content);
    this.#position += 1;
  }

  #message(node: Node, content: MessageContent): void {
    if (content.pruningKey !== undefined && content.callId !== undefined) {
      this.#callsByKey.set(content.pruningKey, content.callId);
    }
    if (content.blocks.length === 0) return;
    const message = this.#push(node, { role: "user", origin: content.origin }, content.blocks);
    const { isReplayed, callId } = content;
    if (isReplayed && callId === undefined) this.#runStart = message;
    this.#live.push({ message, position: this.#position, isReplayed, calls: [], answers: callId });
  }

  #response(node: Node, content: ResponseContent): void {
    const model = content.model === DELIVERY_MIRROR ? undefined : content.model;
    if (model !== undefined) this.#builder.model(model);
    // Zeros are what a failed response and a delivery mirror write: that nothing is recorded, not that nothing was sent.
    const used = sentTokens(content.usage) > 0 ? content.usage : undefined;
    if (content.usage !== undefined && used === undefined) this.#builder.problem("pseudo-usage", node.line);
    const message = this.#push(node, { role: "assistant", origin: "response" }, content.blocks);
    this.#builder.request({
      message,
      line: node.line,
      ...atOf(node),
      ...(model === undefined ? {} : { model }),
      ...(used === undefined ? {} : { usage: used }),
    });
    const calls = content.blocks.flatMap((block) => (block.kind === "tool_call" ? (block.callId ?? []) : []));
    this.#live.push({ message, position: this.#position, isReplayed: true, calls, answers: undefined });
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
      ...(content.tokensAfter === undefined ? {} : { tokensAfter: content.tokensAfter }),
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

  /** A reset takes the conversation back, in any simulation too: what a person wanted gone is gone. */
  #reset(node: Node, { firstKeptId }: ResetContent): void {
    const first = (firstKeptId === undefined ? undefined : this.#byId.get(firstKeptId)) ?? this.#position;
    const kept = this.#live.filter(({ position, isReplayed }) => position >= first && isReplayed);
    const calls = new Set(kept.flatMap((one) => one.calls));
    this.#live = kept.filter(({ answers }) => answers === undefined || calls.has(answers));
    this.#boundary(node, {
      kind: "rollback",
      kept: this.#live.map(({ message }) => message),
      clearedCalls: [],
    });
  }

  /** A mark is written when a run ends, and holds from its start on. It names all that is cleared so far: the new ones change. */
  #pruning(node: Node, { cleared }: PruningContent): void {
    const calls = cleared.flatMap((key) => this.#callsByKey.get(key) ?? []).filter((call) => !this.#cleared.has(call));
    if (calls.length === 0) return;
    for (const call of calls) this.#cleared.add(call);
    this.#boundary(node, { kind: "clearing", kept: [], clearedCalls: calls }, this.#runStart);
  }

  #boundary(
    node: Node,
    facts: Omit<Boundary, "line" | "trigger" | "message" | "at">,
    message = this.#builder.messageCount,
  ): void {
    this.#builder.boundary({
      ...facts,
      line: node.line,
      trigger: "unknown",
      message,
      ...atOf(node),
    });
  }

  #push(node: Node, facts: Pick<Message, "role" | "origin">, blocks: readonly Block[]): number {
    return this.#builder.message({ ...facts, line: node.line, blocks, ...atOf(node) });
  }
}

function atOf({ at }: Node): { readonly at?: number } {
  return at === undefined ? {} : { at };
}
