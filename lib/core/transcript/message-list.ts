import { Floats, Integers } from "../base/growing";
import type { Bytes, LineNumber, Milliseconds } from "../base/units";
import { BlockList } from "./block-list";
import type { Block, Message, MessageRows, Origin, Role } from "./model";
import { possibleTime } from "./record-numbers";

/** A message without its blocks. */
export interface MessageFacts extends Omit<Message, "blocks" | "at"> {
  readonly at?: Milliseconds | undefined;
}

/** Values of the column `role`, as codes. */
export const MESSAGE_ROLES = ["system", "user", "assistant"] as const satisfies Role[];

/** Values of the column `origin`, as codes. */
export const MESSAGE_ORIGINS = ["typed", "response", "tool", "context", "summary"] as const satisfies Origin[];

/** Role and origin as codes, and a message's flags, all in one integer. */
const ROLE_BITS = 2;
const ORIGIN_BITS = 3;
const RECORDED_ONLY = 1 << (ROLE_BITS + ORIGIN_BITS);
const INITIAL_CONTEXT = RECORDED_ONLY << 1;
const NOT_RESUMED = RECORDED_ONLY << 2;
const PARTIAL_OUTPUT = RECORDED_ONLY << 3;

/**
 * Messages of a transcript as columns, with their blocks (`BlockList`). `message` creates an object on demand, so a loop over a large session needs
 * the memory of only one message.
 */
export class MessageList implements MessageRows {
  readonly blocks: BlockList;
  #facts = new Integers();
  #line = new Integers();
  /** Row after the message's last block. */
  #end = new Integers();
  #at = new Floats();
  /** All messages as objects, after the first call of `toArray`. */
  #all: readonly Message[] | undefined;

  constructor(blocks = new BlockList()) {
    this.blocks = blocks;
  }

  /** Copies the list. Later additions to one list do not affect the other. */
  copy(): MessageList {
    const copy = new MessageList(this.blocks.copy());
    copy.#facts = this.#facts.copy();
    copy.#line = this.#line.copy();
    copy.#end = this.#end.copy();
    copy.#at = this.#at.copy();
    return copy;
  }

  get length(): number {
    return this.#line.length;
  }

  push(message: Message): number {
    for (const block of message.blocks) this.blocks.push(block);
    return this.#pushMessage(message);
  }

  /** Adds a message whose blocks are rows of another list, which shares its names with `blocks`. */
  pushRows(message: MessageFacts, source: BlockList, first: number, end: number): number {
    this.blocks.pushRows(source, first, end);
    return this.#pushMessage(message);
  }

  #pushMessage(message: MessageFacts): number {
    const { role, origin, line, at, recordedOnly, initialContext, notResumed, partialOutput } = message;
    this.#all = undefined;
    const codes = MESSAGE_ROLES.indexOf(role) | (MESSAGE_ORIGINS.indexOf(origin) << ROLE_BITS);
    const context = (recordedOnly === true ? RECORDED_ONLY : 0) | (initialContext === true ? INITIAL_CONTEXT : 0);
    const left = (notResumed === true ? NOT_RESUMED : 0) | (partialOutput === true ? PARTIAL_OUTPUT : 0);
    this.#facts.push(codes | context | left);
    this.#line.push(line);
    this.#at.push(possibleTime(at) ?? Number.NaN);
    this.#end.push(this.blocks.length);
    return this.length - 1;
  }

  /** Adds blocks to the last message. */
  extendLast(blocks: readonly Block[]): void {
    this.#all = undefined;
    for (const block of blocks) this.blocks.push(block);
    this.#end.set(this.length - 1, this.blocks.length);
  }

  /** Adds rows of another list to the last message as blocks. */
  extendLastByRows(source: BlockList, first: number, end: number): void {
    this.#all = undefined;
    this.blocks.pushRows(source, first, end);
    this.#end.set(this.length - 1, this.blocks.length);
  }

  /** Sets an estimated size for the first block of a message. */
  estimate(index: number, bytes: Bytes): void {
    this.#all = undefined;
    this.blocks.estimate(this.firstBlock(index), bytes);
  }

  role(index: number): Role {
    return MESSAGE_ROLES[this.#facts.at(index) & ((1 << ROLE_BITS) - 1)] ?? "system";
  }

  origin(index: number): Origin {
    return MESSAGE_ORIGINS[(this.#facts.at(index) >> ROLE_BITS) & ((1 << ORIGIN_BITS) - 1)] ?? "context";
  }

  line(index: number): LineNumber {
    return this.#line.at(index);
  }

  at(index: number): Milliseconds {
    return this.#at.at(index);
  }

  recordedOnly(index: number): boolean {
    return (this.#facts.at(index) & RECORDED_ONLY) !== 0;
  }

  initialContext(index: number): boolean {
    return (this.#facts.at(index) & INITIAL_CONTEXT) !== 0;
  }

  notResumed(index: number): boolean {
    return (this.#facts.at(index) & NOT_RESUMED) !== 0;
  }

  partialOutput(index: number): boolean {
    return (this.#facts.at(index) & PARTIAL_OUTPUT) !== 0;
  }

  firstBlock(index: number): number {
    return index === 0 ? 0 : this.#end.at(index - 1);
  }

  message(index: number): Message {
    const at = this.at(index);
    return {
      role: this.role(index),
      origin: this.origin(index),
      line: this.line(index),
      ...(Number.isNaN(at) ? {} : { at }),
      blocks: this.#blocksOf(index),
      ...(this.recordedOnly(index) ? { recordedOnly: true } : {}),
      ...(this.initialContext(index) ? { initialContext: true } : {}),
      ...(this.notResumed(index) ? { notResumed: true } : {}),
      ...(this.partialOutput(index) ? { partialOutput: true } : {}),
    };
  }

  #blocksOf(index: number): readonly Block[] {
    const blocks: Block[] = [];
    const end = this.firstBlock(index + 1);
    for (let row = this.firstBlock(index); row < end; row++) blocks.push(this.blocks.block(row));
    return blocks;
  }

  /** All messages as objects, cached after the first call: for small sessions, and for code with no memory limit. */
  toArray(): readonly Message[] {
    this.#all ??= Array.from({ length: this.length }, (_, index) => this.message(index));
    return this.#all;
  }
}
