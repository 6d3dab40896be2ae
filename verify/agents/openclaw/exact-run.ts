import {
  BLOCK_BELOW_TOKENS,
  CURRENT_BLOCK_BELOW_TOKENS,
  effectiveReserve,
  memoryFlushThreshold,
  PRESSURE_MARGIN,
  type PromptRoute,
  promptReserve,
  promptRoute,
  reserveInForce,
} from "@/lib/agents/openclaw/base/constants";
import type { OpenClawPreset } from "@/lib/agents/openclaw/base/presets";
import type { SessionEntry } from "@/lib/agents/openclaw/messages/entry";
import { messageTokens } from "@/lib/agents/openclaw/messages/estimate";
import { isObject } from "@/lib/agents/openclaw/messages/value";
import type { PruningLimits } from "@/lib/agents/openclaw/policy/pruning";
import { EMPTY_HISTORY_SUMMARY, systemPromptTokens } from "@/lib/agents/openclaw/policy/release-2026.5.7";
import { messagePressure } from "@/lib/agents/openclaw/sent/pressure";
import { DEFAULT_PRUNING } from "@/lib/agents/openclaw/sent/pruning-settings";
import { safeguardCompaction } from "@/lib/agents/openclaw/summary/summary-prompt";
import { sumOf } from "@/lib/core/base/numbers";
import type { Chars, ItemIndex, RequestIndex, Tokens } from "@/lib/core/base/units";
import type { Replay } from "@/lib/core/compaction/replay";
import type { ExactChange } from "@/verify/support/compared-changes";
import type { Comparison } from "@/verify/support/cross-check";
import type { LoadedRecording } from "@/verify/support/loaded-recording";
import { failedSummaryTokens } from "./failed-summary-tokens";
import { HeldSession } from "./held-session";
import type { Placed, PlacedStep } from "./placed-session";
import { prepareCompaction } from "./prepare-compaction";
import { pruneResults } from "./prune";
import { ResultCuts, reducibleChars } from "./result-cuts";

/** The settings of a run. */
export interface ExactSettings {
  readonly preset: OpenClawPreset;
  readonly window: Tokens;
  readonly reserveTokens: Tokens;
  readonly reserveTokensFloor: Tokens;
  readonly keepRecentTokens: Tokens;
  readonly maxHistoryShare: number;
  readonly historyTurns: number;
  readonly memoryFlushTokens: Tokens;
  /** 0 if pruning is off. */
  readonly pruningTtlMinutes: number;
  readonly pruning: PruningLimits;
  readonly summaryTokens: Tokens;
  /** Weighted chars of one result (`current`). */
  readonly toolResultChars: Chars | undefined;
  /** True if outputs are cut as they enter. */
  readonly entryTruncation: boolean;
  /** True if every call answers with an empty text. */
  readonly isEmpty: boolean;
  /** True if a summary call, counted from 0, fails. */
  readonly fails: (call: number) => boolean;
}

/** The prompt of the turn in which memories are written down, and its answer: 160 chars. */
function flushEntry(id: string): SessionEntry {
  return { type: "message", id, message: { role: "user", content: "m".repeat(160) } };
}

/** Runs OpenClaw's own rules, request by request: its decision before each, and the resulting session. */
export class ExactRun {
  readonly context: Tokens[] = [];
  readonly changes: ExactChange[] = [];
  readonly #session: HeldSession;
  #summaries = 0;
  #flushedFor = -1;
  #touched: number | undefined;
  /** The state that is restored once the request is sent: 2026.2.1 prunes the sent messages, not the session. */
  #held: HeldSession["state"] | undefined;
  readonly #cuts: ResultCuts;
  readonly #comparison: Comparison;
  readonly #recording: LoadedRecording;

  /** @param numbers the run over numbers, for the sizes of cut results: see `ResultCuts` */
  constructor(
    recording: LoadedRecording,
    private readonly steps: readonly PlacedStep[],
    private readonly settings: ExactSettings,
    private readonly numbers: Replay,
    comparison: Comparison,
  ) {
    const { entryTruncation: entry, toolResultChars: limit, window, preset } = settings;
    this.#comparison = comparison;
    this.#recording = recording;
    this.#cuts = new ResultCuts(comparison, { entry, limit, window });
    this.#session = new HeldSession(recording, preset);
  }

  async run(): Promise<this> {
    for (const step of this.steps) await this.#request(this.#cuts.entered(step));
    return this;
  }

  async #request(step: PlacedStep): Promise<void> {
    const { request, response, added } = step;
    const session = this.#session;
    const input = this.context.at(-1) ?? 0;
    const used = input + session.sizeOf(response);
    session.append([...response, ...added]);
    if (step.takenBack.size > 0 || step.emptied) session.takeBack(step);
    const isStart = step.turnStart || session.from(session.runEnd()).some(startsTurn);
    await this.#act(step, isStart, input, used);
    // Computed in every case: whether the cache is still warm does not depend on other actions.
    this.context.push(session.size);
    if (this.#held !== undefined) session.restore(this.#held);
    this.#held = undefined;
    if (request === 0) this.#touched = undefined;
  }

  async #act(step: PlacedStep, isStart: boolean, input: Tokens, used: Tokens): Promise<void> {
    const { request } = step;
    const { preset, window } = this.settings;
    const isDue = this.#isPruningDue(step);
    if (window < (isLater(preset) ? CURRENT_BLOCK_BELOW_TOKENS : BLOCK_BELOW_TOKENS)) {
      if (isStart) this.#unchanged(request, "blocked");
      return;
    }
    const above = isStart ? this.#above(request, used) : 0;
    const isAbove = above > 0;
    const route = isStart && preset === "current" ? this.#route(above) : "compact_only";
    if (isAbove && route === "truncate_tool_results_only") {
      this.#shorten(request);
      return;
    }
    const isBoth = route === "compact_then_truncate";
    if (isAbove && (await this.#compact(request, "threshold", this.#session.runEnd(), used, isBoth))) return;
    const overflows = !isAbove && this.#session.size > window;
    if (overflows && (await this.#compact(request, "overflow", this.#session.length, used))) return;
    if (isStart && this.#limitTurns(request)) return;
    if (isStart && this.#flush(request, input)) return;
    if (isDue) this.#prune(request);
  }

  /** Excess over the threshold of the size that is compared between runs. */
  #above(request: RequestIndex, used: Tokens): Tokens {
    const { preset, window, reserveTokens, reserveTokensFloor } = this.settings;
    const reserve = reserveInForce(reserveTokens, reserveTokensFloor);
    if (preset === "release-2026-05") {
      const { columns, overhead } = this.#recording;
      const messages = this.#session.size - overhead + systemPromptTokens({ columns, overhead });
      const estimated = Math.ceil(messages * PRESSURE_MARGIN);
      return Math.max(request === 0 ? 0 : used, estimated) - Math.max(1, window - promptReserve(window, reserve));
    }
    if (preset !== "current") {
      const isAbove = request > 0 && isAboveThreshold(used, window, { enabled: true, reserveTokens: reserve }, false);
      return isAbove ? used - (window - reserve) : 0;
    }
    const added = this.#session.messagesFrom(this.#session.runEnd());
    const local = request === 0 ? this.#session.size : sumOf(added.map(messagePressure));
    return used + Math.ceil(local * PRESSURE_MARGIN) - (window - effectiveReserve(window, reserve));
  }

  /** The action of 2026.9.6 for a prompt. */
  #route(above: Tokens): PromptRoute {
    const reducible = above > 0 ? reducibleChars(this.#cuts.planned(this.#session.shown())) : { flat: 0, exact: 0 };
    const route = promptRoute(above, reducible.flat);
    this.#comparison.met(`prompts by the route ${route}`);
    if (promptRoute(above, reducible.exact) !== route) {
      this.#comparison.allow("another route by the ends of lines", Math.abs(reducible.flat - reducible.exact) / 4);
    }
    return route;
  }

  #shorten(request: RequestIndex): void {
    const before = this.#session.size;
    const pruned = this.#shortened(request);
    this.#changed(request, { trigger: "threshold", outcome: "trim", before, reduced: pruned });
  }

  /** Reduces results to the sizes that the numbers have: see `ResultCuts`. */
  #shortened(request: RequestIndex): readonly ItemIndex[] {
    const change = this.numbers.compactions.find((one) => one.request === request);
    const sizes = new Map(change?.truncated ?? []);
    const { session, rows } = this.#cuts.shortened(`request ${request}`, this.#session.shown(), sizes);
    this.#session.replace(session);
    return rows;
  }

  /** @param shortens true if results are shortened after it */
  async #compact(
    request: RequestIndex,
    trigger: string,
    end: number,
    used: Tokens,
    shortens = false,
  ): Promise<boolean> {
    const { preset, keepRecentTokens, summaryTokens } = this.settings;
    const path = this.#session.pathTo(end, used);
    const prepared = path.length === 0 ? undefined : prepareCompaction(path, keepRecentTokens, preset);
    if (prepared === undefined) return false;
    const before = this.#session.size;
    const fails = this.settings.fails(this.#summaryCalls());
    if (isLater(preset) && fails && prepared.messages.length + prepared.turnPrefix.length > 0) {
      const pruned = shortens ? this.#shortened(request) : [];
      const sent =
        preset === "current" ? failedSummaryTokens({ ...prepared, tokensBefore: before }, this.settings) : undefined;
      this.#changed(request, { trigger, outcome: "failed", before, sent, reduced: pruned });
      return true;
    }
    const made = await this.#summarised({ ...prepared, tokensBefore: before }, fails);
    const { sent: sentByPlan } = made;
    const summary =
      preset === "release-2026-05" && made.calls === 0
        ? (prepared.previousSummary ?? EMPTY_HISTORY_SUMMARY)
        : made.summary;
    const isNote = fails || (preset !== "current" && made.calls === 0);
    if (isNote) this.#noteMade(summary);
    const entry: SessionEntry = {
      type: "compaction",
      id: `c${request}`,
      summary: isNote || this.settings.isEmpty ? summary : "s".repeat(4 * summaryTokens),
      firstKeptEntryId: prepared.firstKeptEntryId,
      fromHook: true,
    };
    this.#session.compact(entry, end);
    this.#summaries += 1;
    const pruned = shortens ? this.#shortened(request) : [];
    // The plan is that of 2026.2.1.
    const sent = isLater(preset) ? undefined : sentByPlan;
    this.#changed(request, { trigger, outcome: isNote ? "fallback" : "summary", before, sent, reduced: pruned });
    return true;
  }

  #noteMade(summary: string): void {
    this.#comparison.met("notes in a summary's place");
    if (summary.includes("\n\n## Tool Failures")) this.#comparison.met("notes that list failed calls");
    if (/<(?:read|modified)-files>/.test(summary)) this.#comparison.met("notes that list files");
  }

  /** Number of changes so far that requested a summary. */
  #summaryCalls(): number {
    return this.changes.filter(({ outcome }) => SUMMARY_CALLS.has(outcome)).length;
  }

  /** The summary of 2026.2.1, and the input of its model calls. */
  async #summarised(prepared: Omit<Parameters<typeof safeguardCompaction>[0], "reserveTokens">, fails: boolean) {
    const { preset, window, maxHistoryShare, reserveTokens, summaryTokens, isEmpty } = this.settings;
    let sent = 0;
    let calls = 0;
    const { summary } = await safeguardCompaction(
      { ...prepared, reserveTokens },
      {
        window,
        maxHistoryShare,
        call: ({ messages, previousSummary }) => {
          const sizes = messages.map((message) => messageTokens(message, preset));
          calls += 1;
          sent += sumOf(sizes) + Math.ceil((previousSummary?.length ?? 0) / 4);
          if (fails) throw new Error("the summary call fails");
          return isEmpty ? "" : "s".repeat(4 * summaryTokens);
        },
      },
    );
    return { summary, sent, calls };
  }

  /** Limits the history before the new prompt. */
  #limitTurns(request: RequestIndex): boolean {
    const before = this.#session.size;
    if (!this.#session.limitTurns(this.settings.historyTurns)) return false;
    this.#changed(request, { trigger: "threshold", outcome: "trim", before });
    return true;
  }

  #flush(request: RequestIndex, input: Tokens): boolean {
    const { window, reserveTokensFloor, memoryFlushTokens } = this.settings;
    const at = memoryFlushThreshold(window, reserveTokensFloor, memoryFlushTokens);
    if (at <= 0 || input < at || this.#flushedFor === this.#summaries) return false;
    const before = this.#session.size;
    this.#flushedFor = this.#summaries;
    this.#session.appendOwn(flushEntry(`f${request}`));
    this.#changed(request, { trigger: "threshold", outcome: "skipped", before });
    return true;
  }

  /** True if the cache was last used longer ago than its TTL: by the end of a run, or by pruning. */
  #isPruningDue({ request, added, at, answeredAt }: PlacedStep): boolean {
    const ttl = this.settings.pruningTtlMinutes * 60_000;
    if (ttl <= 0 || request === 0) return false;
    if (added.some(startsTurn)) this.#touched = answeredAt;
    if (at === undefined || this.#touched === undefined || !(at - this.#touched >= ttl)) return false;
    this.#touched = at;
    return true;
  }

  #prune(request: RequestIndex): void {
    const { window, preset } = this.settings;
    const context = this.#session.context();
    const messages = context.map(({ message }) => message);
    const pruned = pruneResults(messages, {
      settings: { ...DEFAULT_PRUNING, ...this.settings.pruning },
      window,
      preset,
    });
    const changed = new Map(
      context.flatMap(({ entry }, at) => (isSame(pruned[at], messages[at]) ? [] : [[entry.id, pruned[at]] as const])),
    );
    if (changed.size === 0) return;
    const trimmed = [...changed.values()].filter((message) =>
      JSON.stringify(message).includes("[Tool result trimmed: "),
    );
    this.#comparison.met("results trimmed to head and tail", trimmed.length);
    const before = this.#session.size;
    if (preset !== "current") this.#held = this.#session.state;
    const results = this.#session.shown().flatMap((one): Placed[] => {
      const message = changed.get(one.entry.id);
      return message === undefined ? [] : [{ ...one, entry: { ...one.entry, message } }];
    });
    this.#session.replace(results);
    const rows = results.flatMap((one) => one.rows.slice(0, 1));
    this.#changed(request, { trigger: "threshold", outcome: "clear", before, reduced: rows });
  }

  #unchanged(request: RequestIndex, outcome: string, trigger = "threshold"): void {
    this.#changed(request, { trigger, outcome, before: this.#session.size });
  }

  #changed(
    request: RequestIndex,
    change: Pick<ExactChange, "trigger" | "outcome" | "before"> & Partial<ExactChange>,
  ): void {
    const kept = this.#session.rows();
    this.changes.push({ ...change, request, after: this.#session.size, kept });
  }
}

/** True if it is one of the releases whose compaction fails if its summary does. */
function isLater(preset: OpenClawPreset): boolean {
  return preset === "current" || preset === "release-2026-05";
}

/** Outcomes of compactions that requested a summary. */
const SUMMARY_CALLS = new Set(["summary", "fallback", "failed"]);

/** True if two messages are equal. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function startsTurn({ entry }: Placed): boolean {
  return isObject(entry.message) && (entry.message.role === "user" || entry.message.role === "bashExecution");
}

/** True if a history is compacted. Source: README.md, "When it compacts"; 2026.9.6 also requires a window that is a number above 0. */
export function isAboveThreshold(
  contextTokens: Tokens,
  window: Tokens,
  settings: { readonly enabled: boolean; readonly reserveTokens: Tokens },
  current: boolean,
): boolean {
  if (!settings.enabled) return false;
  if (current && !(Number.isFinite(window) && window > 0)) return false;
  return contextTokens > window - settings.reserveTokens;
}
