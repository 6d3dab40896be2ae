import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Boundary, Message, RequestPoint } from "@/lib/core/transcript/model";
import type { CompactionContent, MessageContent, Nodes, PruningContent, ResetContent, ResponseContent } from "./nodes";
import { sentTokens } from "./nodes";

/** What a response names that only repeats what was delivered: no model. Source: docs/interfaces.md, "How inspect counts", models. */
const DELIVERY_MIRROR = "delivery-mirror";

const NONE = -1;

/** Writes the main chain, entry by entry, and keeps which of its messages the model still sees. */
export class Trajectory {
  readonly #builder: TranscriptBuilder;
  readonly #nodes: Nodes;
  /** Position on the chain of every entry that came, by id, by index in the file, and by entry; its message. */
  readonly #byId: Int32Array;
  readonly #byIndex: Int32Array;
  readonly #positions: Int32Array;
  readonly #messages: Int32Array;
  /** The result of every name of pruning, and the calls that it has cleared. */
  readonly #byPruningKey: Int32Array;
  readonly #cleared = new Set<string>();
  /** Entries whose messages are in the recorded context. */
  #live: number[] = [];
  /** The message with which the last run began. */
  #runStart = 0;
  #position = 0;
  /** How much the model is told to think. */
  #terms: Pick<RequestPoint, "terms"> = {};

  constructor(builder: TranscriptBuilder, nodes: Nodes) {
    this.#builder = builder;
    this.#nodes = nodes;
    const { entries, index, pruningKeys } = nodes;
    this.#byId = new Int32Array(entries.ids.length).fill(NONE);
    this.#positions = new Int32Array(entries.length);
    this.#messages = new Int32Array(entries.length);
    this.#byPruningKey = new Int32Array(pruningKeys.length).fill(NONE);
    let last = NONE;
    for (let node = 0; node < entries.length; node++) last = Math.max(last, index.at(node));
    this.#byIndex = new Int32Array(last + 1).fill(NONE);
  }

  add(node: number): void {
    const { entries, index } = this.#nodes;
    if (entries.id(node) !== NONE) this.#byId[entries.id(node)] = this.#position;
    if (index.at(node) >= 0) this.#byIndex[index.at(node)] = this.#position;
    this.#positions[node] = this.#position;
    const content = entries.facts(node);
    if (content.kind === "message") this.#message(node, content);
    else if (content.kind === "response") this.#response(node, content);
    else if (content.kind === "compaction") this.#compaction(node, content);
    else if (content.kind === "reset") this.#reset(node, content);
    else if (content.kind === "pruning") this.#pruning(node, content);
    else if (content.kind === "effort")
      this.#terms = content.level === undefined ? {} : { terms: { effort: content.level } };
    this.#position += 1;
  }

  #message(node: number, content: MessageContent): void {
    const callId = this.#nodes.callOf(node);
    const key = this.#nodes.pruningKey.at(node);
    if (key !== NONE && callId !== undefined) this.#byPruningKey[key] = node;
    const { firstBlock, endBlock } = this.#nodes.entries.rows(node);
    if (firstBlock === endBlock) return;
    const message = this.#push(node, { role: "user", origin: content.origin });
    if (content.isReplayed && callId === undefined) this.#runStart = message;
  }

  #response(node: number, content: ResponseContent): void {
    const { entries } = this.#nodes;
    const line = entries.line(node);
    const usage = entries.usage(node);
    const model = content.model === DELIVERY_MIRROR ? undefined : content.model;
    if (model !== undefined) this.#builder.model(model);
    // Zeros are what a failed response and a delivery mirror write: that nothing is recorded, not that nothing was sent.
    const used = sentTokens(usage) > 0 ? usage : undefined;
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
    const first = this.#firstKept(content) ?? this.#position;
    this.#live = this.#live.filter((one) => (this.#positions[one] ?? 0) >= first);
    this.#boundary(node, {
      kind: "compaction",
      summaryLine: entries.line(node),
      kept: this.#liveMessages(),
      clearedCalls: [],
      ...(content.tokensBefore === undefined ? {} : { tokensBefore: content.tokensBefore }),
      ...(content.tokensAfter === undefined ? {} : { tokensAfter: content.tokensAfter }),
    });
    this.#builder.messageOfRows(
      { role: "user", origin: "summary", line: entries.line(node), at: entries.at(node), recordedOnly: true },
      entries.blocks,
      entries.rows(node),
    );
  }

  #liveMessages(): readonly number[] {
    return this.#live.map((node) => this.#messages[node] ?? 0);
  }

  #firstKept({ firstKeptId, firstKeptIndex }: CompactionContent): number | undefined {
    if (firstKeptId !== undefined) return this.#positionOf(firstKeptId);
    return firstKeptIndex === undefined ? undefined : known(this.#byIndex[firstKeptIndex]);
  }

  /** Position of the entry of an id, where it came on the chain. */
  #positionOf(id: string): number | undefined {
    return known(this.#byId[this.#nodes.entries.ids.find(id)]);
  }

  /** A reset takes the conversation back, in any simulation too: what a person wanted gone is gone. */
  #reset(node: number, { firstKeptId }: ResetContent): void {
    const first = (firstKeptId === undefined ? undefined : this.#positionOf(firstKeptId)) ?? this.#position;
    const kept = this.#live.filter((one) => (this.#positions[one] ?? 0) >= first && this.#nodes.isReplayed(one));
    const calls = new Set(kept.flatMap((one) => this.#nodes.callsOf(one)));
    this.#live = kept.filter((one) => {
      const answered = this.#nodes.callOf(one);
      return answered === undefined || calls.has(answered);
    });
    this.#boundary(node, { kind: "rollback", kept: this.#liveMessages(), clearedCalls: [] });
  }

  /** A mark is written when a run ends, and holds from its start on. It names all that is cleared so far: the new ones change. */
  #pruning(node: number, { cleared }: PruningContent): void {
    const results = cleared.flatMap((key) => known(this.#byPruningKey[this.#nodes.pruningKeys.find(key)]) ?? []);
    const calls = results
      .flatMap((result) => this.#nodes.callOf(result) ?? [])
      .filter((call) => !this.#cleared.has(call));
    if (calls.length === 0) return;
    for (const call of calls) this.#cleared.add(call);
    this.#boundary(node, { kind: "clearing", kept: [], clearedCalls: calls }, this.#runStart);
  }

  #boundary(
    node: number,
    facts: Omit<Boundary, "line" | "trigger" | "message" | "at">,
    message = this.#builder.messageCount,
  ): void {
    const line = this.#nodes.entries.line(node);
    this.#builder.boundary({ ...facts, line, trigger: "unknown", message, ...this.#at(node) });
  }

  #push(node: number, { role, origin }: Pick<Message, "role" | "origin">): number {
    const { entries } = this.#nodes;
    const message = this.#builder.messageOfRows(
      { role, origin, line: entries.line(node), at: entries.at(node) },
      entries.blocks,
      entries.rows(node),
    );
    this.#messages[node] = message;
    this.#live.push(node);
    return message;
  }

  #at(node: number): { readonly at?: number } {
    const at = this.#nodes.entries.at(node);
    return at === undefined ? {} : { at };
  }
}

function known(place: number | undefined): number | undefined {
  return place === NONE ? undefined : place;
}
