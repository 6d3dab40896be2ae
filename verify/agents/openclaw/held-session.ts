import type { OpenClawPreset } from "@/lib/agents/openclaw/base/presets";
import { contextOf, messageOfEntry, type SessionEntry } from "@/lib/agents/openclaw/messages/entry";
import { messageTokens } from "@/lib/agents/openclaw/messages/estimate";
import type { AgentMessage } from "@/lib/agents/openclaw/messages/message";
import { isObject } from "@/lib/agents/openclaw/messages/value";
import { sumOf } from "@/lib/core/base/numbers";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import type { LoadedRecording } from "@/verify/support/loaded-recording";
import { callOf, withoutTaken } from "@/verify/support/placed-entries";
import type { Placed } from "./placed-session";
import { limitTurns } from "./turns";

/** The entries that OpenClaw holds at a moment. */
interface State {
  readonly entries: readonly Placed[];
  readonly size: Tokens;
}

/**
 * The entries that OpenClaw holds, and how a compaction, fewer turns, other results or a turn that is taken back changes them. Entries are
 * appended; when they change in any other way, the context is rebuilt from them.
 */
export class HeldSession {
  #state: State;
  readonly #sizes = new WeakMap<SessionEntry, Tokens>();

  constructor(
    private readonly recording: LoadedRecording,
    private readonly preset: OpenClawPreset,
  ) {
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
    const { entries, size } = this.#state;
    this.#state = { entries: [...entries, ...added], size: size + this.sizeOf(added) };
  }

  /** Entries from an index on. */
  from(index: number): readonly Placed[] {
    return this.#state.entries.slice(index);
  }

  /** Index after the last response, its results, or what OpenClaw added itself. */
  runEnd(): number {
    const { entries } = this.#state;
    return entries.findLastIndex(({ entry, origin }) => origin === "response" || origin === "tool" || isOwn(entry)) + 1;
  }

  /** The messages from an index on. */
  messagesFrom(index: number): readonly AgentMessage[] {
    const messages = this.from(index).map(({ entry }) => messageOfEntry(entry, this.preset));
    return messages.filter((message) => message !== undefined);
  }

  /** The entries before an index, with the simulated usage at the last response and none elsewhere: recorded figures belong to another run. */
  pathTo(end: number, used: Tokens): readonly SessionEntry[] {
    const path = this.#state.entries.slice(0, end);
    const last = path.findLastIndex(({ entry }) => isObject(entry.message) && entry.message.role === "assistant");
    return path.map(({ entry }, index) => {
      if (!isObject(entry.message)) return entry;
      const { usage: _usage, stopReason: _stopReason, api: _api, ...message } = entry.message;
      return { ...entry, message: index === last ? { ...message, usage: { totalTokens: used } } : message };
    });
  }

  /** Entries that are sent, with their messages. */
  context() {
    return contextOf(
      this.#state.entries.map(({ entry }) => entry),
      this.preset,
    );
  }

  /** Entries that are sent. */
  shown(): readonly Placed[] {
    const shown = new Set(this.context().map(({ entry }) => entry.id));
    return this.#state.entries.filter(({ entry }) => shown.has(entry.id));
  }

  /** Rows of what is sent, ascending. */
  rows(): readonly ItemIndex[] {
    const rows = new Map(this.#state.entries.map((one) => [one.entry.id, one.rows]));
    const kept = this.context().flatMap(({ entry }) => rows.get(entry.id) ?? []);
    return kept.toSorted((a, b) => a - b);
  }

  sizeOf(entries: readonly Placed[]): Tokens {
    return sumOf(entries.map(({ entry }) => this.#entryTokens(entry)));
  }

  /** Adds an entry of OpenClaw's own at the end. */
  say(entry: SessionEntry): void {
    this.#set([...this.#state.entries, { entry, origin: undefined, rows: [] }]);
  }

  /** Inserts a compaction before an index; what it hides takes the results of its calls along. */
  compact(entry: SessionEntry, end: number): void {
    const { entries } = this.#state;
    const stood = new Set(this.rows());
    const next = [...entries.slice(0, end), { entry, origin: undefined, rows: [] }, ...entries.slice(end)];
    this.#set(next);
    this.#dropOrphans(stood);
  }

  /** Limits the history before the new prompt; everything before the newest turns is gone for good. Returns whether anything left. */
  limitTurns(turns: number): boolean {
    const context = this.context();
    const fresh = new Set(this.from(this.runEnd()).map(({ entry }) => entry.id));
    const history = context.filter(({ entry }) => !fresh.has(entry.id));
    const messages = history.map(({ message }) => message);
    const left = new Set(limitTurns(messages, turns));
    if (left.size === messages.length) return false;
    const stood = new Set(this.rows());
    const gone = new Set(history.filter(({ message }) => !left.has(message)).map(({ entry }) => entry.id));
    // What an earlier compaction had dropped does not come back when its boundary leaves.
    const shown = new Set(context.map(({ entry }) => entry.id));
    this.#set(this.#state.entries.filter(({ entry }) => shown.has(entry.id) && !gone.has(entry.id)));
    this.#dropOrphans(stood);
    return true;
  }

  /** Replaces entries with others that have the same ids. */
  replace(placed: readonly Placed[]): void {
    const byId = new Map(placed.map((one) => [one.entry.id, one]));
    this.#set(this.#state.entries.map((one) => byId.get(one.entry.id) ?? one));
  }

  /** Takes turns out; entries that a compaction hides stay in their places but give nothing. */
  takeBack(taken: ReadonlySet<ItemIndex>): void {
    this.#set(withoutTaken(this.#state.entries, taken, emptied));
  }

  /** Applies the engine's own rule: a result leaves with the call that this change dropped. OpenClaw drops it when it next loads the session. */
  #dropOrphans(stood: ReadonlySet<ItemIndex>): void {
    const left = new Set(this.rows());
    const isOrphan = (row: ItemIndex) => {
      const call = callOf(this.recording, row);
      return left.has(row) && call !== undefined && stood.has(call) && !left.has(call);
    };
    this.#set(this.#state.entries.map((one) => (one.rows.some(isOrphan) ? emptied(one) : one)));
  }

  #set(entries: readonly Placed[]): void {
    this.#state = { ...this.#state, entries };
    const size = this.recording.overhead + sumOf(this.context().map(({ entry }) => this.#entryTokens(entry)));
    this.#state = { entries, size };
  }

  #entryTokens(entry: SessionEntry): Tokens {
    const message = messageOfEntry(entry, this.preset);
    const size = this.#sizes.get(entry) ?? (message === undefined ? 0 : messageTokens(message, this.preset));
    this.#sizes.set(entry, size);
    return size;
  }
}

/** Whether OpenClaw itself added the entry. */
function isOwn(entry: SessionEntry): boolean {
  return entry.type === "compaction" || (typeof entry.id === "string" && entry.id.startsWith("f"));
}

/** An entry in its place that no longer gives anything. */
function emptied({ entry }: Placed): Placed {
  return { entry: { type: "custom", id: entry.id }, origin: undefined, rows: [] };
}
