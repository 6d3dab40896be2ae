import type { LineNumber, Milliseconds } from "@/lib/core/base/units";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Block, Boundary, Message, RequestPoint, Usage } from "@/lib/core/transcript/model";
import type { BoundaryContent, ClearingContent, Node, ResponseContent, UserContent } from "./nodes";
import { sentTokens } from "./nodes";

/** A message that grows while further lines of its response are read. */
interface Step {
  readonly message: Message;
  readonly blocks: Block[];
  /** The uuids of its records. */
  readonly uuids: string[];
  point?: Omit<RequestPoint, "message">;
}

/** A change of history, between the steps around it. */
interface Change {
  boundary: Omit<Boundary, "message" | "kept">;
  readonly content?: BoundaryContent;
}

/** A response, however many lines it was written on. */
interface Response {
  readonly requestId: string | undefined;
  readonly step: Step;
  readonly epoch: number;
  /** The copy of it that a compaction put back, once there is one. */
  copy?: { readonly step: Step; readonly epoch: number };
}

/**
 * The main chain's records, in file order, as messages, request points and boundaries. One response is one message and
 * one point, at its first line. What a compaction wrote anew (its summary, what it attached, copies of earlier records)
 * is `recordedOnly`.
 */
export class Trajectory {
  readonly #steps: (Step | Change)[] = [];
  readonly #responses = new Map<string, Response[]>();
  /** First epoch in which a user record with this signature stood. */
  readonly #seen = new Map<string, number>();
  /** Compactions so far. */
  #epoch = 0;
  /** The change after which no response and no typed prompt has come yet. */
  #open: Change | undefined;

  /** Takes the next record of the main chain. */
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
        this.#steps.push({ boundary: clearingOf(node, node.content) });
        break;
      case "other":
        break;
    }
  }

  #addUser(node: Node, content: UserContent): void {
    const { origin } = content;
    if (origin === "summary") this.#addSummary(node, content);
    else if (content.blocks.length > 0) {
      const copy = this.#isCopy(node, content);
      if (origin === "typed" && !copy) this.#open = undefined;
      // What stands between a compaction and the next prompt or response was put there by it.
      const reattached = this.#open !== undefined && origin !== "tool";
      const plain = origin === "command" || origin === "output" ? "context" : origin;
      this.#push(node, { role: "user", origin: plain, recordedOnly: copy || reattached }, content.blocks);
    }
  }

  #addSummary(node: Node, content: UserContent): void {
    if (this.#open === undefined) this.#openChange({ boundary: summaryBoundary(node) });
    const change = this.#open;
    if (change !== undefined && change.boundary.summaryLine === undefined) {
      change.boundary = { ...change.boundary, summaryLine: node.line };
    }
    this.#push(node, { role: "user", origin: "summary", recordedOnly: true }, content.blocks);
  }

  #addBoundary(node: Node, content: BoundaryContent): void {
    this.#openChange({ boundary: boundaryOf(node, content), content });
  }

  #openChange(change: Change): void {
    this.#steps.push(change);
    this.#epoch += 1;
    this.#open = change;
  }

  /** Whether a record repeats one from before a compaction, under a new uuid: same time and sizes, or the same call's result. */
  #isCopy(node: Node, content: UserContent): boolean {
    const first = content.blocks[0];
    const key =
      first?.callId === undefined
        ? node.at === undefined
          ? undefined
          : `${node.at} ${content.origin} ${content.blocks.map((block) => block.text.chars).join(" ")}`
        : `result ${first.callId}`;
    if (key === undefined) return false;
    const epoch = this.#seen.get(key);
    if (epoch === undefined) this.#seen.set(key, this.#epoch);
    return epoch !== undefined && epoch < this.#epoch;
  }

  #addResponse(node: Node, content: ResponseContent): void {
    const known = this.#knownResponse(content);
    if (known === undefined) {
      this.#open = undefined;
      const step = this.#push(node, { role: "assistant", origin: "response" }, content.blocks);
      step.point = pointOf(node, content);
      this.#remember(content, { requestId: content.requestId, step, epoch: this.#epoch });
    } else if (known.epoch === this.#epoch) this.#extend(known.step, node, content);
    else this.#extendCopy(known, node, content);
  }

  #extend(step: Step, node: Node, content: ResponseContent): void {
    step.blocks.push(...content.blocks);
    if (node.uuid !== undefined) step.uuids.push(node.uuid);
    if (step.point !== undefined) step.point = laterPoint(step.point, content);
  }

  #extendCopy(response: Response, node: Node, content: ResponseContent): void {
    if (response.copy?.epoch === this.#epoch) this.#extend(response.copy.step, node, content);
    else {
      const step = this.#push(node, { role: "assistant", origin: "response", recordedOnly: true }, content.blocks);
      response.copy = { step, epoch: this.#epoch };
    }
  }

  /** The response of which this is a further line: the same id, and the same request where both lines name one. */
  #knownResponse(content: ResponseContent): Response | undefined {
    if (content.id === undefined) return undefined;
    const { requestId } = content;
    return this.#responses
      .get(content.id)
      ?.find((one) => requestId === undefined || one.requestId === undefined || one.requestId === requestId);
  }

  #remember(content: ResponseContent, response: Response): void {
    if (content.id === undefined) return;
    const same = this.#responses.get(content.id);
    if (same === undefined) this.#responses.set(content.id, [response]);
    else same.push(response);
  }

  #push(node: Node, facts: Pick<Message, "role" | "origin" | "recordedOnly">, blocks: readonly Block[]): Step {
    const grown = [...blocks];
    const { recordedOnly, ...rest } = facts;
    const message: Message = {
      ...rest,
      line: node.line,
      blocks: grown,
      ...(node.at === undefined ? {} : { at: node.at }),
      ...(recordedOnly === true ? { recordedOnly } : {}),
    };
    const step: Step = { message, blocks: grown, uuids: node.uuid === undefined ? [] : [node.uuid] };
    this.#steps.push(step);
    return step;
  }

  /** Writes everything into the builder. */
  write(builder: TranscriptBuilder): void {
    const messages = new Map<string, number>();
    for (const step of this.#steps) {
      if ("boundary" in step) {
        builder.boundary({ ...step.boundary, message: builder.messageCount, kept: keptMessages(step, messages) });
      } else {
        const message = builder.message(step.message);
        if (step.point !== undefined) builder.request({ ...step.point, message });
        for (const uuid of step.uuids) messages.set(uuid, message);
      }
    }
  }
}

function clearingOf(node: Node, content: ClearingContent): Change["boundary"] {
  return {
    kind: "clearing",
    line: node.line,
    trigger: content.trigger,
    clearedCalls: content.clearedCalls,
    ...atOf(node.at),
    ...(content.tokensBefore === undefined ? {} : { tokensBefore: content.tokensBefore }),
  };
}

function boundaryOf(node: Node, content: BoundaryContent): Change["boundary"] {
  return {
    kind: "compaction",
    line: node.line,
    trigger: content.trigger,
    clearedCalls: [],
    ...atOf(node.at),
    ...(content.tokensBefore === undefined ? {} : { tokensBefore: content.tokensBefore }),
    ...(content.tokensAfter === undefined ? {} : { tokensAfter: content.tokensAfter }),
  };
}

/** Early versions wrote no boundary: the summary stands for it. Source: interfaces.md, COMPACTION. */
function summaryBoundary(node: Node): Change["boundary"] {
  return { kind: "compaction", line: node.line, trigger: "unknown", clearedCalls: [], ...atOf(node.at) };
}

function atOf(at: Milliseconds | undefined): { readonly at?: Milliseconds } {
  return at === undefined ? {} : { at };
}

/** Messages before the change that stayed: those named, or all from the segment's head to its tail. */
function keptMessages(change: Change, messages: ReadonlyMap<string, number>): readonly number[] {
  const preserved = change.content?.preserved;
  if (preserved === undefined) return [];
  const named = preserved.uuids.map((uuid) => messages.get(uuid)).filter((index) => index !== undefined);
  if (named.length > 0) return [...new Set(named)].sort((a, b) => a - b);
  const head = preserved.head === undefined ? undefined : messages.get(preserved.head);
  const tail = preserved.tail === undefined ? undefined : messages.get(preserved.tail);
  if (head === undefined || tail === undefined || tail < head) return [];
  return Array.from({ length: tail - head + 1 }, (_, index) => head + index);
}

function pointOf(node: Node, content: ResponseContent): Omit<RequestPoint, "message"> {
  const line: LineNumber = node.line;
  return {
    line,
    ...atOf(node.at),
    ...(content.model === undefined ? {} : { model: content.model }),
    ...usagePart(content.usage),
  };
}

/** What a later line of the same response adds: its usage wins, but the output never shrinks (it is streamed). */
function laterPoint(point: Omit<RequestPoint, "message">, content: ResponseContent): Omit<RequestPoint, "message"> {
  const output = Math.max(point.usage?.output ?? -1, content.usage?.output ?? -1);
  const usage = sentTokens(content.usage) > 0 ? content.usage : point.usage;
  return {
    ...point,
    ...(point.model === undefined && content.model !== undefined ? { model: content.model } : {}),
    ...usagePart(usage === undefined || output < 0 ? usage : { ...usage, output }),
  };
}

/** Zeros are what a failed or local response writes: that nothing is recorded, not that nothing was sent. */
function usagePart(usage: Usage | undefined): { readonly usage?: Usage } {
  return usage !== undefined && sentTokens(usage) > 0 ? { usage } : {};
}
