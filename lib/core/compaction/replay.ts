/**
 * Replay: re-runs a recording under another compaction policy, without calling a model. The items, their order and the requests stay as recorded;
 * only the context changes. Example with a window of 1,000 tokens, and a policy that compacts at 800, keeps 100 and writes a summary of 50:
 *
 *   request   recorded context   simulated context
 *      0            300                300
 *      1            700                700
 *      2            900                900 → 150 (compaction before the request; summary and kept items)
 *      3          1,000                250 (the same new 100 tokens enter)
 *
 * Up to the first difference the recorded usage counts the context, if the counting mode allows it; from there on it is an estimate.
 */

import { assert } from "../base/assert";
import { allSteps, type Steps } from "../base/steps";
import { type ItemIndex, MAX_CONTEXT, type Milliseconds, type RequestIndex, type Tokens } from "../base/units";
import type { CountedColumns } from "../columns/counted";
import { CLEARED_TOKENS, type Membership, NEVER } from "../columns/membership";
import { pointCount } from "../columns/points";
import { type Calibration, calibrate, scaledTokens } from "../context/calibration";
import { type RecordedSeries, recordedSeries } from "../context/recorded";
import type { ContextSeries } from "../context/series";
import {
  type AppliedCompaction,
  ASKS_FOR_SUMMARY,
  actOnAnswer,
  changesContext,
  MAKES_SUMMARY,
  withEntered,
} from "./applied";
import { actingInPauses } from "./in-pauses";
import { type InputRules, inputRules } from "./input-rules";
import { type Pauses, pausesOf, timeInPause } from "./pauses";
import type { Compaction, Policy, PolicyPlan, PolicyRun, Retention } from "./policy/policy";
import { SettingError, type Settings } from "./policy/settings";
import { type ReplayTotals, totalsOf } from "./replay-totals";
import { RunView } from "./run-view";
import { CompactionLog } from "./simulation/compaction-log";
import { entriesOf } from "./simulation/entries";
import { type Followed, followedCategories, followedSeries } from "./simulation/followed-series";
import { firstChange, madeUpResultTokens, recordedOutput } from "./simulation/following";
import type { SimulatedCompaction } from "./simulation/simulated-compaction";
import { type AddedItem, SimulatedContext } from "./simulation/simulated-context";
import { type Trajectory, trajectoryOf } from "./simulation/trajectory";
import { UnscaledCounts } from "./simulation/unscaled-counts";
import { sizesOnEntry } from "./sizes-on-entry";

/** Counting of the simulated context. Source: docs/method.md, "Counting". */
export type CountingMode = "estimate" | "calibrated" | "anchored";

export interface ReplayOptions {
  readonly window: Tokens;
  /** Default: the policy's first preset. */
  readonly preset?: string;
  readonly counting: CountingMode;
  /**
   * True if the policy's own agent wrote the recording. Then its entry rule does not depart from the recording, and the recording includes the turns
   * that the agent took by itself.
   */
  readonly own?: boolean;
  /**
   * True if the run before the last request point had ended. Policies that act between turns act there too, without a next typed message.
   */
  readonly runEnded?: boolean;
  /** `false` for a subagent, which never waits for a prompt: nothing happens after its last request. */
  readonly waits?: boolean;
}

/** Replay of a recording under a policy: the context at every request point, and the policy's compactions. */
export interface Replay extends ContextSeries, Membership {
  /** Size of every row as it enters: as counted, scaled if a calibration is in force, and with the entry rules applied. */
  readonly sizes: Int32Array;
  /**
   * By request, the tokens that are neither part of the unchanged beginning of the previous request nor new: a provider's cache no longer holds them.
   * Defined at `SentPrefix`.
   */
  readonly uncached: Int32Array;
  /**
   * By request, the tokens of the unchanged beginning of the previous request, which a provider's cache may hold; 0 for the first request. Absent
   * under the policy `recorded`, where the recording itself states the cache reads.
   */
  readonly shared?: Int32Array;
  readonly compactions: readonly SimulatedCompaction[];
  /** Items that the compactions added, oldest first. */
  readonly added: readonly AddedItem[];
  /** Number of leading points at which the replay follows the recording: their contexts are the recorded ones. */
  readonly followed: number;
  readonly totals: ReplayTotals;
  /** Calibration in force: present if the counting mode needs one and the session allows it. */
  readonly calibration: Calibration | undefined;
  /**
   * For the pause before each request, and for the one after the last, the minutes in which requests keep the cache alive; absent if none ever do.
   */
  readonly keptAlive?: Float64Array | undefined;
}

/** A compaction is flagged if fewer requests than this lie between it and the one before. Source: docs/method.md, "Simulating". */
const THRASH_REQUESTS = 3;
/** A compaction is flagged if it leaves more than this share of its threshold. Source: docs/method.md, "Simulating". */
const THRASH_SHARE = 0.8;

/**
 * Replays a recording under a policy. The trajectory is fixed. The policy is called before every request and fires on the simulated state, which
 * contains no recorded boundaries and summaries. Deterministic; costs as much as the items and the policy's own work. Throws `AssertionError` if an
 * answer of a built-in policy breaks an invariant, `PolicyError` if one of a user's own policy does, and `SettingError` if the settings make a
 * context larger than a column holds.
 */
export function replay(recording: CountedColumns, policy: Policy, settings: Settings, options: ReplayOptions): Replay {
  return allSteps(replaySteps(recording, policy, settings, options));
}

/** Replays in steps of some requests each, so that a page can draw frames in between. */
export function* replaySteps(
  recording: CountedColumns,
  policy: Policy,
  settings: Settings,
  options: ReplayOptions,
): Steps<Replay> {
  const calibration = options.counting === "estimate" ? undefined : calibrate(recording);
  const run = new ReplayRun(recording, policy, settings, options, calibration);
  for (let point = 0; point < pointCount(recording.columns); point++) {
    if (point % STEP_REQUESTS === 0) yield;
    run.request(point);
  }
  run.end();
  return run.result();
}

/** Requests per step: a step takes a few milliseconds with any policy. */
const STEP_REQUESTS = 16;

class ReplayRun {
  /** Context at every request point so far, in tokens. */
  readonly #sent: Int32Array;
  readonly #sizes: Int32Array;
  readonly #trajectory: Trajectory;
  readonly #inputs: InputRules | undefined;
  readonly #context: SimulatedContext;
  readonly #view: RunView;
  readonly #run: PolicyRun;
  readonly #compactions: CompactionLog;
  readonly #uncached: Int32Array;
  /** The recorded series until the simulation departs from it; then `undefined`, and the context is an estimate. */
  #anchor: RecordedSeries | undefined;
  /** The followed series, and its number of points. */
  #followed: Followed | undefined;
  /** True if recorded clearings are followed: only if the policy has no clearing rule of its own. */
  readonly #followsClearings: boolean;
  /** First request before which the recorded context changed in a way that the simulation does not follow. */
  readonly #firstChange: RequestIndex | undefined;
  /** First request with an item that the entry rule shortened and the recording holds in full. */
  readonly #firstCut: RequestIndex = NEVER;
  /** Sizes that a compaction changed for one request only; the next request restores them. */
  #toRestore: ReadonlyMap<ItemIndex, Tokens> | undefined;
  /** Tokens of the results that the agent makes up for the calls of the last response. */
  #madeUpTokens: Tokens = 0;
  /** Request of the last compaction that asked for a summary; clearings and trims do not count. */
  #lastAsked: RequestIndex = Number.NEGATIVE_INFINITY;
  /** A compaction that leaves more than this is flagged. */
  readonly #thrashAbove: Tokens;
  readonly #policy: Policy;
  readonly #plan: PolicyPlan;
  /** Present if the run acts in pauses. */
  readonly #pauses: Pauses | undefined;
  readonly #keptAlive: Float64Array | undefined;

  constructor(
    recording: CountedColumns,
    policy: Policy,
    settings: Settings,
    private readonly options: ReplayOptions,
    private readonly calibration: Calibration | undefined,
  ) {
    const { columns, tokens } = recording;
    const counted = calibration === undefined ? tokens : scaledTokens(recording, calibration.factor);
    this.#trajectory = trajectoryOf(columns);
    this.#inputs = inputRules(columns, counted, this.#trajectory, settings);
    const { window, preset = policy.presets[0] ?? "", own = false } = options;
    const plan = { columns, preset, settings, window, own };
    this.#policy = policy;
    this.#plan = plan;
    const { sizes, firstCut } = sizesOnEntry(this.#inputs?.sizes ?? counted, policy, plan);
    this.#sizes = sizes;
    // The agent's own recordings hold its outputs as it had cut them.
    if (firstCut !== undefined && !own) this.#firstCut = this.#trajectory.entered[firstCut] ?? NEVER;
    this.#run = actingInPauses(policy.begin(plan), settings);
    const { idle, keepAlive } = this.#run;
    this.#pauses = idle === undefined && keepAlive === undefined ? undefined : pausesOf(columns);
    if (keepAlive !== undefined) this.#keptAlive = new Float64Array(pointCount(columns) + 1);
    this.#sent = new Int32Array(pointCount(columns));
    this.#uncached = new Int32Array(pointCount(columns));
    // Input rules write the sizes of references into `#sizes` later, so their entries cannot be computed in advance.
    const entries = this.#inputs === undefined ? entriesOf(columns, this.#trajectory, this.#sizes) : undefined;
    this.#context = new SimulatedContext(columns, this.#trajectory, this.#sizes, entries);
    this.#compactions = new CompactionLog(this.#context);
    // Items changed by input rules have no count of their own.
    const ownCounts =
      calibration === undefined || this.#inputs !== undefined ? undefined : sizesOnEntry(tokens, policy, plan).sizes;
    const unscaled =
      calibration && UnscaledCounts.of(columns, calibration.factor, this.#trajectory, this.#sizes, ownCounts);
    this.#view = new RunView(columns, this.#context, window, this.#sent, unscaled);
    this.#anchor = options.counting === "anchored" ? recordedSeries(recording) : undefined;
    this.#followsClearings = policy.looksBack?.(plan) !== true;
    this.#firstChange = firstChange(columns, this.#followsClearings);
    this.#thrashAbove = (policy.threshold?.(plan) ?? window) * THRASH_SHARE;
  }

  request(point: RequestIndex): void {
    this.#enterResponse(point);
    const idle = this.#actInPause(point);
    this.#enterRest(point);
    const compaction = idle === undefined ? this.#run.before(this.#view) : undefined;
    if (idle !== undefined) this.#put(withEntered(idle, this.#context));
    else if (compaction === undefined) this.#uncached[point] = this.#uncachedAt(point);
    else actOnAnswer(this.#policy, point, () => this.#put(this.#apply(compaction)));
    // The policy was called with the state before the recorded change; this request sent the state after it.
    if (point === this.#firstChange) this.#anchor = undefined;
    this.#write(point);
  }

  /** Acts in the time after the last request. A compaction then is of no use, because no request follows. */
  end(): void {
    const points = this.#sent.length;
    if ((this.#pauses?.minutes[points] ?? 0) === 0 || this.options.waits === false) return;
    this.#enterResponse(points);
    const idle = this.#actInPause(points);
    if (idle) this.#put(idle);
  }

  /** Lets the run act in the pause before a request. Returns the compaction that it made, applied but not yet listed. */
  #actInPause(point: RequestIndex): AppliedCompaction | undefined {
    const minutes = this.#pauses?.minutes[point] ?? 0;
    if (this.#pauses === undefined || minutes === 0) return undefined;
    if (this.#keptAlive !== undefined) this.#keptAlive[point] = this.#run.keepAlive?.(point, minutes) ?? 0;
    if (this.#run.idle === undefined) return undefined;
    const view = this.#view;
    const { promptAt, minutes: all } = this.#pauses;
    view.added = point < all.length - 1 ? this.#context.enter(promptAt[point] ?? 0, point) : 0;
    view.turnStart = false;
    this.#sumUp(0);
    const idle = this.#run.idle(view, minutes);
    if (idle === undefined) return undefined;
    const at = timeInPause(view.columns, point, idle.afterMinutes);
    return actOnAnswer(this.#policy, point, () => this.#apply({ ...idle, trigger: "idle" }, at));
  }

  /**
   * Adds the response to the previous request and updates the view. The order matters: sizes that held for one request are restored first, and the
   * history is summed last.
   */
  #enterResponse(point: RequestIndex): void {
    const view = this.#view;
    view.request = point;
    view.lastInput = point === 0 ? 0 : (this.#sent[point - 1] ?? 0);
    if (view.firstInput === 0) view.firstInput = view.lastInput;
    if (this.#toRestore !== undefined) this.#context.restore(this.#toRestore, point);
    this.#toRestore = undefined;
    this.#inputs?.entering(point, this.#context, this.#sizes);
    this.#madeUpTokens = point === 0 ? 0 : madeUpResultTokens(this.#policy, this.#plan, point - 1);
    const { responseEnd } = this.#trajectory;
    view.lastOutput = point === 0 ? 0 : this.#context.enter(responseEnd[point - 1] ?? 0, point) - this.#madeUpTokens;
    view.added = 0;
    view.compactions = this.#compactions.length;
  }

  /** Adds the other new items of a request, and updates the view. */
  #enterRest(point: RequestIndex): void {
    const { end, turnStart, takenBack } = this.#trajectory;
    const view = this.#view;
    view.added += this.#context.enter(end[point] ?? 0, point);
    const taken = takenBack.size === 0 ? undefined : takenBack.get(point);
    if (taken !== undefined) this.#context.takeBack(taken, point);
    this.#inputs?.clearOld(point, this.#context);
    if (point >= this.#firstCut || this.#inputs?.departs(point)) this.#anchor = undefined;
    const endsRun = this.options.runEnded === true && point === turnStart.length - 1;
    view.turnStart = turnStart[point] === 1 || endsRun;
    this.#sumUp(this.#clearAsRecorded(point));
  }

  /** @param cleared tokens that left the followed context with recorded clearings */
  #sumUp(cleared: Tokens): void {
    const view = this.#view;
    const follows = this.#anchor !== undefined && view.lastInput > 0;
    view.recordedOutput = follows ? recordedOutput(view.columns, view.request - 1) : undefined;
    view.history = follows
      ? view.lastInput + view.lastOutput + this.#madeUpTokens + view.added - cleared
      : this.#context.total;
  }

  /** Repeats the recorded clearings before a request while the recording is followed; returns the tokens removed. */
  #clearAsRecorded(point: RequestIndex): Tokens {
    const { clearedBefore } = this.#trajectory;
    if (clearedBefore.size === 0 || this.#anchor === undefined || !this.#followsClearings) return 0;
    const before = this.#context.total;
    for (const row of clearedBefore.get(point) ?? []) this.#context.clear(row, CLEARED_TOKENS, point);
    return before - this.#context.total;
  }

  /** @param at time of a compaction during a pause */
  #apply(retention: Compaction, at?: Milliseconds): AppliedCompaction {
    const { request, history } = this.#view;
    const { summaryTokens, summaryCallTokens } = retention;
    assert(summaryTokens === 0 || summaryCallTokens > 0, "no summary tokens without a summary call");
    const items = this.#context.length;
    const changes = changesContext(retention, items);
    // A compaction that leaves the context unchanged leaves its count unchanged.
    const counted = changes ? this.#context.total : history;
    if (changes) {
      if (retention.transient === true) this.#toRestore = this.#sizesOf(retention);
      this.#context.apply(retention, request);
      this.#anchor = undefined;
    }
    const { length, total } = this.#context;
    return { retention, changes, was: { request, tokens: history, counted, items, at }, left: { length, total } };
  }

  /** Lists an applied compaction when the context of its request is complete. */
  #put({ retention, changes, was }: AppliedCompaction): void {
    const { request } = was;
    const after = changes ? this.#context.total : was.tokens;
    const asks = ASKS_FOR_SUMMARY.has(retention.outcome);
    const thrash = asks && (request - this.#lastAsked < THRASH_REQUESTS || after > this.#thrashAbove);
    const uncached = this.#uncachedAt(request);
    if (request < this.#sent.length) this.#uncached[request] = uncached;
    this.#compactions.put(retention, was, { tokens: after, uncached, thrash });
    if (asks) {
      this.#view.summaryCalls += 1;
      this.#lastAsked = request;
    }
    if (MAKES_SUMMARY.has(retention.outcome)) this.#view.firstInput = 0;
  }

  /** Sizes of the items that a retention will change, before the change. */
  #sizesOf({ truncated, cleared }: Retention): ReadonlyMap<ItemIndex, Tokens> {
    return new Map([...truncated, ...cleared].map(([item]) => [item, this.#context.tokensOf(item)]));
  }

  #write(point: RequestIndex): void {
    const anchor = this.#anchor;
    if (this.#context.total > MAX_CONTEXT) {
      const most = MAX_CONTEXT.toLocaleString("en");
      throw new SettingError(`with these settings the context passes ${most} tokens, the most that is counted`);
    }
    this.#sent[point] = this.#sentAt(point);
    if (anchor !== undefined) this.#followed = { series: anchor, points: point + 1 };
  }

  /** The recorded context while the simulation follows the recording, else the simulated one. */
  #sentAt(point: RequestIndex): Tokens {
    return this.#anchor === undefined ? this.#context.total : (this.#anchor.context[point] ?? 0);
  }

  /** Uncached tokens of a request. They are counted as estimates, which may exceed a recorded context. */
  #uncachedAt(point: RequestIndex): Tokens {
    return Math.min(this.#context.uncachedAt(point), this.#sentAt(point));
  }

  result(): Replay {
    const [compactions, context, sent, followed] = [this.#compactions, this.#context, this.#sent, this.#followed];
    let shared: Int32Array | undefined;
    let byCategory: readonly Int32Array[] | undefined;
    const series = followedSeries(this.#trajectory.blank, followed);
    const points = followed?.points ?? 0;
    return {
      context: sent,
      ...series,
      followed: points,
      // The getters are computed on demand: callers that need only metrics never pay for them.
      get byCategory() {
        byCategory ??= followedCategories(context.changes.sums(), followed);
        return byCategory;
      },
      sizes: this.#sizes,
      uncached: this.#uncached,
      get shared() {
        shared ??= context.sharedOf(sent);
        return shared;
      },
      entered: this.#trajectory.entered,
      dropped: this.#context.dropped,
      cleared: this.#context.cleared,
      get compactions() {
        return compactions.list();
      },
      added: this.#context.added,
      totals: totalsOf({
        context: sent,
        estimated: series.estimated,
        followed: points,
        compactions: compactions.sizesBefore(),
        uncached: this.#uncached,
        summaryCallTokens: compactions.summaryCallTokens,
        window: this.options.window,
      }),
      calibration: this.calibration,
      keptAlive: this.#keptAlive,
    };
  }
}
