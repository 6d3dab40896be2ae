import { assert } from "../base/assert";
import type { Bytes, Chars, LineNumber, Milliseconds } from "../base/units";
import type { Damage, ProblemCode } from "../records/problem";
import { BlockList } from "./block-list";
import { type BuilderState, copyOfState, emptyState } from "./builder-state";
import { withBoundaries } from "./compaction-calls";
import { block, type DraftBlock } from "./draft";
import type { MessageFacts, MessageList } from "./message-list";
import type {
  Block,
  BlockSource,
  Boundary,
  CompactionTrigger,
  ExtraRequest,
  Message,
  OverheadEntry,
  ParentKind,
  RequestPoint,
  TextMeasure,
  Transcript,
} from "./model";
import { pairCalls } from "./pairing";
import { isTime, isTokens, RecordNumbers } from "./record-numbers";
import { addFacts, type SessionFacts } from "./session-facts";
import { isMaskedText } from "./title";

/** Text measurement, supplied by the host. */
interface BuilderOptions {
  /** Texts up to this length are kept in the transcript; longer ones are stored by reference. */
  readonly keepChars: Chars;
  /** UTF-8 length of a text; a lone surrogate counts as three bytes. */
  readonly byteLength: (text: string) => Bytes;
}

/** Rows of a block list, from `firstBlock` up to, but not including, `endBlock`. */
export interface BlockRange {
  readonly firstBlock: number;
  readonly endBlock: number;
}

type PointFacts = Omit<RequestPoint, "message"> & { readonly message?: number };
type BoundaryDefaults = "trigger" | "message" | "kept" | "clearedCalls";
type BoundaryFacts = Omit<Boundary, BoundaryDefaults> & { readonly [Key in BoundaryDefaults]?: Boundary[Key] };

/** Maximum number of distinct problems; further ones are dropped. */
const MAX_PROBLEMS = 1000;
/** Maximum number of parent sessions, and of subagents. */
const MAX_LINKS = 1000;

/**
 * The only way to create a `Transcript`. It guarantees that indices are valid, that request points and boundaries are in order, and that every
 * problem is counted once per code and detail.
 */
export class TranscriptBuilder {
  readonly #options: BuilderOptions;
  #state = emptyState();

  constructor(options: BuilderOptions) {
    this.#options = options;
  }

  /** Returns the current state, for `restore`. Copies the lists, but not their entries. */
  checkpoint(): BuilderState {
    return copyOfState(this.#state);
  }

  /** Returns to a checkpoint, which must not be used again. Transcripts that were finished in between do not change. */
  restore(state: BuilderState): void {
    this.#state = state;
  }

  /** Index of the next message. */
  get messageCount(): number {
    return this.#state.messages.length;
  }

  /** Index of the next request point. */
  get requestCount(): number {
    return this.#state.requests.length;
  }

  /** Index of the next boundary. */
  get boundaryCount(): number {
    return this.#state.boundaries.length;
  }

  /** Measures a text, and keeps it if it is short enough. */
  text(value: string): TextMeasure {
    const sizes = { chars: value.length, bytes: this.#options.byteLength(value) };
    return value.length <= this.#options.keepChars ? { ...sizes, value } : sizes;
  }

  /** Measures a payload that is never kept, such as an image's base64. */
  payload(value: string): TextMeasure {
    return { chars: value.length, bytes: this.#options.byteLength(value) };
  }

  /** Makes a block from a draft by measuring its text. */
  block(draft: DraftBlock, source: BlockSource): Block {
    if (draft.odd !== undefined) this.problem("unexpected-field", source.line, draft.odd);
    const measure = draft.payload === true ? this.payload(draft.text) : this.text(draft.text);
    const estimated = draft.kind !== "thinking" && isMaskedText(draft.text);
    return block(draft.kind, measure, source, estimated ? { ...draft, estimated } : draft);
  }

  /** Makes blocks from drafts. Their texts are those of the record from part `firstPart` on. */
  blocks(
    drafts: readonly DraftBlock[],
    { line, offset, length }: Omit<BlockSource, "part">,
    firstPart = 0,
  ): readonly Block[] {
    return drafts.map((draft, index) => this.block(draft, { line, offset, length, part: firstPart + index }));
  }

  /** Counts a record under its `type` or `type/subtype`. Called once for every record of the file. */
  countRecord(type: string): void {
    this.#state.records += 1;
    this.#state.byType.set(type, (this.#state.byType.get(type) ?? 0) + 1);
  }

  /** Counts a record of a type that the reader does not know, and reports it as a problem. */
  unknownRecord(type: string, line: LineNumber): void {
    this.#state.unknown.set(type, (this.#state.unknown.get(type) ?? 0) + 1);
    this.problem("unknown-record", line, type);
  }

  /** Reports a line that could not be read completely. */
  damagedLine(damage: Damage): void {
    this.#state.damaged.push(damage);
    this.problem("damaged-line", damage.line, damage.reason);
  }

  /** Reports an oddity that occurred `times` times. Problems with the same code and detail are counted together, under the first line. */
  problem(code: ProblemCode, line?: LineNumber, detail?: string, times = 1): void {
    const key = `${code}\0${detail ?? ""}`;
    const known = this.#state.problems.get(key);
    if (known !== undefined) this.#state.problems.set(key, { ...known, count: known.count + times });
    else if (this.#state.problems.size < MAX_PROBLEMS) {
      this.#state.problems.set(key, {
        code,
        count: times,
        ...(line === undefined ? {} : { line }),
        ...(detail === undefined ? {} : { detail: detail.slice(0, 200) }),
      });
    }
  }

  /** Sets facts about the session. `undefined` does not change a fact; nor does an impossible window. */
  facts({ recordedWindow, ...facts }: SessionFacts): void {
    const window = isTokens(recordedWindow) && recordedWindow > 0 ? recordedWindow : undefined;
    addFacts(this.#state.facts, { ...facts, recordedWindow: window });
  }

  /** Returns a reader for the numbers of a line's record. An impossible number is a problem of that line and counts as absent. */
  numbers(line: LineNumber): RecordNumbers {
    return new RecordNumbers((code, field) => this.problem(code, line, field));
  }

  /**
   * Records the time of a record; the session lasts from the earliest of these to the latest. Returns the time. Returns `undefined` for an absent
   * time or an impossible one, which is a problem of that line.
   */
  time(at: Milliseconds | undefined, line: LineNumber): Milliseconds | undefined {
    if (at === undefined || !isTime(at)) return this.numbers(line).time(at, "time");
    if (!(at >= this.#state.startedAt)) this.#state.startedAt = at;
    if (!(at <= this.#state.endedAt)) this.#state.endedAt = at;
    return at;
  }

  /** Records the model of a main-chain response, as written. */
  model(name: string): void {
    this.#state.models.add(name);
  }

  /** Adds overhead that the file records. */
  overhead(entry: OverheadEntry): void {
    this.#state.overhead.push(entry);
  }

  /** Adds a recorded system prompt, or a part of one. */
  systemPrompt(text: string, source: BlockSource, name = "system prompt"): void {
    this.overhead({ category: "systemPrompt", name, text: this.text(text), source });
  }

  /** Adds a message and returns its index. Its blocks are copied. */
  message(message: Message): number {
    return this.#state.messages.push(message);
  }

  /** Creates a list for blocks whose messages are not decided yet; `messageOfRows` and `extendByRows` take blocks from it. */
  heldBlocks(): BlockList {
    return new BlockList(this.#state.messages.blocks);
  }

  /** Adds a message whose blocks are rows of a list made by `heldBlocks`, and returns its index. */
  messageOfRows(message: MessageFacts, held: BlockList, rows: BlockRange): number {
    return this.#state.messages.pushRows(message, held, rows.firstBlock, rows.endBlock);
  }

  /** Adds rows of such a list to the last message. */
  extendByRows(held: BlockList, rows: BlockRange): void {
    assert(this.#state.messages.length > 0, "a message to extend");
    this.#state.messages.extendLastByRows(held, rows.firstBlock, rows.endBlock);
  }

  /** Adds blocks to the last message, from a later record of the same response. */
  extendMessage(blocks: readonly Block[]): void {
    assert(this.#state.messages.length > 0, "a message to extend");
    this.#state.messages.extendLast(blocks);
  }

  /** Sets an estimated size for the first block of a message, since neither its text nor its length is in the file. */
  estimate(message: number, bytes: Bytes): void {
    assert(message < this.#state.messages.length, "a message of an estimated size");
    this.#state.messages.estimate(message, bytes);
  }

  /** Adds a request point. Its response starts at an earlier message, or at the next one by default. */
  request({ message = this.messageCount, ...facts }: PointFacts): void {
    const last = this.#state.requests.at(-1);
    assert(last === undefined || message >= last.message, "request points in message order");
    this.#state.requests.push(this.numbers(facts.line).point({ message, ...facts }));
  }

  /** Changes facts of the last request point, from a later line of the same response. */
  amendRequest(change: Partial<RequestPoint>): void {
    const last = this.#state.requests.pop();
    assert(last !== undefined, "a request point to amend");
    this.#state.requests.push(this.numbers(change.line ?? last.line).point({ ...last, ...change }));
  }

  /** Removes and returns the last request point, after a later record showed that it was not a request. No message may belong to it. */
  takeBackRequest(): RequestPoint {
    const last = this.#state.requests.pop();
    assert(last?.message === this.#state.messages.length, "a request point without messages to take back");
    return last;
  }

  /** Adds a recorded boundary: before the next message, of an unknown trigger, and with nothing kept or cleared by default. */
  boundary(facts: BoundaryFacts): void {
    const rest = { trigger: "unknown", message: this.messageCount, kept: [], clearedCalls: [] } as const;
    const boundary = { ...rest, ...facts };
    assert(boundary.message <= this.#state.messages.length, "a boundary at a known message");
    this.#state.boundaries.push(this.numbers(boundary.line).boundary(boundary));
  }

  /** Reports `records` records of a further session in the file, which has a context of its own: it holds nothing of the previous one. */
  furtherSession(line: LineNumber, session?: string, records = 1): void {
    this.problem("several-sessions", line, session, records);
    this.boundary({ kind: "rollback", line });
  }

  /** Sets the trigger of the last boundary, inferred from later records. */
  setInferredTrigger(inferredTrigger: CompactionTrigger): void {
    const last = this.#state.boundaries.pop();
    assert(last !== undefined, "a boundary to set the trigger of");
    this.#state.boundaries.push({ ...last, inferredTrigger });
  }

  /** Sets the number of subagents with their own records in this file. */
  sidechains(count: number): void {
    this.#state.sidechains = count;
  }

  /** Adds a request outside of the main chain's context. */
  extraRequest({ kind, point, boundary, furtherPass, ...request }: ExtraRequest): void {
    const { message: _, ...possible } = this.numbers(request.line).point({ message: 0, ...request });
    this.#state.extraRequests.push({
      ...possible,
      kind,
      ...(point === undefined ? {} : { point }),
      ...(boundary === undefined ? {} : { boundary }),
      ...(furtherPass === true ? { furtherPass } : {}),
    });
  }

  /** Adds a session that this one came from; repeating it has no effect. */
  parent(session: string, kind: ParentKind): void {
    const key = `${kind}\0${session}`;
    if (session !== "" && this.#state.parents.size < MAX_LINKS && !this.#state.parents.has(key))
      this.#state.parents.set(key, { session, kind });
  }

  /** Adds a subagent that this session started. A call id that becomes known later is added. */
  subagent(agentId: string, callId?: string): void {
    const known = this.#state.subagents.get(agentId);
    if (known?.callId !== undefined || (known === undefined && this.#state.subagents.size >= MAX_LINKS)) return;
    this.#state.subagents.set(agentId, callId === undefined ? { agentId } : { agentId, callId });
  }

  /** Records that a subagent's own records are in this file, apart from the session's. */
  subagentInFile(agentId: string): void {
    if (this.#state.inFile.size < MAX_LINKS) this.#state.inFile.add(agentId);
  }

  /** Marks the file as a subagent's own. */
  ownAgent(agentId: string): void {
    this.#state.agentId = agentId;
  }

  /** Returns the finished transcript. First pairs calls with results: orphans and unanswered calls become problems. */
  finish(format: string, agent: string | null): Transcript {
    const state = this.#state;
    pairCalls(state.messages, (code, line, detail) => this.problem(code, line, detail));
    for (const point of state.requests) {
      assert(point.message <= state.messages.length, "a request point at a known message");
    }
    const extraRequests = withBoundaries(state.extraRequests, state.boundaries);
    for (const { point = -1, boundary = -1 } of extraRequests) {
      assert(
        point < state.requests.length && boundary < state.boundaries.length,
        "an extra request with a known point and boundary",
      );
    }
    // Optional fields come last, so that the engine knows the shape of the others: that makes this ten times as fast.
    const transcript: Omit<Transcript, "messages"> = {
      format,
      agent,
      models: [...state.models],
      records: { total: state.records, byType: state.byType, unknown: state.unknown },
      damaged: state.damaged,
      problems: [...state.problems.values()],
      overhead: state.overhead,
      list: state.messages,
      requests: state.requests,
      boundaries: state.boundaries,
      sidechains: state.sidechains,
      extraRequests,
      links: {
        parents: [...state.parents.values()],
        subagents: [...state.subagents.values()].map((started) =>
          state.inFile.has(started.agentId) ? { ...started, isInFile: true } : started,
        ),
        ...(state.agentId === undefined ? {} : { agentId: state.agentId }),
      },
      ...state.facts,
      ...(Number.isNaN(state.startedAt) ? {} : { startedAt: state.startedAt, endedAt: state.endedAt }),
    };
    // `messages` is the only field that `Omit` removes.
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
