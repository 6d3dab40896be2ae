import { NO_RESULT } from "@/lib/agents/pi/base/constants";
import type { PiPreset } from "@/lib/agents/pi/base/presets";
import { messageTokens } from "@/lib/agents/pi/estimator";
import { contextMessages, type PiEntry } from "@/lib/agents/pi/messages/entry";
import { isFailed, type PiMessage } from "@/lib/agents/pi/messages/message";
import { charsOverFour } from "@/lib/core/base/characters";
import { sumOf } from "@/lib/core/base/numbers";
import type { ItemIndex, RequestIndex, Tokens } from "@/lib/core/base/units";
import type { ExactChange } from "@/verify/support/compared-changes";
import { type LoadedRecording, openCalls } from "@/verify/support/loaded-recording";
import { callOf, type Placed as PlacedEntry, type PlacedStep, withoutTaken } from "@/verify/support/placed-entries";
import { compactionEntry, type Preparation, prepareCompaction } from "./compaction";
import { sessionContext } from "./projection";
import { shouldCompact } from "./usage";

type Placed = PlacedEntry<PiEntry>;

/** The limits of pi's compaction and its kept part. */
export interface Limits {
  readonly window: Tokens;
  readonly reserveTokens: Tokens;
  readonly keepRecentTokens: Tokens;
}

/** Runs pi's own rules step by step: it appends entries, and rebuilds the context from them when they change in any other way. */
export class ExactRun {
  readonly context: Tokens[] = [];
  readonly changes: ExactChange[] = [];
  #session: readonly Placed[] = [];
  #size: Tokens;
  readonly #sizes = new WeakMap<PiEntry, Tokens>();
  /** Unanswered calls. */
  readonly #open: ReadonlySet<ItemIndex>;

  /**
   * @param fails true if the summary call of a compaction, counted from 0, fails
   * @param answer the text of the summary that the call gives
   */
  constructor(
    private readonly recording: LoadedRecording,
    steps: readonly PlacedStep<PiEntry>[],
    private readonly limits: Limits,
    private readonly preset: PiPreset,
    private readonly fails: (compaction: number) => boolean,
    private readonly answer: (prepared: Preparation) => string,
  ) {
    this.#size = recording.overhead;
    this.#open = openCalls(recording);
    for (const step of steps) this.#request(step);
  }

  #request(step: PlacedStep<PiEntry>): void {
    const { request, response, added, turnStart } = step;
    const used =
      (this.context.at(-1) ?? 0) + this.#sizeOf(response) - sumOf(response.map((one) => this.#standIns(one)));
    this.#append([...response, ...added]);
    if (step.takenBack.size > 0 || step.emptied) this.#takeBack(step);
    const within = this.preset === "current" ? used + this.#sizeOf(added) : Number.NEGATIVE_INFINITY;
    const compared = turnStart ? used : within;
    if (request > 0 && shouldCompact(compared, this.limits.window, { enabled: true, ...this.limits })) {
      this.#compact(request, "threshold", turnStart ? this.#runEnd() : this.#session.length);
    } else if (this.#size > this.limits.window) this.#compact(request, "overflow", this.#session.length);
    this.context.push(this.#size);
  }

  #append(entries: readonly Placed[]): void {
    this.#session = [...this.#session, ...entries];
    const edits = entries.some(({ entry }) => entry.type === "context_edit");
    this.#size = edits ? this.#rebuilt() : this.#size + this.#sizeOf(entries);
  }

  /** Removes messages that a user took back from the path; the part of them that a compaction kept keeps its place but adds nothing. */
  #takeBack(step: PlacedStep<PiEntry>): void {
    this.#session = withoutTaken(this.#session, step, blank);
    this.#size = this.#rebuilt();
  }

  /** Index after the last response, its results, or the last compaction: newer user messages are not in the session yet. */
  #runEnd(): number {
    const ends = ({ entry, origin }: Placed) =>
      origin === "response" || origin === "tool" || entry.type === "compaction";
    return this.#session.findLastIndex(ends) + 1;
  }

  #compact(request: RequestIndex, trigger: string, end: number): void {
    const session = this.#session;
    const path = linear(session.slice(0, end));
    const prepared = prepareCompaction(path, { enabled: true, ...this.limits }, this.preset);
    if (prepared === undefined) return;
    const before = this.#size;
    const fails = this.fails(this.changes.length);
    const summary = fails ? "" : this.answer(prepared);
    if (!fails) {
      const entry = compactionEntry(prepared, summary, { id: `c${request}`, parentId: undefined });
      this.#session = [...session.slice(0, end), { entry, origin: undefined, rows: [] }, ...session.slice(end)];
      this.#withoutOrphans(new Set(this.#rowsOf(session)));
      this.#size = this.#rebuilt();
    }
    const kept = this.#rowsOf(this.#session);
    const outcome = fails ? "failed" : "summary";
    const size = charsOverFour(summary.length);
    this.changes.push({ request, trigger, outcome, before, after: this.#size, summary: size, kept });
  }

  /** Applies the engine's own rule: a result is dropped with its call. pi keeps it. */
  #withoutOrphans(rowsBefore: ReadonlySet<ItemIndex>): void {
    const remaining = new Set(this.#rowsOf(this.#session));
    const isOrphan = (row: ItemIndex) => {
      const call = callOf(this.recording, row);
      return call !== undefined && rowsBefore.has(call) && !remaining.has(call);
    };
    if ([...remaining].some(isOrphan)) this.#session = this.#session.map((one) => withoutRows(one, isOrphan));
  }

  #projected(session: readonly Placed[]) {
    return sessionContext(linear(session), this.preset).entries;
  }

  #rebuilt(): Tokens {
    const placed = new Map(this.#session.map((one) => [one.entry.id, one]));
    return this.#projected(this.#session).reduce((sum, { entry, messages }) => {
      const tokens = sumOf(messages.map((message) => this.#tokensOf(message)));
      const one = messages.length === 0 ? undefined : placed.get(entry.id);
      return sum + tokens + (one === undefined ? 0 : this.#standIns(one));
    }, this.recording.overhead);
  }

  #rowsOf(session: readonly Placed[]): readonly ItemIndex[] {
    const rows = new Map(session.map((one) => [one.entry.id, one.rows]));
    const kept = this.#projected(session).flatMap(({ entry }) => rows.get(entry.id) ?? []);
    return kept.toSorted((a, b) => a - b);
  }

  #sizeOf(entries: readonly Placed[]): Tokens {
    return entries.reduce((sum, one) => sum + this.#sizeOfEntry(one.entry) + this.#standIns(one), 0);
  }

  /** Tokens of the results generated for the calls of a sent response. */
  #standIns({ entry, rows }: Placed): Tokens {
    const isSent = entry.type !== "message" || !isFailed(entry.message);
    return isSent ? rows.filter((row) => this.#open.has(row)).length * charsOverFour(NO_RESULT.length) : 0;
  }

  #sizeOfEntry(entry: PiEntry): Tokens {
    const known = this.#sizes.get(entry);
    if (known !== undefined) return known;
    const size = contextMessages(entry).reduce((sum, message) => sum + this.#tokensOf(message), 0);
    this.#sizes.set(entry, size);
    return size;
  }

  /** The prompt that a recorded file holds counts as overhead; responses that failed are not sent. */
  #tokensOf(message: PiMessage): Tokens {
    return message.role === "system" || isFailed(message) ? 0 : messageTokens(message, this.preset);
  }
}

function blank({ entry }: Placed): Placed {
  return { entry: { type: "other", id: entry.id, parentId: undefined }, origin: undefined, rows: [] };
}

function withoutRows(one: Placed, isDropped: (row: ItemIndex) => boolean): Placed {
  return one.rows.some(isDropped) ? blank(one) : one;
}

/** The entries as a session's file holds them, each with the one before as its parent. */
function linear(session: readonly Placed[]): PiEntry[] {
  return session.map(({ entry }, index) => ({ ...entry, parentId: session[index - 1]?.entry.id }));
}
