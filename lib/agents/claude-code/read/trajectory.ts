import { Integers } from "@/lib/core/base/growing";
import { IdTable } from "@/lib/core/base/id-table";
import type { LineNumber, Milliseconds } from "@/lib/core/base/units";
import type { BlockRange, TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Boundary, RequestPoint, RequestTerms, Usage } from "@/lib/core/transcript/model";
import type { NodeList } from "./node-list";
import {
  type BoundaryContent,
  beyond,
  type ClearingContent,
  type Node,
  type Pass,
  type ResponseContent,
  sentTokens,
  type UserContent,
} from "./nodes";
import { type StepFacts, StepList } from "./steps";

/** A change of history, between the steps around it. */
interface Change {
  boundary: Omit<Boundary, "message" | "kept">;
  readonly content?: BoundaryContent;
}

const NONE = -1;

/**
 * The main chain's records, in file order, as messages, request points and boundaries. One response is one message and one point, at its first line.
 * Records written by a compaction (its summary, its attachments, copies of earlier records) are `recordedOnly`.
 */
export class Trajectory {
  readonly #nodes: NodeList;
  readonly #steps = new StepList<Change>();
  /** First lines of the written request points, in order. */
  readonly pointLines: LineNumber[] = [];
  /** By message id, the row in `#responses` of the last response with it; −1 for none. */
  readonly #lastOfId: Int32Array;
  /** The responses so far; `before` is the row of the previous one with the same id. */
  readonly #responses = {
    before: new Integers(),
    requestId: new Integers(),
    step: new Integers(),
    epoch: new Integers(),
  };
  /** For each response, the copy that a compaction restored; −1 if there is none yet. */
  readonly #copies = { step: new Integers(), epoch: new Integers() };
  /** The first epoch with a user record of this signature. */
  readonly #signatures = new IdTable();
  readonly #seen = new Integers();
  /** Number of compactions so far. */
  #epoch = 0;
  /** The last change of history, until a response or typed prompt follows it. */
  #open: Change | undefined;

  constructor(nodes: NodeList) {
    this.#nodes = nodes;
    this.#lastOfId = new Int32Array(nodes.ids.length).fill(NONE);
  }

  /** Adds the next record of the main chain. */
  add(node: Node): void {
    switch (node.content.kind) {
      case "user":
        this.#addUser(node, node.content);
        break;
      case "response":
        this.#addResponse(node, node.content);
        break;
      case "boundary":
        this.#addBoundary(node, node.content);
        break;
      case "clearing":
        this.#steps.change({ boundary: clearingOf(node, node.content) });
        break;
      case "other":
        break;
    }
  }

  #addUser(node: Node, content: UserContent): void {
    const { origin } = content;
    if (origin === "summary") this.#addSummary(node);
    else if (content.endBlock > content.firstBlock) {
      const copy = this.#isCopy(node, content);
      if (origin === "typed" && !copy) this.#open = undefined;
      // The compaction added everything between itself and the next prompt or response.
      const reattached = this.#open !== undefined && origin !== "tool";
      const plain = origin === "command" || origin === "output" ? "context" : origin;
      this.#steps.push(node.index, { role: "user", origin: plain, recordedOnly: copy || reattached });
    }
  }

  #addSummary(node: Node): void {
    if (this.#open === undefined) this.#openChange({ boundary: summaryBoundary(node) });
    const change = this.#open;
    if (change !== undefined && change.boundary.summaryLine === undefined) {
      change.boundary = { ...change.boundary, summaryLine: node.line };
    }
    this.#steps.push(node.index, { role: "user", origin: "summary", recordedOnly: true });
  }

  #addBoundary(node: Node, content: BoundaryContent): void {
    this.#openChange({ boundary: boundaryOf(node, content), content });
  }

  #openChange(change: Change): void {
    this.#steps.change(change);
    this.#epoch += 1;
    this.#open = change;
  }

  /**
   * True if a record repeats an earlier one from before a compaction under a new uuid: with the same time and sizes, or as the same call's result.
   * Also remembers the record, so call it once for each, in order.
   */
  #isCopy(node: Node, content: UserContent): boolean {
    const signature = this.#signature(node, content);
    if (signature === undefined) return false;
    const index = this.#signatures.index(signature);
    if (index === this.#seen.length) this.#seen.push(this.#epoch);
    return this.#seen.at(index) < this.#epoch;
  }

  #signature(node: Node, { firstBlock, endBlock, origin }: UserContent): string | undefined {
    const { blocks } = this.#nodes;
    const callId = blocks.callIdAt(firstBlock);
    if (callId !== undefined) return `result ${callId}`;
    if (node.at === undefined) return undefined;
    let signature = `${node.at} ${origin}`;
    for (let row = firstBlock; row < endBlock; row++) signature += ` ${blocks.charsAt(row)}`;
    return signature;
  }

  #addResponse(node: Node, content: ResponseContent): void {
    const known = this.#knownResponse(content);
    if (known === NONE) {
      this.#open = undefined;
      this.#remember(content, this.#steps.push(node.index, { role: "assistant", origin: "response", isPoint: true }));
    } else if (this.#responses.epoch.at(known) === this.#epoch) {
      this.#steps.extend(this.#responses.step.at(known), node.index);
    } else this.#extendCopy(known, node);
  }

  #extendCopy(response: number, node: Node): void {
    if (this.#copies.epoch.at(response) === this.#epoch) this.#steps.extend(this.#copies.step.at(response), node.index);
    else {
      const step = this.#steps.push(node.index, { role: "assistant", origin: "response", recordedOnly: true });
      this.#copies.step.set(response, step);
      this.#copies.epoch.set(response, this.#epoch);
    }
  }

  /** The response that this line continues: the one with the same id, and with the same request if both lines name one; −1 for none. */
  #knownResponse({ id, requestId }: ResponseContent): number {
    let found = NONE;
    // The walk goes back from the last response, so the match that it keeps is the first matching response.
    for (let one = this.#lastOfId[id] ?? NONE; one !== NONE; one = this.#responses.before.at(one)) {
      const own = this.#responses.requestId.at(one);
      if (requestId === NONE || own === NONE || own === requestId) found = one;
    }
    return found;
  }

  #remember({ id, requestId }: ResponseContent, step: number): void {
    const index = this.#responses.step.length;
    this.#responses.before.push(this.#lastOfId[id] ?? NONE);
    this.#responses.requestId.push(requestId);
    this.#responses.step.push(step);
    this.#responses.epoch.push(this.#epoch);
    this.#copies.step.push(NONE);
    this.#copies.epoch.push(NONE);
    this.#lastOfId[id] = index;
  }

  /** Writes all steps into the builder. */
  write(builder: TranscriptBuilder): void {
    const messages = new Int32Array(this.#nodes.ids.length).fill(NONE);
    for (let step = 0; step < this.#steps.length; step++) {
      const change = this.#steps.changeAt(step);
      if (change === undefined) this.#writeMessage(builder, step, messages);
      else {
        const kept = keptMessages(change, (uuid) => messages[this.#nodes.ids.find(uuid)] ?? NONE);
        builder.boundary({ ...change.boundary, kept });
      }
    }
  }

  #writeMessage(builder: TranscriptBuilder, step: number, messages: Int32Array): void {
    const nodes = this.#steps.nodesOf(step).map((index) => this.#nodes.node(index));
    const facts = this.#steps.facts(step);
    const message = builder.messageCount;
    this.#writeBlocks(builder, facts, nodes);
    const { point, passes } = facts.isPoint === true ? pointOf(nodes) : NO_POINT;
    if (point !== undefined) {
      const index = builder.requestCount;
      builder.request({ message, ...point });
      this.pointLines.push(point.line);
      const { usage: _, model: __, ...shared } = point;
      for (const pass of passes) builder.extraRequest({ ...shared, ...pass, kind: "pass", point: index });
    }
    for (const { uuid } of nodes) if (uuid !== NONE) messages[uuid] = message;
  }

  /** Writes one message, with the blocks of all its records. */
  #writeBlocks(
    builder: TranscriptBuilder,
    { role, origin, recordedOnly }: StepFacts,
    [first, ...rest]: readonly Node[],
  ): void {
    if (first === undefined) return;
    const { blocks } = this.#nodes;
    const partialOutput = isPartial([first, ...rest]);
    const message = {
      role,
      origin,
      line: first.line,
      at: first.at,
      recordedOnly: recordedOnly === true,
      partialOutput,
    };
    builder.messageOfRows(message, blocks, rowsOf(first));
    for (const node of rest) builder.extendByRows(blocks, rowsOf(node));
  }
}

/** Block rows of a record; none if the record is not a message. */
function rowsOf({ content }: Node): BlockRange {
  return content.kind === "user" || content.kind === "response" ? content : { firstBlock: 0, endBlock: 0 };
}

function clearingOf(node: Node, content: ClearingContent): Change["boundary"] {
  return {
    kind: "clearing",
    line: node.line,
    trigger: content.trigger,
    clearedCalls: content.clearedCalls,
    ...atOf(node.at),
    tokensBefore: content.tokensBefore,
  };
}

function boundaryOf(node: Node, content: BoundaryContent): Change["boundary"] {
  return {
    kind: "compaction",
    line: node.line,
    trigger: content.trigger,
    clearedCalls: [],
    ...atOf(node.at),
    tokensBefore: content.tokensBefore,
    tokensAfter: content.tokensAfter,
    took: content.took,
  };
}

/** The boundary of early versions, which wrote none: the summary takes its place. Source: README.md, "Records". */
function summaryBoundary(node: Node): Change["boundary"] {
  return { kind: "compaction", line: node.line, trigger: "unknown", clearedCalls: [], ...atOf(node.at) };
}

function atOf(at: Milliseconds | undefined): { readonly at?: Milliseconds } {
  return at === undefined ? {} : { at };
}

/** Earlier messages kept by the change: the listed ones, or all from the segment's head to its tail. */
function keptMessages(change: Change, messageOfUuid: (uuid: string) => number): readonly number[] {
  const preserved = change.content?.preserved;
  if (preserved === undefined) return [];
  const named = preserved.uuids.map(messageOfUuid).filter((index) => index !== NONE);
  if (named.length > 0) return [...new Set(named)].sort((a, b) => a - b);
  const head = preserved.head === undefined ? NONE : messageOfUuid(preserved.head);
  const tail = preserved.tail === undefined ? NONE : messageOfUuid(preserved.tail);
  if (head === NONE || tail === NONE || tail < head) return [];
  return Array.from({ length: tail - head + 1 }, (_, index) => head + index);
}

type Point = Omit<RequestPoint, "message">;

/** A request point, and the further passes of its response. */
interface PointAndPasses {
  readonly point: Point | undefined;
  readonly passes: readonly Pass[];
}

const NO_POINT: PointAndPasses = { point: undefined, passes: [] };

/** The request point of a response and its further passes, over all of its lines. */
export function pointOf(nodes: readonly Node[]): PointAndPasses {
  let { point, passes } = NO_POINT;
  for (const { line, at, content } of nodes) {
    if (content.kind !== "response") continue;
    // A line without passes keeps those of earlier lines; the usage that it states beyond them becomes one more pass.
    const isListed = passes.length > 0 && content.passes === undefined;
    const later = isListed ? { ...content, usage: undefined } : content;
    const listed = [...(point?.usage === undefined ? [] : [point.usage]), ...ofModel(passes, point?.model)];
    const rest = isListed ? beyond(content.usage, listed) : undefined;
    if (point === undefined) point = firstPoint(line, at, later);
    else point = laterPoint(later.passes === undefined ? point : withoutOutput(point), later);
    passes = later.passes ?? passes;
    if (rest !== undefined) passes = [...passes, { model: point.model, usage: rest }];
  }
  if (point === undefined || !lacksFinalOutput(responsesOf(nodes))) return { point, passes };
  return { point: { ...point, partialOutput: true }, passes };
}

function ofModel(passes: readonly Pass[], model: string | undefined): readonly Usage[] {
  return passes.filter((pass) => pass.model === undefined || pass.model === model).map(({ usage }) => usage);
}

/** Removes the output: it covers all passes, so that of the last pass is unknown. */
function withoutOutput({ usage, ...point }: Point): Point {
  if (usage === undefined) return point;
  const { output: _, ...sent } = usage;
  return { ...point, usage: sent };
}

function firstPoint(line: LineNumber, at: Milliseconds | undefined, content: ResponseContent): Point {
  return {
    line,
    ...atOf(at),
    model: content.model,
    response: content.response,
    ...(content.inherited === true ? { inherited: true } : {}),
    ...usagePart(content.usage),
    terms: content.terms,
  };
}

/** Adds a later line of the same response: its usage wins, but the output, which is streamed, never shrinks. */
function laterPoint(point: Point, content: ResponseContent): Point {
  const output = Math.max(point.usage?.output ?? -1, content.usage?.output ?? -1);
  const usage = sentTokens(content.usage) > 0 ? content.usage : point.usage;
  return {
    ...point,
    ...(point.model === undefined && content.model !== undefined ? { model: content.model } : {}),
    ...usagePart(usage === undefined || output < 0 ? usage : { ...usage, output }),
    ...laterTerms(point.terms, content.terms),
  };
}

/** The last line states the terms of a response, the first one the process that sent the request. */
function laterTerms(first: RequestTerms | undefined, later: RequestTerms | undefined): Pick<Point, "terms"> {
  if (first === later || later === undefined) return first === undefined ? {} : { terms: first };
  const { process: _, ...given } = later;
  return { terms: first?.process === undefined ? given : { ...given, process: first.process } };
}

/** The usage, unless it is all zeros. A failed or local response writes zeros, which mean that nothing was recorded, not that nothing was sent. */
function usagePart(usage: Usage | undefined): { readonly usage?: Usage } {
  return usage !== undefined && sentTokens(usage) > 0 ? { usage } : {};
}

/**
 * True if no line of a response states its final output. A line written during streaming has the count from its start, and no stop reason. A count
 * that grew from one line to the next is the final one.
 */
function lacksFinalOutput(lines: readonly ResponseContent[]): boolean {
  const outputs = new Set(lines.flatMap(({ usage }) => usage?.output ?? []));
  return outputs.size === 1 && !lines.some(({ isSettled }) => isSettled);
}

/** True if the program knew more of a response's output than its lines state. */
function isPartial(nodes: readonly Node[]): boolean {
  const lines = responsesOf(nodes);
  return lacksFinalOutput(lines) && !lines.some(({ usesFirstCount }) => usesFirstCount);
}

function responsesOf(nodes: readonly Node[]): readonly ResponseContent[] {
  return nodes.flatMap(({ content }) => (content.kind === "response" ? [content] : []));
}
