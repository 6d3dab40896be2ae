import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Block, Boundary, Message, RequestPoint } from "@/lib/core/transcript/model";
import { isEcho } from "./chain";
import { ACKNOWLEDGEMENT_MARK, isThought } from "./marks";
import type { CompressionContent, Measured, Node, ResponseContent, SnapshotMessage, UserContent } from "./nodes";
import { type HistoryEntry, matchSnapshot } from "./snapshot";
import type { Group } from "./tree";

/** A message that grows while further records of its response are read. */
interface Draft {
  readonly facts: Omit<Message, "blocks">;
  readonly blocks: Block[];
  readonly marks: string[];
}

type DraftPoint = { -readonly [Key in keyof RequestPoint]: RequestPoint[Key] };

/**
 * The main chain as messages, request points and boundaries. One assistant record is one response; in a subagent's file
 * the calls of a response are records of their own behind its text.
 */
export class Conversation {
  readonly #messages: Draft[] = [];
  readonly #points: DraftPoint[] = [];
  readonly #boundaries: Boundary[] = [];
  /** Messages in the context, in its order. */
  #history: number[] = [];
  /** The last thing read was a response, or a call of it. */
  #open = false;
  #title: string | undefined;
  #commandTitle: string | undefined;

  /** Takes the whole chain, oldest first. */
  read(chain: readonly Group[]): void {
    const echoes = echoesOf(chain);
    for (const [index, group] of chain.entries()) {
      const { content } = group.first;
      if (content.kind === "user") {
        if (!echoes.has(group)) this.#user(group);
      } else if (content.kind === "response") this.#response(group);
      else if (content.kind === "compression") this.#compression(group.first, content, chain.slice(index + 1));
      else if (content.kind === "inherited") this.#inherited(group.first, content.messages);
      else if (content.kind === "command") this.#commandTitle ??= content.title;
    }
  }

  /** What a person wrote first; a command where that is all there is. */
  get title(): string | undefined {
    return this.#title ?? this.#commandTitle;
  }

  write(builder: TranscriptBuilder): void {
    for (const { facts, blocks } of this.#messages) builder.message({ ...facts, blocks });
    for (const point of this.#points) {
      builder.request(point);
      if (point.model !== undefined) builder.model(point.model);
    }
    for (const boundary of this.#boundaries) builder.boundary(boundary);
  }

  #user(group: Group): void {
    this.#open = false;
    for (const [index, node] of group.nodes.entries()) {
      if (node.content.kind !== "user") continue;
      if (node.content.origin === "typed") this.#title ??= node.content.title;
      if (index === 0) this.#push(userFacts(node, node.content), node.content);
      else this.#extend(node.content);
    }
  }

  #response(group: Group): void {
    for (const node of group.nodes) {
      if (node.content.kind !== "response") continue;
      const isFirst = node === group.first && !(this.#open && node.content.continues);
      if (isFirst) this.#startResponse(node, node.content);
      else {
        this.#extend(node.content);
        this.#amend(node.content);
      }
    }
    this.#open = true;
  }

  #startResponse(node: Node, content: ResponseContent): void {
    const { line, at } = node;
    const { model, usage } = content;
    this.#points.push({
      message: this.#messages.length,
      line,
      ...(at === undefined ? {} : { at }),
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
    });
    const facts = { role: "assistant", origin: "response", line, ...(at === undefined ? {} : { at }) } as const;
    this.#push(facts, content);
  }

  /** The last usage of a response wins, and the first model. */
  #amend({ model, usage }: ResponseContent): void {
    const point = this.#points.at(-1);
    if (point === undefined) return;
    if (usage !== undefined) point.usage = usage;
    if (point.model === undefined && model !== undefined) point.model = model;
  }

  #push(facts: Omit<Message, "blocks">, { blocks, marks }: Measured): void {
    this.#history.push(this.#messages.push({ facts, blocks: [...blocks], marks: [...marks] }) - 1);
  }

  #extend({ blocks, marks }: Measured): void {
    const last = this.#messages.at(-1);
    last?.blocks.push(...blocks);
    last?.marks.push(...marks);
  }

  /** What a fork starts from: read by the model, but not this session's own. */
  #inherited(node: Node, messages: readonly SnapshotMessage[]): void {
    for (const message of messages) this.#push(snapshotFacts(node, message, "context", false), message);
  }

  /**
   * A compaction: a boundary, with the messages that it kept, and what it put in. What was about to be sent stood already
   * in the file but not yet in the history: a response to it follows.
   */
  #compression(node: Node, content: CompressionContent, rest: readonly Group[]): void {
    this.#open = false;
    const pending = isAnswered(rest) ? this.#pending() : [];
    const settled = this.#history.slice(0, this.#history.length - pending.length);
    const matches = matchSnapshot(
      settled.map((message) => this.#entry(message)),
      // What the model is made to say is new every time.
      content.messages.map(({ marks }) => marks.map((mark) => (mark === ACKNOWLEDGEMENT_MARK ? "" : mark))),
    );
    const kept = new Set(matches.flat().filter((message) => message >= 0));
    const isSummarised = matches[0]?.every((message) => message < 0) === true && content.messages[0]?.role === "user";
    this.#boundaries.push({
      kind: "compaction",
      line: node.line,
      ...(node.at === undefined ? {} : { at: node.at }),
      trigger: content.info.trigger,
      ...(content.info.tokensBefore === undefined ? {} : { tokensBefore: content.info.tokensBefore }),
      ...(content.info.tokensAfter === undefined ? {} : { tokensAfter: content.info.tokensAfter }),
      ...(isSummarised ? { summaryLine: node.line } : {}),
      message: this.#messages.length,
      kept: [...kept, ...pending].sort((a, b) => a - b),
      clearedCalls: [],
    });
    this.#rebuild(node, content.messages, matches, isSummarised);
    this.#history.push(...pending);
  }

  /** The history in the snapshot's order; what is new in it becomes messages that only the recording has. */
  #rebuild(
    node: Node,
    contents: readonly SnapshotMessage[],
    matches: readonly (readonly number[])[],
    isSummarised: boolean,
  ): void {
    this.#history = [];
    const seen = new Set<number>();
    for (const [index, content] of contents.entries()) {
      const fresh = content.blocks.flatMap((block, at) => ((matches[index]?.[at] ?? -1) < 0 ? [{ block, at }] : []));
      if (fresh.length > 0) {
        const origin = index === 0 && isSummarised ? "summary" : isResult(fresh[0]?.block) ? "tool" : "context";
        const marks = fresh.map(({ at }) => content.marks[at] ?? "");
        this.#push(snapshotFacts(node, content, origin, true), { blocks: fresh.map(({ block }) => block), marks });
      }
      for (const message of matches[index] ?? []) {
        if (message >= 0 && !seen.has(message)) this.#history.push(message);
        seen.add(message);
      }
    }
  }

  /** Messages behind the last response and behind what a compaction put in. */
  #pending(): readonly number[] {
    const last = this.#history.findLastIndex((message) => {
      const facts = this.#messages[message]?.facts;
      return facts?.role === "assistant" || facts?.recordedOnly === true;
    });
    return this.#history.slice(last + 1);
  }

  #entry(message: number): HistoryEntry {
    const { blocks, marks } = this.#messages[message] ?? { blocks: [], marks: [] };
    const ofThoughts = (wanted: boolean) => marks.filter((_, index) => isThought(blocks[index]) === wanted);
    return { message, marks: ofThoughts(false), thoughtMarks: ofThoughts(true) };
  }
}

function userFacts({ line, at }: Node, { origin }: UserContent): Omit<Message, "blocks"> {
  return { role: "user", origin, line, ...(at === undefined ? {} : { at }) };
}

function snapshotFacts(
  { line, at }: Node,
  { role }: SnapshotMessage,
  origin: "summary" | "tool" | "context",
  recordedOnly: boolean,
): Omit<Message, "blocks"> {
  return {
    role: role === "model" ? "assistant" : "user",
    origin,
    line,
    ...(at === undefined ? {} : { at }),
    ...(recordedOnly ? { recordedOnly } : {}),
  };
}

function isResult(block: Block | undefined): boolean {
  return block?.kind === "tool_result";
}

/** Whether the next message is a response. */
function isAnswered(rest: readonly Group[]): boolean {
  const next = rest.find(({ first }) => first.content.kind === "user" || first.content.kind === "response");
  return next?.first.content.kind === "response";
}

/** User records that only repeat a command which was answered on the screen: the model was not sent them. */
function echoesOf(chain: readonly Group[]): ReadonlySet<Group> {
  const echoes = new Set<Group>();
  let last: Group | undefined;
  for (const group of chain) {
    const { content } = group.first;
    if (content.kind === "user" || content.kind === "response") last = group;
    else if (content.kind === "compression") last = undefined;
    else if (content.kind === "command" && last?.first.content.kind === "user") {
      const { plainText, origin } = last.first.content;
      if (origin === "typed" && last.nodes.length === 1 && isEcho(content.echo, plainText)) echoes.add(last);
      if (origin !== "tool") last = undefined;
    }
  }
  return echoes;
}
