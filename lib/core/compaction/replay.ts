import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import { boundariesOf, type SessionColumns } from "../columns/columns";
import type { Membership } from "../columns/membership";
import { pointCount } from "../columns/points";
import { type RecordedSeries, recordedSeries } from "../context/recorded";
import { type ContextSeries, SeriesWriter } from "../context/series";
import { type Calibration, calibrate, scaledTokens } from "../tokens/calibration";
import { type InputRules, inputRules } from "./input-rules";
import type { ContextView, Figures, Outcome, Policy, Retention, SimulatedTrigger, SyntheticItem } from "./policy";
import { countOf } from "./positions";
import type { Settings } from "./settings";
import { type AddedItem, SimulatedContext } from "./simulated-context";
import { type Trajectory, trajectoryOf } from "./trajectory";

/** How the simulated context is counted. Source: replay-method.md, "Counting". */
export type CountingMode = "estimate" | "calibrated" | "anchored";

export interface ReplayOptions {
  readonly window: Tokens;
  readonly counting: CountingMode;
  /** Whether the policy's own agent wrote the recording: its entry rule is then no departure from what was recorded. */
  readonly own?: boolean;
}

/** One simulated compaction, before the request named. Sizes include the overhead. */
export interface SimulatedCompaction {
  readonly request: RequestIndex;
  readonly trigger: SimulatedTrigger;
  readonly outcome: Outcome;
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
  readonly summaryTokens: Tokens;
  readonly summaryCallTokens: Tokens;
  /** Tokens of the context behind it that are rewritten, whatever else changed before this request: `Replay.rewritten`. */
  readonly rewritten: Tokens;
  readonly keptItems: number;
  /** Those items, recorded ones in file order and then what earlier compactions had added. Looked up when it is asked for. */
  readonly kept: readonly ItemIndex[];
  readonly truncated: readonly (readonly [ItemIndex, Tokens])[];
  readonly cleared: readonly (readonly [ItemIndex, Tokens])[];
  readonly added: readonly SyntheticItem[];
  /** Where those stand: in front of what stays, where nothing is said. */
  readonly addedAt?: Retention["addedAt"];
  readonly droppedItems: number;
  /** What the policy tells beside that. */
  readonly figures?: Figures;
  /** Fewer than three requests after the one before, or a result above 80 % of the trigger. */
  readonly thrash: boolean;
  /** Whether it made the context smaller. */
  readonly shrunk: boolean;
}

export interface ReplayTotals {
  readonly requests: number;
  readonly peak: Tokens;
  readonly final: Tokens;
  /** Sum of the context over all request points; summarising calls apart. */
  readonly tokensSent: Tokens;
  readonly summaryCallTokens: Tokens;
  /** Sum over the requests: `Replay.rewritten`. */
  readonly tokensRewritten: Tokens;
  readonly requestsOverWindow: number;
}

/** A recording under a policy: the context at every request point, and what the policy did. */
export interface Replay extends ContextSeries, Membership {
  /** Every row's size as it enters: as counted, calibrated where that is in force, the entry rules applied. */
  readonly sizes: Int32Array;
  /**
   * Tokens of every request that are neither the unchanged beginning of what the request before it sent nor new with it:
   * what a provider's cache holds no more. Defined at `SentPrefix`.
   */
  readonly rewritten: Int32Array;
  readonly compactions: readonly SimulatedCompaction[];
  /** What the compactions added, oldest first. */
  readonly added: readonly AddedItem[];
  readonly totals: ReplayTotals;
  /** In force where the mode asks for it and the session allows it. */
  readonly calibration: Calibration | undefined;
}

/** Two compactions with fewer requests between them are flagged. Source: replay-method.md, "Simulating" 5. */
const THRASH_REQUESTS = 3;
/** A result above this share of what triggered it is flagged. Source: as above. */
const THRASH_SHARE = 0.8;

/**
 * Replays a recording under a policy. The trajectory is held fixed, the policy is asked before every request and fires on
 * the simulated state; recorded boundaries and summaries are no part of it. Deterministic; costs as much as the items
 * and what the policy looks at. Throws `AssertionError` where a policy's answer breaks an invariant.
 * @param tokens token column of the estimator, inferred overhead included
 */
export function replay(
  columns: SessionColumns,
  tokens: Int32Array,
  policy: Policy,
  settings: Settings,
  options: ReplayOptions,
): Replay {
  const calibration = options.counting === "estimate" ? undefined : calibrate(columns, tokens);
  const run = new ReplayRun(columns, tokens, policy, settings, options, calibration);
  for (let point = 0; point < pointCount(columns); point++) run.request(point);
  return run.result();
}

/** Sizes of the items as they enter: the policy's entry rule applied, where it is in force. */
export function sizesOnEntry(
  columns: SessionColumns,
  tokens: Int32Array,
  policy: Policy,
  settings: Settings,
): Int32Array {
  const { entryTokens, entrySettings = [] } = policy;
  if (entryTokens === undefined || settings.entryTruncation !== true) return tokens;
  const key = JSON.stringify(entrySettings.map((name) => settings[name]));
  const known = entrySizes.get(tokens);
  if (known?.key === key && known.policy === policy && known.columns === columns) return known.sizes;
  const sizes = tokens.map((size, row) =>
    row < columns.overheadRows ? size : entryTokens(columns, row, size, settings),
  );
  entrySizes.set(tokens, { key, policy, columns, sizes });
  return sizes;
}

/** The last sizes on entry of a token column: the slider of any other setting asks for the same ones again and again. */
const entrySizes = new WeakMap<
  Int32Array,
  { readonly key: string; readonly policy: Policy; readonly columns: SessionColumns; readonly sizes: Int32Array }
>();

/** What the policy is shown: one object for the whole run, brought up to date before every question. */
class RunView implements ContextView {
  request: RequestIndex = 0;
  lastInput: Tokens = 0;
  lastOutput: Tokens = 0;
  added: Tokens = 0;
  history: Tokens = 0;
  turnStart = false;
  compactions = 0;
  readonly overhead: Tokens;

  constructor(
    readonly columns: SessionColumns,
    readonly items: SimulatedContext,
    readonly window: Tokens,
  ) {
    this.overhead = items.total;
  }

  tokensOf(item: ItemIndex): Tokens {
    return this.items.tokensOf(item);
  }

  synthetic(item: ItemIndex): SyntheticItem | undefined {
    return item < this.columns.length ? undefined : this.items.added[item - this.columns.length]?.item;
  }
}

/** A compaction that finds its kept items when they are asked for: a replay may hold thousands of hundreds of items each. */
class Compaction implements SimulatedCompaction {
  readonly request!: RequestIndex;
  readonly trigger!: SimulatedTrigger;
  readonly outcome!: Outcome;
  readonly tokensBefore!: Tokens;
  readonly tokensAfter!: Tokens;
  readonly summaryTokens!: Tokens;
  readonly summaryCallTokens!: Tokens;
  readonly rewritten!: Tokens;
  readonly keptItems!: number;
  readonly truncated!: SimulatedCompaction["truncated"];
  readonly cleared!: SimulatedCompaction["cleared"];
  readonly added!: readonly SyntheticItem[];
  readonly droppedItems!: number;
  readonly addedAt?: Retention["addedAt"];
  readonly figures?: Figures;
  readonly thrash!: boolean;
  readonly shrunk!: boolean;
  readonly #context: SimulatedContext;

  constructor(context: SimulatedContext, facts: Omit<SimulatedCompaction, "kept">) {
    this.#context = context;
    Object.assign(this, facts);
  }

  get kept(): readonly ItemIndex[] {
    return this.#context.keptAt(this.request);
  }
}

class ReplayRun {
  readonly #series: SeriesWriter;
  readonly #sizes: Int32Array;
  readonly #trajectory: Trajectory;
  readonly #inputs: InputRules | undefined;
  readonly #context: SimulatedContext;
  readonly #view: RunView;
  readonly #compactions: SimulatedCompaction[] = [];
  readonly #rewritten: Int32Array;
  /** The recorded series while it is followed: until the simulation parts from the recording. */
  #anchor: RecordedSeries | undefined;
  readonly #firstCompaction: RequestIndex | undefined;

  constructor(
    columns: SessionColumns,
    tokens: Int32Array,
    private readonly policy: Policy,
    private readonly settings: Settings,
    private readonly options: ReplayOptions,
    private readonly calibration: Calibration | undefined,
  ) {
    const counted = calibration === undefined ? tokens : scaledTokens(columns, tokens, calibration.factor);
    this.#trajectory = trajectoryOf(columns);
    this.#inputs = inputRules(columns, counted, this.#trajectory, settings);
    this.#sizes = sizesOnEntry(columns, this.#inputs?.sizes ?? counted, policy, settings);
    this.#series = new SeriesWriter(pointCount(columns));
    this.#rewritten = new Int32Array(pointCount(columns));
    this.#context = new SimulatedContext(columns, this.#trajectory, this.#sizes);
    this.#view = new RunView(columns, this.#context, options.window);
    const asEntered = settings.entryTruncation !== true || options.own === true;
    this.#anchor = options.counting === "anchored" && asEntered ? recordedSeries(columns, tokens) : undefined;
    this.#firstCompaction = columns.boundaries.request[boundariesOf(columns, "compaction")[0] ?? -1];
  }

  request(point: RequestIndex): void {
    this.#bringUpToDate(point);
    const trigger = this.policy.shouldCompact(this.#view, this.settings);
    if (trigger === null) this.#rewritten[point] = this.#context.rewrittenAt(point);
    else this.#compact(trigger);
    // Asked before it, the policy sees the state that was recorded; what was sent after it is the compaction's doing.
    if (point === this.#firstCompaction) this.#anchor = undefined;
    this.#write(point);
  }

  #bringUpToDate(point: RequestIndex): void {
    const { end, responseEnd, turnStart, takenBack } = this.#trajectory;
    const view = this.#view;
    view.request = point;
    view.lastInput = point === 0 ? 0 : this.#series.contextAt(point - 1);
    this.#inputs?.entering(point, this.#context, this.#sizes);
    view.lastOutput = point === 0 ? 0 : this.#context.enter(responseEnd[point - 1] ?? 0);
    view.added = this.#context.enter(end[point] ?? 0);
    const taken = takenBack.get(point);
    if (taken !== undefined) this.#context.takeBack(taken, point);
    this.#inputs?.clearOld(point, this.#context);
    if (this.#inputs?.departs(point)) this.#anchor = undefined;
    view.turnStart = turnStart[point] === 1;
    view.compactions = this.#compactions.length;
    const follows = this.#anchor !== undefined && view.lastInput > 0;
    view.history = follows ? view.lastInput + view.lastOutput + view.added : this.#context.total;
  }

  #compact(trigger: SimulatedTrigger): void {
    const retention = this.policy.compact(this.#view, this.settings);
    const was = { tokens: this.#view.history, items: this.#context.length, rewritten: 0 };
    if (!changesNothing(retention, was.items)) {
      this.#context.apply(retention, this.#view.request);
      this.#anchor = undefined;
    }
    was.rewritten = this.#context.rewrittenAt(this.#view.request);
    this.#rewritten[this.#view.request] = was.rewritten;
    this.#compactions.push(this.#compaction(trigger, retention, was));
  }

  #compaction(
    trigger: SimulatedTrigger,
    retention: Retention,
    was: { readonly tokens: Tokens; readonly items: number; readonly rewritten: Tokens },
  ): SimulatedCompaction {
    const previous = this.#compactions.at(-1);
    const after = this.#context.total;
    const { request } = this.#view;
    const soon = previous !== undefined && request - previous.request < THRASH_REQUESTS;
    const limit = this.policy.threshold?.(this.options.window, this.settings) ?? this.options.window;
    const keptItems = countOf(retention.kept);
    return new Compaction(this.#context, {
      request,
      trigger,
      outcome: retention.outcome,
      tokensBefore: was.tokens,
      tokensAfter: after,
      summaryTokens: retention.summaryTokens,
      summaryCallTokens: retention.summaryCallTokens,
      rewritten: was.rewritten,
      keptItems,
      truncated: retention.truncated,
      cleared: retention.cleared,
      added: retention.added,
      addedAt: retention.addedAt,
      droppedItems: was.items - keptItems,
      ...(retention.figures === undefined ? {} : { figures: retention.figures }),
      thrash: soon || after > limit * THRASH_SHARE,
      shrunk: after < was.tokens,
    });
  }

  #write(point: RequestIndex): void {
    if (this.#anchor !== undefined) this.#series.copy(point, this.#anchor);
    else this.#series.estimate(point, this.#context.byCategory, this.#context.total);
  }

  result(): Replay {
    const series = this.#series.series();
    return {
      ...series,
      sizes: this.#sizes,
      rewritten: this.#rewritten,
      entered: this.#trajectory.entered,
      dropped: this.#context.dropped,
      cleared: this.#context.cleared,
      compactions: this.#compactions,
      added: this.#context.added,
      totals: totalsOf(series.context, this.#rewritten, this.#compactions, this.options.window),
      calibration: this.calibration,
    };
  }
}

function changesNothing(retention: Retention, items: number): boolean {
  return (
    countOf(retention.kept) === items &&
    retention.added.length === 0 &&
    retention.truncated.length === 0 &&
    retention.cleared.length === 0
  );
}

/** Totals over a series of contexts. @param rewritten by request, as in `Replay` */
export function totalsOf(
  context: Int32Array,
  rewritten: Int32Array,
  compactions: readonly SimulatedCompaction[],
  window: Tokens,
): ReplayTotals {
  let peak = 0;
  let sent = 0;
  let over = 0;
  for (const tokens of context) {
    if (tokens > peak) peak = tokens;
    if (tokens > window) over += 1;
    sent += tokens;
  }
  return {
    requests: context.length,
    peak,
    final: context.at(-1) ?? 0,
    tokensSent: sent,
    summaryCallTokens: compactions.reduce((sum, compaction) => sum + compaction.summaryCallTokens, 0),
    tokensRewritten: rewritten.reduce((sum, tokens) => sum + tokens, 0),
    requestsOverWindow: over,
  };
}
