import { assert } from "../base/assert";
import type { Bytes, Chars, LineNumber, Milliseconds, Tokens } from "../base/units";
import { BlockList } from "./block-list";
import { block, type DraftBlock } from "./draft";
import { Figures, isTime, isTokens } from "./figures";
import { type MessageFacts, MessageList } from "./message-list";
import type {
  Block,
  BlockSource,
  Boundary,
  CompactionTrigger,
  Message,
  OverheadEntry,
  ParentKind,
  ParentSession,
  RequestPoint,
  SidechainRequest,
  StartedSubagent,
  TextMeasure,
  Transcript,
} from "./model";
import { pairCalls } from "./pairing";
import type { Damage, Problem, ProblemCode } from "./problem";

/** What the host supplies for measuring text. */
export interface BuilderOptions {
  /** Texts up to this length are kept in the transcript; longer ones are held by reference. */
  readonly keepChars: Chars;
  /** UTF-8 length of a text, counting a lone surrogate as three bytes. */
  readonly byteLength: (text: string) => Bytes;
}

/** Facts about the session. Later values replace earlier ones; absent ones change nothing. */
export interface SessionFacts {
  agentVersion?: string | undefined;
  formatVersion?: number | undefined;
  sessionId?: string | undefined;
  title?: string | undefined;
  project?: string | undefined;
  branch?: string | undefined;
  recordedWindow?: Tokens | undefined;
}

/** Rows of a list of blocks, from `firstBlock` to before `endBlock`. */
export interface BlockRange {
  readonly firstBlock: number;
  readonly endBlock: number;
}

/** What a builder holds. Opaque to everyone else. */
export interface BuilderState {
  readonly byType: Map<string, number>;
  readonly unknown: Map<string, number>;
  readonly damaged: Damage[];
  readonly problems: Map<string, Problem>;
  readonly models: Set<string>;
  readonly overhead: OverheadEntry[];
  readonly messages: MessageList;
  readonly requests: RequestPoint[];
  readonly boundaries: Boundary[];
  readonly facts: KnownFacts;
  readonly records: number;
  readonly sidechains: number;
  readonly sidechainRequests: SidechainRequest[];
  readonly agentId: string | undefined;
  readonly parents: Map<string, ParentSession>;
  readonly subagents: Map<string, StartedSubagent>;
  readonly startedAt: Milliseconds;
  readonly endedAt: Milliseconds;
}

/** How many distinct problems are kept; further ones are dropped. */
const MAX_PROBLEMS = 1000;
/** How many parent sessions, and how many subagents, are kept. */
const MAX_LINKS = 1000;

/**
 * The only way to make a `Transcript`. It guarantees that indices point at what exists, that request points and boundaries are in order, and that
 * every problem is counted once per code and detail.
 */
export class TranscriptBuilder {
  readonly #options: BuilderOptions;
  #byType = new Map<string, number>();
  #unknown = new Map<string, number>();
  #damaged: Damage[] = [];
  #problems = new Map<string, Problem>();
  #models = new Set<string>();
  #overhead: OverheadEntry[] = [];
  #messages = new MessageList();
  #requests: RequestPoint[] = [];
  #boundaries: Boundary[] = [];
  #facts: KnownFacts = {};
  #records = 0;
  #sidechains = 0;
  #sidechainRequests: SidechainRequest[] = [];
  #agentId: string | undefined;
  #parents = new Map<string, ParentSession>();
  #subagents = new Map<string, StartedSubagent>();
  #startedAt = Number.NaN;
  #endedAt = Number.NaN;

  constructor(options: BuilderOptions) {
    this.#options = options;
  }

  /** Everything that was built so far, for `restore`. Costs a copy of the lists, but not of what is in them. */
  checkpoint(): BuilderState {
    return {
      byType: new Map(this.#byType),
      unknown: new Map(this.#unknown),
      damaged: [...this.#damaged],
      problems: new Map(this.#problems),
      models: new Set(this.#models),
      overhead: [...this.#overhead],
      messages: this.#messages.copy(),
      requests: [...this.#requests],
      boundaries: [...this.#boundaries],
      facts: { ...this.#facts },
      records: this.#records,
      sidechains: this.#sidechains,
      sidechainRequests: [...this.#sidechainRequests],
      agentId: this.#agentId,
      parents: new Map(this.#parents),
      subagents: new Map(this.#subagents),
      startedAt: this.#startedAt,
      endedAt: this.#endedAt,
    };
  }

  /** Returns to a checkpoint, which must not be used again. Transcripts that were finished since then keep what they hold. */
  restore(state: BuilderState): void {
    this.#byType = state.byType;
    this.#unknown = state.unknown;
    this.#damaged = state.damaged;
    this.#problems = state.problems;
    this.#models = state.models;
    this.#overhead = state.overhead;
    this.#messages = state.messages;
    this.#requests = state.requests;
    this.#boundaries = state.boundaries;
    this.#facts = state.facts;
    this.#records = state.records;
    this.#sidechains = state.sidechains;
    this.#sidechainRequests = state.sidechainRequests;
    this.#agentId = state.agentId;
    this.#parents = state.parents;
    this.#subagents = state.subagents;
    this.#startedAt = state.startedAt;
    this.#endedAt = state.endedAt;
  }

  /** The index that the next message will get. */
  get messageCount(): number {
    return this.#messages.length;
  }

  /** Sizes of a text, and the text itself if it is short enough to keep. */
  text(value: string): TextMeasure {
    const sizes = { chars: value.length, bytes: this.#options.byteLength(value) };
    return value.length <= this.#options.keepChars ? { ...sizes, value } : sizes;
  }

  /** Sizes of a payload that is never kept, such as an image's base64. */
  payload(value: string): TextMeasure {
    return { chars: value.length, bytes: this.#options.byteLength(value) };
  }

  /** Makes a draft's block by measuring its text. */
  block(draft: DraftBlock, source: BlockSource): Block {
    if (draft.odd !== undefined) this.problem("unexpected-field", source.line, draft.odd);
    return block(draft.kind, draft.payload === true ? this.payload(draft.text) : this.text(draft.text), source, draft);
  }

  /** Makes the blocks of drafts, whose texts are those of the record from part `firstPart` on. */
  blocks(
    drafts: readonly DraftBlock[],
    { line, offset, length }: Omit<BlockSource, "part">,
    firstPart = 0,
  ): readonly Block[] {
    return drafts.map((draft, index) => this.block(draft, { line, offset, length, part: firstPart + index }));
  }

  /** Counts a record under its `type` or `type/subtype`. Called once for every record of the file. */
  countRecord(type: string): void {
    this.#records += 1;
    this.#byType.set(type, (this.#byType.get(type) ?? 0) + 1);
  }

  /** Counts a record of a kind that the reader does not know, and notes it as a problem. */
  unknownRecord(type: string, line: LineNumber): void {
    this.#unknown.set(type, (this.#unknown.get(type) ?? 0) + 1);
    this.problem("unknown-record", line, type);
  }

  /** Notes a line that could not be read completely. */
  damagedLine(damage: Damage): void {
    this.#damaged.push(damage);
    this.problem("damaged-line", damage.line, damage.reason);
  }

  /** Notes something odd that was seen `times` times. Problems with the same code and detail are counted together, under the first line. */
  problem(code: ProblemCode, line?: LineNumber, detail?: string, times = 1): void {
    const key = `${code}\0${detail ?? ""}`;
    const known = this.#problems.get(key);
    if (known !== undefined) this.#problems.set(key, { ...known, count: known.count + times });
    else if (this.#problems.size < MAX_PROBLEMS) {
      this.#problems.set(key, {
        code,
        count: times,
        ...(line === undefined ? {} : { line }),
        ...(detail === undefined ? {} : { detail: detail.slice(0, 200) }),
      });
    }
  }

  /** Sets facts about the session. `undefined` leaves what is known; so does an impossible window. */
  facts({ recordedWindow, ...facts }: SessionFacts): void {
    const window = isTokens(recordedWindow) && recordedWindow > 0 ? recordedWindow : undefined;
    for (const key of FACTS) setFact(this.#facts, key, key === "recordedWindow" ? window : facts[key]);
  }

  /** Reads the figures of a line's record: an impossible one is a problem of that line, and counts as absent. */
  figures(line: LineNumber): Figures {
    return new Figures((field) => this.problem("impossible-figure", line, field));
  }

  /**
   * Notes a time of a record; the session lasts from the earliest of these to the latest. Returns the time, or `undefined` where there is none or it
   * is impossible, which is a problem of that line.
   */
  time(at: Milliseconds | undefined, line: LineNumber): Milliseconds | undefined {
    if (at === undefined || !isTime(at)) return this.figures(line).time(at, "time");
    if (!(at >= this.#startedAt)) this.#startedAt = at;
    if (!(at <= this.#endedAt)) this.#endedAt = at;
    return at;
  }

  /** Notes a model that a response of the main chain names, as written. */
  model(name: string): void {
    this.#models.add(name);
  }

  /** Adds fixed overhead that the file records. */
  overhead(entry: OverheadEntry): void {
    this.#overhead.push(entry);
  }

  /** Adds a message and returns its index. Its blocks are copied, so later changes to them are not seen. */
  message(message: Message): number {
    return this.#messages.push(message);
  }

  /** A list for blocks of messages that cannot be decided yet; `messageOfRows` and `extendByRows` take the blocks from it. */
  heldBlocks(): BlockList {
    return new BlockList(this.#messages.blocks);
  }

  /** Adds a message whose blocks are rows of a list made by `heldBlocks`, and returns its index. */
  messageOfRows(message: MessageFacts, held: BlockList, rows: BlockRange): number {
    return this.#messages.pushRows(message, held, rows.firstBlock, rows.endBlock);
  }

  /** Adds such rows to the message that was added last. */
  extendByRows(held: BlockList, rows: BlockRange): void {
    assert(this.#messages.length > 0, "a message to extend");
    this.#messages.extendLastByRows(held, rows.firstBlock, rows.endBlock);
  }

  /** Adds blocks to the message that was added last, from a later record of the same response. */
  extendMessage(blocks: readonly Block[]): void {
    assert(this.#messages.length > 0, "a message to extend");
    this.#messages.extendLast(blocks);
  }

  /** Gives the first block of a message an estimated size, since neither its text nor its length is in the file. */
  estimate(message: number, bytes: Bytes): void {
    assert(message < this.#messages.length, "a message of an estimated size");
    this.#messages.estimate(message, bytes);
  }

  /** Adds a request point whose response starts at a message that was added before or will be added next. */
  request(point: RequestPoint): void {
    const last = this.#requests.at(-1);
    assert(last === undefined || point.message >= last.message, "request points in message order");
    this.#requests.push(this.figures(point.line).point(point));
  }

  /** Changes facts of the last request point, from a later line of the same response. */
  amendRequest(change: Partial<RequestPoint>): void {
    const last = this.#requests.pop();
    assert(last !== undefined, "a request point to amend");
    this.#requests.push(this.figures(change.line ?? last.line).point({ ...last, ...change }));
  }

  /** Adds a recorded boundary. */
  boundary(boundary: Boundary): void {
    assert(boundary.message <= this.#messages.length, "a boundary at a known message");
    this.#boundaries.push(this.figures(boundary.line).boundary(boundary));
  }

  /** Sets the trigger of the last boundary as the records after it tell it. */
  tellTrigger(toldTrigger: CompactionTrigger): void {
    const last = this.#boundaries.pop();
    assert(last !== undefined, "a boundary to tell of");
    this.#boundaries.push({ ...last, toldTrigger });
  }

  /** Sets how many subagents have their own records in this file. */
  sidechains(count: number): void {
    this.#sidechains = count;
  }

  /** Adds a request of a subagent whose records are in this file. */
  sidechainRequest(request: SidechainRequest): void {
    const { message: _, ...possible } = this.figures(request.line).point({ message: 0, ...request });
    this.#sidechainRequests.push(possible);
  }

  /** Adds a session that this one came from; repeating it has no effect. */
  parent(session: string, kind: ParentKind): void {
    const key = `${kind}\0${session}`;
    if (session !== "" && this.#parents.size < MAX_LINKS && !this.#parents.has(key))
      this.#parents.set(key, { session, kind });
  }

  /** Adds a subagent that this session started; if its call becomes known only later, that is added. */
  subagent(agentId: string, callId?: string): void {
    const known = this.#subagents.get(agentId);
    if (known?.callId !== undefined || (known === undefined && this.#subagents.size >= MAX_LINKS)) return;
    this.#subagents.set(agentId, callId === undefined ? { agentId } : { agentId, callId });
  }

  /** Marks the file as a subagent's own. */
  ownAgent(agentId: string): void {
    this.#agentId = agentId;
  }

  /** Returns the finished transcript. It first pairs calls with results: orphans and unanswered calls become problems. */
  finish(format: string, agent: string | null): Transcript {
    const list = this.#messages;
    pairCalls(list, (code, line, detail) => this.problem(code, line, detail));
    for (const point of this.#requests) {
      assert(point.message <= list.length, "a request point at a known message");
    }
    // Fields that may be absent come last, so that the engine knows the shape of the others: that makes this ten times as fast.
    const transcript: Omit<Transcript, "messages"> = {
      format,
      agent,
      models: [...this.#models],
      records: { total: this.#records, byType: this.#byType, unknown: this.#unknown },
      damaged: this.#damaged,
      problems: [...this.#problems.values()],
      overhead: this.#overhead,
      list,
      requests: this.#requests,
      boundaries: this.#boundaries,
      sidechains: this.#sidechains,
      sidechainRequests: this.#sidechainRequests,
      links: {
        parents: [...this.#parents.values()],
        subagents: [...this.#subagents.values()],
        ...(this.#agentId === undefined ? {} : { agentId: this.#agentId }),
      },
      ...this.#facts,
      ...(Number.isNaN(this.#startedAt) ? {} : { startedAt: this.#startedAt, endedAt: this.#endedAt }),
    };
    // `messages` is the only field that `Omit` left out
    return Object.defineProperty(transcript, "messages", LAZY_MESSAGES) as Transcript;
  }
}

/**
 * `Transcript.messages`, derived from `list`. All transcripts share this getter: a getter per transcript would give each its own hidden class, which
 * the engine keeps, with everything that the getter refers to, until its next full collection.
 */
const LAZY_MESSAGES: PropertyDescriptor & ThisType<{ readonly list: MessageList }> = {
  enumerable: true,
  get() {
    return this.list.toArray();
  },
};

const FACTS = [
  "agentVersion",
  "formatVersion",
  "sessionId",
  "title",
  "project",
  "branch",
  "recordedWindow",
] as const satisfies (keyof SessionFacts)[];

/** What is known of the session: a fact that is not known has no key. */
type KnownFacts = { -readonly [Key in keyof SessionFacts]?: NonNullable<SessionFacts[Key]> };

function setFact<Key extends keyof SessionFacts>(
  known: KnownFacts,
  key: Key,
  value: KnownFacts[Key] | undefined,
): void {
  if (value !== undefined) known[key] = value;
}
