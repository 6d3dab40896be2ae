import type { Milliseconds } from "@/lib/core/base/units";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Boundary, Message, RequestPoint, Usage } from "@/lib/core/transcript/model";
import {
  type CompactionContent,
  type MessageContent,
  type NodeContent,
  type Nodes,
  type ResponseContent,
  sentTokens,
} from "./nodes";

/** Model name of a response that only repeats a delivered text; no such model exists. Source: docs/interfaces.md, "How inspect counts", models. */
const DELIVERY_MIRROR = "delivery-mirror";

const NONE = -1;

/** Writes the main chain, entry by entry, and tracks which of its messages the model still sees. Each agent adds the entries that only it writes. */
export abstract class Trajectory<Held extends Nodes = Nodes> {
  protected readonly builder: TranscriptBuilder;
  protected readonly nodes: Held;
  /** Entries whose messages are in the recorded context. */
  protected live: number[] = [];
  /** Responses before this time were copied from another session, which made them. */
  copiedBefore: Milliseconds | undefined;
  /** Position on the chain of every entry so far, by id, by index in the file, and by entry; and the message of each entry. */
  readonly #byId: Int32Array;
  readonly #byIndex: Int32Array;
  readonly #positions: Int32Array;
  readonly #messages: Int32Array;
  #position = 0;
  /** Hashes of the responses that were written. */
  readonly #responses = new Set<number>();
  /** True if the last event was a prompt refused as too long. */
  #afterOverflow = false;
  /** Times and usages of the calls for summaries so far. */
  readonly #summaryCalls = new Set<string>();
  /** The model of the last request, or of the next. */
  #model: string | undefined;
  /** Thinking effort of the next request. */
  #terms: Pick<RequestPoint, "terms"> = {};

  constructor(builder: TranscriptBuilder, nodes: Held) {
    this.builder = builder;
    this.nodes = nodes;
    const { entries, index } = nodes;
    this.#byId = new Int32Array(entries.ids.length).fill(NONE);
    this.#positions = new Int32Array(entries.length);
    this.#messages = new Int32Array(entries.length);
    let last = NONE;
    for (let node = 0; node < entries.length; node++) last = Math.max(last, index.at(node));
    this.#byIndex = new Int32Array(last + 1).fill(NONE);
  }

  add(node: number): void {
    const { entries, index } = this.nodes;
    if (entries.id(node) !== NONE) this.#byId[entries.id(node)] = this.#position;
    if (index.at(node) >= 0) this.#byIndex[index.at(node)] = this.#position;
    this.#positions[node] = this.#position;
    const content = entries.facts(node);
    this.#afterOverflow = isAfterOverflow(content, this.#afterOverflow);
    if (content.kind === "message") {
      this.message(node, content);
      this.#summaryCall(node, NONE);
    } else if (content.kind === "response") this.#response(node, content);
    else if (content.kind === "compaction") this.compaction(node, content);
    else if (content.kind === "model") this.#model = content.model;
    else if (content.kind === "effort")
      this.#terms = content.level === undefined ? {} : { terms: { effort: content.level } };
    else this.own(node, content);
    this.#position += 1;
  }

  /** Called at the end of the chain. */
  end(): void {}

  /** Adds an entry of a kind that only this agent writes. */
  protected abstract own(node: number, content: NodeContent): void;

  /** Adds a message and returns its index; `undefined` for a message without blocks. */
  protected message(node: number, { origin }: MessageContent): number | undefined {
    const { firstBlock, endBlock } = this.nodes.entries.rows(node);
    return endBlock > firstBlock ? this.#push(node, { role: "user", origin }) : undefined;
  }

  #response(node: number, content: ResponseContent): void {
    const { entries } = this.nodes;
    const point = this.#point(node, content);
    if (point.model !== undefined) this.builder.model(point.model);
    this.#model = point.model ?? this.#model;
    if (entries.usage(node) !== undefined && point.usage === undefined) {
      this.builder.problem("pseudo-usage", point.line);
    }
    this.#responses.add(this.nodes.response.at(node));
    const message = this.#push(node, { role: "assistant", origin: "response" });
    this.builder.request({ message, ...point, ...this.#terms });
  }

  /** Writes the paid responses and summary calls of other branches. A rewritten branch holds copies of those on the chain: each counts once. */
  branches(abandoned: readonly number[]): void {
    for (const node of abandoned) {
      const content = this.nodes.entries.facts(node);
      if (content.kind === "model") this.#model = content.model;
      if (content.kind === "response") this.#model = content.model ?? this.#model;
      else this.#summaryCall(node, NONE);
      const response = this.nodes.response.at(node);
      if (content.kind !== "response" || (!Number.isNaN(response) && this.#responses.has(response))) continue;
      this.#responses.add(response);
      const point = this.#point(node, content);
      if (point.usage !== undefined) this.builder.extraRequest({ kind: "branch", ...point });
    }
  }

  #point(node: number, content: ResponseContent): Omit<RequestPoint, "message"> {
    const { entries } = this.nodes;
    const model = content.model === DELIVERY_MIRROR ? undefined : content.model;
    const usage = recorded(entries.usage(node));
    return { line: entries.line(node), ...this.#at(node), model, usage, ...this.#inherited(node) };
  }

  #inherited(node: number): Pick<RequestPoint, "inherited"> {
    const at = this.nodes.entries.at(node);
    const inherited = at !== undefined && this.copiedBefore !== undefined && at < this.copiedBefore;
    return inherited ? { inherited } : {};
  }

  /** Adds the summary, and keeps the entries from the named one on. If the named entry is not on the chain, nothing is kept. */
  protected compaction(node: number, content: CompactionContent): void {
    const { entries } = this.nodes;
    const { tokensBefore, tokensAfter, firstKeptId, firstKeptIndex } = content;
    const byIndex = firstKeptIndex === undefined ? undefined : known(this.#byIndex[firstKeptIndex]);
    this.live = this.liveFrom(firstKeptId === undefined ? byIndex : this.positionOf(firstKeptId));
    this.boundary(node, {
      kind: "compaction",
      trigger: this.#afterOverflow ? "overflow" : "unknown",
      summaryLine: entries.line(node),
      kept: this.liveMessages(),
      clearedCalls: [],
      tokensBefore,
      tokensAfter,
    });
    this.#summaryCall(node, this.builder.boundaryCount - 1);
    this.builder.messageOfRows(
      { role: "user", origin: "summary", line: entries.line(node), at: entries.at(node), recordedOnly: true },
      entries.blocks,
      entries.rows(node),
    );
  }

  /**
   * Adds the call for a summary if its usage is recorded.
   * @param boundary −1 if it changed nothing in the context
   */
  #summaryCall(node: number, boundary: number): void {
    const usage = recorded(this.nodes.entries.usage(node));
    if (usage === undefined) return;
    const key = [this.nodes.entries.at(node), usage.input, usage.cacheRead, usage.cacheWrite, usage.output].join(" ");
    if (this.#summaryCalls.has(key)) return;
    this.#summaryCalls.add(key);
    const model = this.#model;
    this.builder.extraRequest({
      kind: "compaction",
      boundary,
      line: this.nodes.entries.line(node),
      ...this.#at(node),
      model,
      usage,
      ...this.#inherited(node),
    });
  }

  /** The live entries from a position on the chain on; none without a position. */
  protected liveFrom(first = this.#position): number[] {
    return this.live.filter((one) => (this.#positions[one] ?? 0) >= first);
  }

  protected liveMessages(): readonly number[] {
    return this.live.map((node) => this.#messages[node] ?? 0);
  }

  /** Position of the entry with an id, if it is on the chain so far. */
  protected positionOf(id: string | undefined): number | undefined {
    return id === undefined ? undefined : known(this.#byId[this.nodes.entries.ids.find(id)]);
  }

  protected boundary(
    node: number,
    facts: Omit<Boundary, "line" | "trigger" | "message" | "at"> & Partial<Pick<Boundary, "trigger">>,
    message = this.builder.messageCount,
  ): void {
    const line = this.nodes.entries.line(node);
    this.builder.boundary({ ...facts, line, message, ...this.#at(node) });
  }

  #push(node: number, { role, origin }: Pick<Message, "role" | "origin">): number {
    const { entries } = this.nodes;
    const message = this.builder.messageOfRows(
      { role, origin, line: entries.line(node), at: entries.at(node) },
      entries.blocks,
      entries.rows(node),
    );
    this.#messages[node] = message;
    this.live.push(node);
    return message;
  }

  #at(node: number): { readonly at?: number } {
    const at = this.nodes.entries.at(node);
    return at === undefined ? {} : { at };
  }
}

/** Drops the zeros of a failed response or a delivery mirror, which mean that nothing was recorded, not that nothing was sent. */
function recorded(usage: Usage | undefined): Usage | undefined {
  return sentTokens(usage) > 0 ? usage : undefined;
}

/** True if a refused prompt is the last event after an entry was added. A second compaction after it still recovers from it. */
function isAfterOverflow(content: NodeContent, before: boolean): boolean {
  if (content.kind === "overflow") return true;
  if (content.kind === "response") return content.overflow === true;
  return content.kind === "message" ? false : before;
}

/** An index, or `undefined` for −1. */
export function known(place: number | undefined): number | undefined {
  return place === NONE ? undefined : place;
}
