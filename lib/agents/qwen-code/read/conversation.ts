import { promptTitle, subjectTitle } from "@/lib/agents/shared/title";
import { Integers } from "@/lib/core/base/growing";
import type { BlockRange, TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { MessageFacts } from "@/lib/core/transcript/message-list";
import { isEcho } from "./chain";
import { ACKNOWLEDGEMENT_MARK } from "./marks";
import type { CompressionContent, Nodes, ResponseContent, SnapshotMessage } from "./nodes";
import { type HistoryEntry, matchSnapshot, NO_MARK } from "./snapshot";
import type { MainChain } from "./tree";

const NONE = -1;

/**
 * Writes the main chain as messages, request points and boundaries. One assistant record is one response; in a subagent's file, the calls of a
 * response follow its text as records of their own.
 */
export class Conversation {
  readonly #builder: TranscriptBuilder;
  readonly #nodes: Nodes;
  /** For every written block, its row among the blocks of the records; and the first block of each message in this list. */
  readonly #rows = new Integers();
  readonly #starts = new Integers();
  /** 1 for messages after which no earlier message awaits a response: responses, and messages that a compaction added. */
  readonly #settles = new Integers();
  /** Messages in the context, in order. */
  #history: number[] = [];
  /** True if the last record was a response, or one of its calls. */
  #open = false;
  /** The model of the last request point; `null` before the first one. */
  #model: string | undefined | null = null;
  #title: string | undefined;
  #commandTitle: string | undefined;

  constructor(builder: TranscriptBuilder, nodes: Nodes) {
    this.#builder = builder;
    this.#nodes = nodes;
  }

  /** Writes the whole chain. */
  write(chain: MainChain): void {
    const echoes = echoesOf(this.#nodes, chain);
    for (const [index, first] of chain.firsts.entries()) {
      const content = this.#nodes.entries.facts(first);
      if (content.kind === "user") {
        if (!echoes.has(first)) this.#user(first, chain);
      } else if (content.kind === "response") this.#response(first, chain);
      else if (content.kind === "compression") {
        this.#compression(first, content, isAnswered(this.#nodes, chain, index + 1));
      } else if (content.kind === "inherited") this.#inherited(first, content.messages);
      else if (content.kind === "command") this.#commandTitle ??= content.title;
    }
    this.#branches(chain);
  }

  /** Writes the responses off the chain, which were paid for. */
  #branches({ left, next }: MainChain): void {
    for (const first of left) {
      const fragments: number[] = [];
      for (let node = first; node !== NONE; node = next[node] ?? NONE) fragments.push(node);
      const usage = fragments.map((node) => this.#nodes.entries.usage(node)).findLast((one) => one !== undefined);
      if (usage === undefined || usage.input + (usage.cacheRead ?? 0) === 0) continue;
      const contents = fragments.map((node) => this.#nodes.entries.facts(node));
      const model = contents.flatMap((one) => (one.kind === "response" ? (one.model ?? []) : []))[0];
      this.#builder.extraRequest({ kind: "branch", ...this.#place(first), model, usage, ...this.#inheritance(first) });
    }
  }

  #inheritance(node: number): { readonly inherited?: true } {
    return this.#nodes.isCopied.at(node) === 1 ? { inherited: true } : {};
  }

  /** The first typed text; a command if there is none. */
  get title(): string | undefined {
    return subjectTitle([this.#title, this.#commandTitle]);
  }

  #user(first: number, { next }: MainChain): void {
    this.#open = false;
    for (let node = first; node !== NONE; node = next[node] ?? NONE) {
      const content = this.#nodes.entries.facts(node);
      if (content.kind !== "user") continue;
      if (content.origin === "typed") this.#title = promptTitle(this.#title, content.title);
      const rows = this.#nodes.entries.rows(node);
      if (node === first) this.#push({ role: "user", origin: content.origin, ...this.#place(node) }, rows);
      else this.#extend(rows);
    }
  }

  #response(first: number, { next }: MainChain): void {
    for (let node = first; node !== NONE; node = next[node] ?? NONE) {
      const content = this.#nodes.entries.facts(node);
      if (content.kind !== "response") continue;
      if (node === first && !(this.#open && content.continues)) this.#startResponse(node, content);
      else {
        this.#extend(this.#nodes.entries.rows(node));
        this.#amend(node, content);
      }
    }
    this.#open = true;
  }

  #startResponse(node: number, { model, terms }: ResponseContent): void {
    const usage = this.#nodes.entries.usage(node);
    this.#builder.request({ ...this.#place(node), model, usage, terms, ...this.#inheritance(node) });
    if (model !== undefined) this.#builder.model(model);
    this.#model = model;
    this.#push({ role: "assistant", origin: "response", ...this.#place(node) }, this.#nodes.entries.rows(node));
  }

  /** The last usage of a response and the first model win. */
  #amend(node: number, { model }: ResponseContent): void {
    if (this.#model === null) return;
    const usage = this.#nodes.entries.usage(node);
    if (usage !== undefined) this.#builder.amendRequest({ usage });
    if (this.#model !== undefined || model === undefined) return;
    this.#builder.amendRequest({ model });
    this.#builder.model(model);
    this.#model = model;
  }

  #place(node: number): { readonly line: number; readonly at?: number } {
    const at = this.#nodes.entries.at(node);
    const line = this.#nodes.entries.line(node);
    return at === undefined ? { line } : { line, at };
  }

  #push(facts: MessageFacts, rows: BlockRange): void {
    this.#starts.push(this.#rows.length);
    this.#settles.push(facts.role === "assistant" || facts.recordedOnly === true ? 1 : 0);
    this.#history.push(this.#builder.messageOfRows(facts, this.#nodes.entries.blocks, rows));
    this.#note(rows);
  }

  #extend(rows: BlockRange): void {
    this.#builder.extendByRows(this.#nodes.entries.blocks, rows);
    this.#note(rows);
  }

  #note({ firstBlock, endBlock }: BlockRange): void {
    for (let row = firstBlock; row < endBlock; row++) this.#rows.push(row);
  }

  /** Inherited content of a fork: the model reads it, but it is not this session's own. */
  #inherited(node: number, messages: readonly SnapshotMessage[]): void {
    for (const { message, rows } of this.#contents(node, messages)) {
      this.#push(this.#snapshotFacts(node, message, "context", false), rows);
    }
  }

  #contents(node: number, messages: readonly SnapshotMessage[]) {
    let { firstBlock } = this.#nodes.entries.rows(node);
    return messages.map((message) => {
      const rows = { firstBlock, endBlock: firstBlock + message.blocks };
      firstBlock = rows.endBlock;
      return { message, rows };
    });
  }

  /**
   * Writes a compaction: a boundary, the kept messages, and the added ones. A message about to be sent is already in the file, but not yet in the
   * history: it follows if a response answers it.
   */
  #compression(node: number, content: CompressionContent, isNextAnswered: boolean): void {
    this.#open = false;
    const pending = isNextAnswered ? this.#pending() : [];
    const settled = this.#history.slice(0, this.#history.length - pending.length);
    const matches = matchSnapshot(
      settled.map((message) => this.#entry(message)),
      this.#contents(node, content.messages).map(({ rows }) => this.#snapshotMarks(rows)),
    );
    const kept = new Set(matches.flat().filter((message) => message >= 0));
    const isSummarised = matches[0]?.every((message) => message < 0) === true && content.messages[0]?.role === "user";
    this.#builder.boundary({
      kind: "compaction",
      ...this.#place(node),
      trigger: content.info.trigger,
      tokensBefore: content.info.tokensBefore,
      tokensAfter: content.info.tokensAfter,
      ...(isSummarised ? { summaryLine: this.#nodes.entries.line(node) } : {}),
      kept: [...kept, ...pending].sort((a, b) => a - b),
    });
    this.#rebuild(node, content.messages, matches, isSummarised);
    this.#history.push(...pending);
  }

  /** The history in the snapshot's order. New content in it becomes messages that only the recording has. */
  #rebuild(
    node: number,
    contents: readonly SnapshotMessage[],
    matches: readonly (readonly number[])[],
    isSummarised: boolean,
  ): void {
    this.#history = [];
    const seen = new Set<number>();
    for (const [index, { message, rows }] of this.#contents(node, contents).entries()) {
      const own = Array.from({ length: message.blocks }, (_, at) => rows.firstBlock + at);
      const fresh = own.filter((_, at) => (matches[index]?.[at] ?? -1) < 0);
      const [first, ...others] = fresh.map((row) => ({ firstBlock: row, endBlock: row + 1 }));
      if (first !== undefined) {
        const isResult = this.#nodes.entries.blocks.kindAt(first.firstBlock) === "tool_result";
        const origin = index === 0 && isSummarised ? "summary" : isResult ? "tool" : "context";
        this.#push(this.#snapshotFacts(node, message, origin, true), first);
        for (const row of others) this.#extend(row);
      }
      for (const match of matches[index] ?? []) {
        if (match >= 0 && !seen.has(match)) this.#history.push(match);
        seen.add(match);
      }
    }
  }

  #snapshotFacts(
    node: number,
    { role }: SnapshotMessage,
    origin: "summary" | "tool" | "context",
    recordedOnly: boolean,
  ): MessageFacts {
    return { role: role === "model" ? "assistant" : "user", origin, ...this.#place(node), recordedOnly };
  }

  /** Messages after the last response and after the messages that a compaction added. */
  #pending(): readonly number[] {
    const last = this.#history.findLastIndex((message) => this.#settles.at(message) === 1);
    return this.#history.slice(last + 1);
  }

  #entry(message: number): HistoryEntry {
    const [start, end] = [this.#starts.at(message), this.#endOf(message)];
    const rows = Array.from({ length: end - start }, (_, index) => this.#rows.at(start + index));
    const ofThoughts = (wanted: boolean) =>
      rows
        .filter((row) => (this.#nodes.entries.blocks.kindAt(row) === "thinking") === wanted)
        .map((row) => this.#nodes.mark.at(row));
    return { message, marks: ofThoughts(false), thoughtMarks: ofThoughts(true) };
  }

  #endOf(message: number): number {
    return message + 1 < this.#starts.length ? this.#starts.at(message + 1) : this.#rows.length;
  }

  /** The acknowledgement that the program writes in the model's name counts as new content every time. */
  #snapshotMarks({ firstBlock, endBlock }: BlockRange): readonly number[] {
    const acknowledgement = this.#nodes.marks.find(ACKNOWLEDGEMENT_MARK);
    return Array.from({ length: endBlock - firstBlock }, (_, index) => {
      const mark = this.#nodes.mark.at(firstBlock + index);
      return mark === acknowledgement ? NO_MARK : mark;
    });
  }
}

/** True if the next message is a response. */
function isAnswered({ entries }: Nodes, { firsts }: MainChain, from: number): boolean {
  for (let index = from; index < firsts.length; index++) {
    const { kind } = entries.facts(firsts[index] ?? 0);
    if (kind === "user" || kind === "response") return kind === "response";
  }
  return false;
}

/** User records that only repeat a command answered on the screen: they were not sent to the model. */
function echoesOf({ entries }: Nodes, { firsts, next }: MainChain): ReadonlySet<number> {
  const echoes = new Set<number>();
  let last = NONE;
  for (const first of firsts) {
    const content = entries.facts(first);
    if (content.kind === "user" || content.kind === "response") last = first;
    else if (content.kind === "compression") last = NONE;
    else if (content.kind === "command" && last !== NONE) {
      const before = entries.facts(last);
      if (before.kind !== "user") continue;
      const { plainText, origin } = before;
      if (origin === "typed" && next[last] === NONE && isEcho(content.echo, plainText)) echoes.add(last);
      if (origin !== "tool") last = NONE;
    }
  }
  return echoes;
}
