import type { OpenClawPreset } from "@/lib/agents/openclaw/base/presets";
import { messageOfEntry, type SessionEntry } from "@/lib/agents/openclaw/messages/entry";
import { messageTokens } from "@/lib/agents/openclaw/messages/estimate";
import { type AgentMessage, isMissingResult, missingResult } from "@/lib/agents/openclaw/messages/message";
import { repairedMessages } from "@/lib/agents/openclaw/messages/repair";
import { isObject } from "@/lib/agents/openclaw/messages/value";
import { sumOf } from "@/lib/core/base/numbers";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { type LoadedRecording, openCalls } from "@/verify/support/loaded-recording";
import { callOf, type PlacedStep, withoutTaken } from "@/verify/support/placed-entries";
import { contextOf } from "./entry";
import type { Placed } from "./placed-session";
import { limitTurns } from "./turns";

/** The entries that OpenClaw holds at a moment. */
interface State {
  readonly entries: readonly Placed[];
  readonly size: Tokens;
}

/**
 * The entries that OpenClaw holds. A compaction, a limit of turns, replaced results or a rollback change them. Appended entries are added to the
 * context; after any other change, the context is rebuilt.
 */
export class HeldSession {
  #state: State;
  readonly #sizes = new WeakMap<SessionEntry, Tokens>();
  /** Ids of all results of the recording. The numbers have no stand-in that is replaced once a late result comes. */
  readonly #answered: ReadonlySet<unknown>;
  /** Unanswered calls of another agent's recording. */
  readonly #open: ReadonlySet<ItemIndex>;

  constructor(
    private readonly recording: LoadedRecording,
    private readonly preset: OpenClawPreset,
  ) {
    this.#open = recording.format === "openclaw" ? new Set() : openCalls(recording);
    this.#answered = answeredIds(recording);
    this.#state = { entries: [], size: recording.overhead };
  }

  /** The current state, for `restore`. */
  get state(): State {
    return this.#state;
  }

  /** Tokens of everything that is sent, including the overhead. */
  get size(): Tokens {
    return this.#state.size;
  }

  get length(): number {
    return this.#state.entries.length;
  }

  restore(state: State): void {
    this.#state = state;
  }

  append(added: readonly Placed[]): void {
    this.#set([...this.#state.entries, ...added]);
  }

  /** Entries from an index on. */
  from(index: number): readonly Placed[] {
    return this.#state.entries.slice(index);
  }

  /** Index after the last response, its results, or the entries that OpenClaw added itself. */
  runEnd(): number {
    const { entries } = this.#state;
    return entries.findLastIndex(({ entry, origin }) => origin === "response" || origin === "tool" || isOwn(entry)) + 1;
  }

  /** The messages from an index on. */
  messagesFrom(index: number): readonly AgentMessage[] {
    const messages = this.from(index).map(({ entry }) => messageOfEntry(entry, this.preset));
    return messages.filter((message) => message !== undefined);
  }

  /** The entries before an index, with the simulated usage at the last response and none elsewhere: recorded usage belongs to another run. */
  pathTo(end: number, used: Tokens): readonly SessionEntry[] {
    const path = this.#state.entries.slice(0, end);
    const last = path.findLastIndex(({ entry }) => isObject(entry.message) && entry.message.role === "assistant");
    return path.map(({ entry }, index) => {
      if (!isObject(entry.message)) return entry;
      const { usage: _usage, stopReason: _stopReason, api: _api, ...message } = entry.message;
      return { ...entry, message: index === last ? { ...message, usage: { totalTokens: used } } : message };
    });
  }

  /** Entries of the context, with their messages. */
  #context() {
    return contextOf(
      this.#state.entries.map(({ entry }) => entry),
      this.preset,
    );
  }

  /** Entries that are sent, with their messages: without results that the repair drops. */
  context() {
    const context = this.#context();
    const messages = context.map(({ message }) => message);
    const sent = new Set(this.#repaired(messages));
    // The repair may name a result's tool; its content is unchanged.
    const contents = new Set([...sent].map(({ content }) => content));
    const isSent = (message: AgentMessage) =>
      message.role !== "toolResult" || sent.has(message) || contents.has(message.content);
    return context.filter(({ message }) => isSent(message));
  }

  /** The messages as the release repairs them before they are sent. */
  #repaired(messages: readonly AgentMessage[]): readonly AgentMessage[] {
    if (this.recording.format !== "openclaw") return messages;
    return repairedMessages(messages, this.preset);
  }

  /** Entries that are sent. */
  shown(): readonly Placed[] {
    const shown = new Set(this.context().map(({ entry }) => entry.id));
    return this.#state.entries.filter(({ entry }) => shown.has(entry.id));
  }

  /** Rows of the sent entries, ascending. */
  rows(): readonly ItemIndex[] {
    const rows = new Map(this.#state.entries.map((one) => [one.entry.id, one.rows]));
    const kept = this.#context().flatMap(({ entry }) => rows.get(entry.id) ?? []);
    return kept.toSorted((a, b) => a - b);
  }

  sizeOf(entries: readonly Placed[]): Tokens {
    return sumOf(entries.map(({ entry }) => this.#entryTokens(entry)));
  }

  /** Adds an entry of OpenClaw's own at the end. */
  appendOwn(entry: SessionEntry): void {
    this.#set([...this.#state.entries, { entry, origin: undefined, rows: [] }]);
  }

  /** Inserts a compaction before an index; results of calls that it hides are hidden too. */
  compact(entry: SessionEntry, end: number): void {
    const { entries } = this.#state;
    const rowsBefore = new Set(this.rows());
    const next = [...entries.slice(0, end), { entry, origin: undefined, rows: [] }, ...entries.slice(end)];
    this.#set(next);
    this.#dropOrphans(rowsBefore);
  }

  /** Limits the history before the new prompt; everything before the newest turns is dropped permanently. Returns true if anything was dropped. */
  limitTurns(turns: number): boolean {
    const context = this.#context();
    const fresh = new Set(this.from(this.runEnd()).map(({ entry }) => entry.id));
    const history = context.filter(({ entry }) => !fresh.has(entry.id));
    const messages = history.map(({ message }) => message);
    const remaining = new Set(limitTurns(messages, turns));
    if (remaining.size === messages.length) return false;
    const rowsBefore = new Set(this.rows());
    const dropped = new Set(history.filter(({ message }) => !remaining.has(message)).map(({ entry }) => entry.id));
    // Content that an earlier compaction dropped stays dropped when its boundary is dropped.
    const shown = new Set(context.map(({ entry }) => entry.id));
    this.#set(this.#state.entries.filter(({ entry }) => shown.has(entry.id) && !dropped.has(entry.id)));
    this.#dropOrphans(rowsBefore);
    return true;
  }

  /** Replaces entries with others that have the same ids. */
  replace(placed: readonly Placed[]): void {
    const byId = new Map(placed.map((one) => [one.entry.id, one]));
    this.#set(this.#state.entries.map((one) => byId.get(one.entry.id) ?? one));
  }

  /** Removes turns that a rollback removed; their entries that a compaction hides keep their places but add nothing to the context. */
  takeBack(step: PlacedStep<SessionEntry>): void {
    this.#set(withoutTaken(this.#state.entries, step, blank));
  }

  /** Applies the engine's own rule: a result is dropped with its call. OpenClaw drops it when it next loads the session. */
  #dropOrphans(rowsBefore: ReadonlySet<ItemIndex>): void {
    const remaining = new Set(this.rows());
    const isOrphan = (row: ItemIndex) => {
      const call = callOf(this.recording, row);
      return remaining.has(row) && call !== undefined && rowsBefore.has(call) && !remaining.has(call);
    };
    this.#set(this.#state.entries.map((one) => (one.rows.some(isOrphan) ? blank(one) : one)));
  }

  #set(entries: readonly Placed[]): void {
    this.#state = { ...this.#state, entries };
    const context = this.#context();
    const sizes = new Map(context.map(({ entry, message }) => [message, this.#entryTokens(entry)]));
    const sent = this.#repaired(context.map(({ message }) => message));
    const rows = new Map(entries.map((one) => [one.entry.id, one.rows]));
    const open = context.flatMap(({ entry }) => (rows.get(entry.id) ?? []).filter((row) => this.#open.has(row)));
    const standIns = open.length * messageTokens(missingResult({ id: "", name: undefined }), this.preset);
    const tokens = sumOf(sent.map((message) => sizes.get(message) ?? this.#madeTokens(message)));
    this.#state = { entries, size: this.recording.overhead + tokens + standIns };
  }

  /** Tokens of a message that the repair made: a stand-in, or a result under another name. */
  #madeTokens(message: AgentMessage): Tokens {
    const isLate = isMissingResult(message) && this.#answered.has(message.toolCallId);
    if (isLate && this.preset === "current") return 0;
    return messageTokens(message, this.preset);
  }

  #entryTokens(entry: SessionEntry): Tokens {
    const message = messageOfEntry(entry, this.preset);
    const size = this.#sizes.get(entry) ?? (message === undefined ? 0 : messageTokens(message, this.preset));
    this.#sizes.set(entry, size);
    return size;
  }
}

function answeredIds({ transcript }: LoadedRecording): ReadonlySet<unknown> {
  return new Set(
    transcript.messages.flatMap(({ blocks }) =>
      blocks.flatMap(({ kind, callId }) => (kind === "tool_result" && callId !== undefined ? [callId] : [])),
    ),
  );
}

/** True if OpenClaw itself added the entry. */
function isOwn(entry: SessionEntry): boolean {
  return entry.type === "compaction" || (typeof entry.id === "string" && entry.id.startsWith("f"));
}

/** A placeholder for a dropped entry, which adds nothing to the context. */
function blank({ entry }: Placed): Placed {
  return { entry: { type: "custom", id: entry.id }, origin: undefined, rows: [] };
}
