import { assertDefined } from "@/lib/core/base/assert";
import { sumOf } from "@/lib/core/base/numbers";
import type { ItemIndex, RequestIndex, Tokens } from "@/lib/core/base/units";
import type { Retention } from "@/lib/core/compaction/policy/policy";
import type { CountingMode } from "@/lib/core/compaction/replay";
import { scaledSizes } from "./item-list";
import type { LoadedRecording } from "./loaded-recording";
import type { RecordedMetrics } from "./recorded-metrics";
import type { Step } from "./steps";

/** The numbers that a policy is given before a request. */
export interface GivenMetrics {
  readonly history: Tokens;
  readonly lastInput: Tokens;
  readonly lastOutput: Tokens;
  readonly added: Tokens;
  readonly addedCount: Tokens;
}

interface Held {
  readonly item: ItemIndex;
  readonly tokens: Tokens;
  /** True if the recording's agent replaced it with a placeholder. */
  readonly isCleared?: boolean;
}

/** Size of the placeholder `[Old tool result content cleared]`: 33 characters / 4. */
const PLACEHOLDER_TOKENS = 9;

/**
 * The numbers of a replay, kept over a plain list of items. With `estimate`, every item is as large as the estimator says; with `calibrated`, it has
 * its share of the scaled sum; with `anchored`, the recorded value counts as long as the simulation equals the recording. Source: docs/method.md,
 * "Counting".
 */
export class Ledger {
  readonly contexts: Tokens[] = [];
  #items: readonly Held[] = [];
  #total: Tokens;
  #follows: boolean;
  /** The last recorded value, and the estimate of the context that it was recorded for. */
  #anchor: { readonly usage: Tokens; readonly estimate: Tokens } | undefined;
  #lasting: readonly Held[] | undefined;
  #synthetic: number;
  readonly #sizes: readonly Tokens[];

  constructor(
    private readonly recording: LoadedRecording,
    private readonly metrics: RecordedMetrics,
    counting: CountingMode,
    /** True if the policy has a clearing rule of its own: it then does not follow the recording's clearings. */
    private readonly clearsItself: boolean,
  ) {
    this.#sizes = scaledSizes(recording, counting === "estimate" ? 1 : (metrics.factor ?? 1));
    this.#synthetic = recording.columns.length;
    this.#total = recording.overhead;
    this.#follows = counting === "anchored";
  }

  /** Adds the messages before a request, and returns the numbers that the policy must be given. */
  enter({ request, response, added, rowsTakenBack, emptied }: Step): GivenMetrics {
    if (this.#lasting !== undefined) this.#set(this.#lasting);
    this.#lasting = undefined;
    const lastInput = request === 0 ? 0 : (this.contexts[request - 1] ?? 0);
    const lastOutput = this.#add(response);
    const fresh = this.#add(added);
    const isTakenBack = ({ item }: Held) => (item < this.recording.columns.length ? rowsTakenBack.has(item) : emptied);
    if (rowsTakenBack.size > 0 || emptied) this.#set(this.#items.filter((held) => !isTakenBack(held)));
    const cleared = this.#clear(request);
    const history = this.#follows && lastInput > 0 ? lastInput + lastOutput + fresh - cleared : this.#total;
    return { history, lastInput, lastOutput, added: fresh, addedCount: this.#count(added) };
  }

  /**
   * Replaces results that the recording's agent cleared by placeholders, if the simulation follows it, and returns the number of dropped
   * tokens.
   */
  #clear(request: RequestIndex): Tokens {
    if (!this.#follows || this.clearsItself) return 0;
    const [before, cleared] = [this.#total, this.metrics.cleared(request)];
    this.#set(
      this.#items.map((held) => {
        if (!cleared.has(held.item)) return held;
        return { ...held, tokens: Math.min(held.tokens, PLACEHOLDER_TOKENS), isCleared: true };
      }),
    );
    return before - this.#total;
  }

  /** Size of messages by the estimator alone. */
  #count(messages: readonly number[]): Tokens {
    const { rowsOf, tokens } = this.recording;
    return sumOf(messages.flatMap(rowsOf).map((row) => tokens[row] ?? 0));
  }

  #add(messages: readonly number[]): Tokens {
    const before = this.#total;
    const rows = messages.flatMap((message) => this.recording.rowsOf(message));
    this.#set([...this.#items, ...rows.map((item) => ({ item, tokens: this.#sizes[item] ?? 0 }))]);
    return this.#total - before;
  }

  /** Applies a policy's answer. */
  apply(retention: Retention): void {
    const { kept, truncated, cleared, added, addedAt, entering = 0, transient } = retention;
    const sizes = new Map([...truncated, ...cleared]);
    const stays = kept.flatMap(([from, to]) => this.#items.slice(from, to));
    if (stays.length === this.#items.length && sizes.size === 0 && added.length === 0) return;
    if (transient === true) this.#lasting = this.#items;
    const own = added.map(({ tokens }) => ({ item: this.#synthetic++, tokens }));
    const resized = stays.map((held) => ({ ...held, tokens: sizes.get(held.item) ?? held.tokens }));
    this.#set(resized.toSpliced(addedAt === "front" ? 0 : resized.length - entering, 0, ...own));
    this.#follows = false;
  }

  /** Records the input of a request. */
  send(request: RequestIndex): void {
    const kinds = this.metrics.boundaries(request);
    // After a recorded compaction, or a recorded clearing that is not followed, the recording sent other items than this list.
    const followed = this.clearsItself ? ["rollback"] : ["rollback", "clearing"];
    if (kinds.some((kind) => !followed.includes(kind))) this.#follows = false;
    if (kinds.some((kind) => kind !== "clearing")) this.#anchor = undefined;
    this.contexts.push(this.#follows ? this.#recorded(request) : this.#total);
  }

  #recorded(request: RequestIndex): Tokens {
    const { tokens, overhead } = this.recording;
    const estimate = this.#items.reduce((sum, { item, isCleared }) => {
      const size = tokens[item] ?? 0;
      return sum + (isCleared === true ? Math.min(size, PLACEHOLDER_TOKENS) : size);
    }, overhead);
    const usage = this.metrics.context(request);
    if (usage !== undefined) this.#anchor = { usage, estimate };
    if (this.#anchor === undefined) return estimate;
    const since = Math.round((estimate - this.#anchor.estimate) * (this.metrics.factor ?? 1));
    return Math.max(0, this.#anchor.usage + since);
  }

  #set(items: readonly Held[]): void {
    this.#items = items;
    this.#total = items.reduce((sum, { tokens }) => sum + tokens, this.recording.overhead);
  }

  /** The recorded context of a request. */
  context(request: RequestIndex): Tokens {
    return assertDefined(this.contexts[request], "a request that was sent");
  }
}
