import { grownBytes, grownFloats, grownIntegers } from "../base/growing";
import type { LineNumber, Milliseconds } from "../base/units";
import { BlockList } from "./block-list";
import type { Block, Message, MessageRows, Origin, Role } from "./model";

/** A message but for its blocks. */
export type MessageFacts = Omit<Message, "blocks">;

/** Values of the column `role`, as codes. */
export const MESSAGE_ROLES = ["system", "user", "assistant"] as const satisfies Role[];

/** Values of the column `origin`, as codes. */
export const MESSAGE_ORIGINS = ["typed", "response", "tool", "context", "summary"] as const satisfies Origin[];

/** As in `BlockList`. */
const FIRST_CAPACITY = 8;
const RECORDED_ONLY = 1;
const INITIAL_CONTEXT = 2;

/**
 * Messages as columns, and their blocks (`BlockList`): what a transcript holds. `message` makes the object when it is asked
 * for, so that whoever walks a large session needs the memory of one message.
 */
export class MessageList implements MessageRows {
  readonly blocks: BlockList;
  #length = 0;
  #role = new Uint8Array(FIRST_CAPACITY);
  #origin = new Uint8Array(FIRST_CAPACITY);
  #flags = new Uint8Array(FIRST_CAPACITY);
  #line = new Int32Array(FIRST_CAPACITY);
  /** Behind the last block of the message. */
  #end = new Int32Array(FIRST_CAPACITY);
  #at = new Float64Array(FIRST_CAPACITY);
  /** All as objects, once they were asked for. */
  #all: readonly Message[] | undefined;

  constructor(blocks = new BlockList()) {
    this.blocks = blocks;
  }

  /** A list of the same messages: what is added to one is not seen in the other. */
  copy(): MessageList {
    const copy = new MessageList(this.blocks.copy());
    copy.#length = this.#length;
    copy.#role = this.#role.slice();
    copy.#origin = this.#origin.slice();
    copy.#flags = this.#flags.slice();
    copy.#line = this.#line.slice();
    copy.#end = this.#end.slice();
    copy.#at = this.#at.slice();
    return copy;
  }

  get length(): number {
    return this.#length;
  }

  push(message: Message): number {
    for (const block of message.blocks) this.blocks.push(block);
    return this.#pushMessage(message);
  }

  /** The same of blocks that are rows of another list, which shares its names with `blocks`. */
  pushRows(message: MessageFacts, source: BlockList, first: number, end: number): number {
    this.blocks.pushRows(source, first, end);
    return this.#pushMessage(message);
  }

  #pushMessage({ role, origin, line, at, recordedOnly, initialContext }: MessageFacts): number {
    if (this.#length === this.#role.length) this.#grow(this.#length * 2);
    this.#all = undefined;
    const index = this.#length;
    this.#role[index] = MESSAGE_ROLES.indexOf(role);
    this.#origin[index] = MESSAGE_ORIGINS.indexOf(origin);
    this.#flags[index] = (recordedOnly === true ? RECORDED_ONLY : 0) | (initialContext === true ? INITIAL_CONTEXT : 0);
    this.#line[index] = line;
    this.#at[index] = at ?? Number.NaN;
    this.#end[index] = this.blocks.length;
    this.#length += 1;
    return index;
  }

  /** Adds blocks to the last message. */
  extendLast(blocks: readonly Block[]): void {
    this.#all = undefined;
    for (const block of blocks) this.blocks.push(block);
    this.#end[this.#length - 1] = this.blocks.length;
  }

  /** Adds blocks to the last message that are rows of another list. */
  extendLastByRows(source: BlockList, first: number, end: number): void {
    this.#all = undefined;
    this.blocks.pushRows(source, first, end);
    this.#end[this.#length - 1] = this.blocks.length;
  }

  role(index: number): Role {
    return MESSAGE_ROLES[this.#role[index] ?? 0] ?? "system";
  }

  origin(index: number): Origin {
    return MESSAGE_ORIGINS[this.#origin[index] ?? 0] ?? "context";
  }

  line(index: number): LineNumber {
    return this.#line[index] ?? 0;
  }

  at(index: number): Milliseconds {
    return this.#at[index] ?? Number.NaN;
  }

  recordedOnly(index: number): boolean {
    return ((this.#flags[index] ?? 0) & RECORDED_ONLY) !== 0;
  }

  initialContext(index: number): boolean {
    return ((this.#flags[index] ?? 0) & INITIAL_CONTEXT) !== 0;
  }

  firstBlock(index: number): number {
    return index === 0 ? 0 : (this.#end[index - 1] ?? 0);
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
    };
  }

  #blocksOf(index: number): readonly Block[] {
    const blocks: Block[] = [];
    const end = this.firstBlock(index + 1);
    for (let row = this.firstBlock(index); row < end; row++) blocks.push(this.blocks.block(row));
    return blocks;
  }

  /** All of them as objects, held from the first time on: for small sessions, and for what needs no bound. */
  toArray(): readonly Message[] {
    this.#all ??= Array.from({ length: this.#length }, (_, index) => this.message(index));
    return this.#all;
  }

  #grow(capacity: number): void {
    this.#role = grownBytes(this.#role, capacity);
    this.#origin = grownBytes(this.#origin, capacity);
    this.#flags = grownBytes(this.#flags, capacity);
    this.#line = grownIntegers(this.#line, capacity);
    this.#end = grownIntegers(this.#end, capacity);
    this.#at = grownFloats(this.#at, capacity);
  }
}
