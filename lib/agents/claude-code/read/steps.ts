import { Integers } from "@/lib/core/base/growing";
import { MESSAGE_ORIGINS } from "@/lib/core/transcript/message-list";
import type { Message } from "@/lib/core/transcript/model";

/** Facts about a message besides its records' contents. */
export interface StepFacts extends Pick<Message, "origin" | "recordedOnly"> {
  readonly role: "user" | "assistant";
  /** True for a request point. */
  readonly isPoint?: boolean;
}

const NONE = -1;
const ASSISTANT = 1;
const RECORDED_ONLY = 2;
const POINT = 4;

/** Messages, and the changes of history between them, as columns with one row for each step. A message grows while its records are read. */
export class StepList<Change> {
  readonly #flags = new Integers();
  readonly #origin = new Integers();
  readonly #first = new Integers();
  readonly #last = new Integers();
  /** By node, the next node of the same step. */
  readonly #following = new Map<number, number>();
  readonly #changes = new Map<number, Change>();

  get length(): number {
    return this.#first.length;
  }

  /** Adds a message with its first node, and returns its step. */
  push(node: number, { role, origin, recordedOnly, isPoint }: StepFacts): number {
    this.#flags.push(
      (role === "assistant" ? ASSISTANT : 0) |
        (recordedOnly === true ? RECORDED_ONLY : 0) |
        (isPoint === true ? POINT : 0),
    );
    this.#origin.push(MESSAGE_ORIGINS.indexOf(origin));
    this.#first.push(node);
    this.#last.push(node);
    return this.length - 1;
  }

  /** Adds a node to a message. */
  extend(step: number, node: number): void {
    this.#following.set(this.#last.at(step), node);
    this.#last.set(step, node);
  }

  /** Adds a change of history. */
  change(change: Change): void {
    this.#changes.set(this.length, change);
    for (const column of [this.#flags, this.#origin, this.#first, this.#last]) column.push(NONE);
  }

  changeAt(step: number): Change | undefined {
    return this.#changes.get(step);
  }

  facts(step: number): StepFacts {
    const flags = this.#flags.at(step);
    return {
      role: (flags & ASSISTANT) === 0 ? "user" : "assistant",
      origin: MESSAGE_ORIGINS[this.#origin.at(step)] ?? "context",
      recordedOnly: (flags & RECORDED_ONLY) !== 0,
      isPoint: (flags & POINT) !== 0,
    };
  }

  /** The nodes of a message. */
  nodesOf(step: number): readonly number[] {
    const nodes: number[] = [];
    for (let node: number | undefined = this.#first.at(step); node !== undefined; node = this.#following.get(node)) {
      nodes.push(node);
    }
    return nodes;
  }
}
