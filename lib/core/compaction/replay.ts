import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import { recordedContext, type SessionColumns } from "../columns/columns";
import type { Membership } from "../columns/membership";
import { pointCount } from "../columns/points";
import { type ContextSeries, emptySeries, shareOut, writeEstimate, writeShares } from "../context/recorded";
import { type Calibration, calibrate, scaledTokens } from "../tokens/calibration";
import type { ContextView, Outcome, Policy, Retention, SimulatedTrigger, SyntheticItem } from "./policy";
import { assertRetention } from "./retention";
import type { Settings } from "./settings";
import { SimulatedContext } from "./simulated-context";
import { type Trajectory, trajectoryOf } from "./trajectory";

/** How the simulated context is counted. Source: replay-method.md, "Counting". */
export type CountingMode = "estimate" | "calibrated" | "anchored";

export interface ReplayOptions {
  readonly window: Tokens;
  readonly counting: CountingMode;
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
  readonly kept: readonly ItemIndex[];
  readonly truncated: readonly (readonly [ItemIndex, Tokens])[];
  readonly cleared: readonly (readonly [ItemIndex, Tokens])[];
  readonly added: readonly SyntheticItem[];
  readonly droppedItems: number;
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
  readonly requestsOverWindow: number;
}

/** A recording under a policy: the context at every request point, and what the policy did. */
export interface Replay extends ContextSeries, Membership {
  readonly compactions: readonly SimulatedCompaction[];
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
  const counted = calibration === undefined ? tokens : scaledTokens(columns, tokens, calibration.factor);
  const run = new ReplayRun(
    columns,
    sizesOnEntry(columns, counted, policy, settings),
    policy,
    settings,
    options,
    calibration,
  );
  for (let point = 0; point < pointCount(columns); point++) run.request(point);
  return run.result();
}

function sizesOnEntry(columns: SessionColumns, tokens: Int32Array, policy: Policy, settings: Settings): Int32Array {
  const { entryTokens } = policy;
  if (entryTokens === undefined || settings.entryTruncation !== true) return tokens;
  return tokens.map((size, row) => (row < columns.overheadRows ? size : entryTokens(columns, row, size, settings)));
}

class ReplayRun {
  readonly #series: ContextSeries;
  readonly #trajectory: Trajectory;
  readonly #context: SimulatedContext;
  readonly #compactions: SimulatedCompaction[] = [];
  readonly #overhead: Tokens;
  /** Boundaries already met: the simulated history parts from the recorded one at the first. */
  readonly #firstBoundary: RequestIndex;
  #lastInput: Tokens = 0;
  #lastOutput: Tokens = 0;
  #added: Tokens = 0;
  #diverged: boolean;

  constructor(
    private readonly columns: SessionColumns,
    sizes: Int32Array,
    private readonly policy: Policy,
    private readonly settings: Settings,
    private readonly options: ReplayOptions,
    private readonly calibration: Calibration | undefined,
  ) {
    this.#series = emptySeries(pointCount(columns));
    this.#trajectory = trajectoryOf(columns);
    this.#context = new SimulatedContext(columns, this.#trajectory, sizes);
    this.#overhead = this.#context.total;
    this.#firstBoundary = columns.boundaries.request[0] ?? Number.POSITIVE_INFINITY;
    this.#diverged = options.counting !== "anchored" || settings.entryTruncation === true;
  }

  request(point: RequestIndex): void {
    this.#enter(point);
    if (point >= this.#firstBoundary) this.#diverged = true;
    const view = this.#view(point);
    const trigger = this.policy.shouldCompact(view, this.settings);
    if (trigger !== null) this.#compact(view, trigger);
    this.#write(point);
    this.#lastInput = this.#series.context[point] ?? 0;
  }

  #enter(point: RequestIndex): void {
    const { end, responseEnd } = this.#trajectory;
    this.#lastOutput = point === 0 ? 0 : this.#context.enter(responseEnd[point - 1] ?? 0);
    this.#added = this.#context.enter(end[point] ?? 0);
  }

  #view(request: RequestIndex): ContextView {
    const context = this.#context;
    const anchored = !this.#diverged && this.#lastInput > 0;
    return {
      columns: this.columns,
      request,
      window: this.options.window,
      items: context.items,
      tokensOf: (item) => context.tokensOf(item),
      synthetic: (item) => context.synthetic[item - this.columns.length],
      overhead: this.#overhead,
      lastInput: this.#lastInput,
      lastOutput: this.#lastOutput,
      added: this.#added,
      history: anchored ? this.#lastInput + this.#lastOutput + this.#added : context.total,
      turnStart: this.#trajectory.turnStart[request] === 1,
      compactions: this.#compactions.length,
    };
  }

  #compact(view: ContextView, trigger: SimulatedTrigger): void {
    const retention = this.policy.compact(view, this.settings);
    assertRetention(view, retention);
    const before = this.#context.total;
    const items = view.items.length;
    if (!changesNothing(retention, items)) {
      this.#context.apply(retention, view.request);
      this.#diverged = true;
    }
    this.#compactions.push(this.#compaction(view, trigger, retention, { before, items }));
  }

  #compaction(
    view: ContextView,
    trigger: SimulatedTrigger,
    retention: Retention,
    was: { before: Tokens; items: number },
  ): SimulatedCompaction {
    const previous = this.#compactions.at(-1);
    const after = this.#context.total;
    const soon = previous !== undefined && view.request - previous.request < THRASH_REQUESTS;
    const limit = this.policy.threshold?.(this.options.window, this.settings) ?? this.options.window;
    return {
      request: view.request,
      trigger,
      outcome: retention.outcome,
      tokensBefore: was.before,
      tokensAfter: after,
      summaryTokens: retention.summaryTokens,
      summaryCallTokens: retention.summaryCallTokens,
      kept: retention.kept,
      truncated: retention.truncated,
      cleared: retention.cleared,
      added: retention.added,
      droppedItems: was.items - retention.kept.length,
      thrash: soon || after > limit * THRASH_SHARE,
      shrunk: after < was.before,
    };
  }

  #write(point: RequestIndex): void {
    const estimate = Array.from(this.#context.byCategory);
    const usage = this.#diverged ? -1 : recordedContext(this.columns, point);
    if (usage < 0) writeEstimate(this.#series, point, estimate);
    else writeShares(this.#series, point, shareOut(usage, estimate, this.calibration === undefined ? undefined : 1));
  }

  result(): Replay {
    return {
      ...this.#series,
      entered: this.#trajectory.entered,
      dropped: this.#context.dropped,
      cleared: this.#context.cleared,
      compactions: this.#compactions,
      totals: totalsOf(this.#series.context, this.#compactions, this.options.window),
      calibration: this.calibration,
    };
  }
}

function changesNothing(retention: Retention, items: number): boolean {
  return (
    retention.kept.length === items &&
    retention.added.length === 0 &&
    retention.truncated.length === 0 &&
    retention.cleared.length === 0
  );
}

/** Totals over a series of contexts. */
export function totalsOf(
  context: Int32Array,
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
    requestsOverWindow: over,
  };
}
