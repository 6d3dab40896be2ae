import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { givesNoSummary } from "@/lib/core/compaction/common-settings";
import type {
  Compaction,
  ContextView,
  PolicyChosen,
  PolicyPlan,
  PolicyRun,
  Retention,
} from "@/lib/core/compaction/policy";
import { positionsOf } from "@/lib/core/compaction/positions";
import { bySummary, clearing, itemsFrom, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { numberSetting } from "@/lib/core/compaction/settings";
import {
  computeThresholds,
  MAX_FAILURES,
  PICTURE_WORD_TOKENS,
  PROMPT_TOKENS,
  SUMMARY_REQUEST_TOKENS,
  summaryBudget,
  type Thresholds,
} from "../constants";
import { attachments, type MostAttachments } from "./attachments";
import { asCleared, Clearing } from "./clearing";
import { acknowledgementItem, CALL, pendingFrom, RESULT } from "./history";
import { openCall, withTheirCalls } from "./open-call";
import { mediaOf } from "./pictures";
import type { Release } from "./release";
import { hasPictures, type Results, resultsOf } from "./results";

/** The release of 0.24.4: old results are cleared, and all of the history that is left becomes a summary. */
export const current: Release = {
  enteredMeasure: "qwen-code.enteredCurrent",
  looksBack: true,
  threshold: (chosen) => chosen.window - Math.max(0, Math.round(chosen.window - thresholdsOf(chosen).auto)),
  begin: (plan) => new CurrentRun(plan),
};

function thresholdsOf({ window, settings }: PolicyChosen): Thresholds {
  return computeThresholds(window, {
    share: numberSetting(settings, "threshold"),
    summaryReserve: numberSetting(settings, "summaryReserve"),
    autoBuffer: numberSetting(settings, "autoBuffer"),
  });
}

/** By itself, or by force above the hard threshold. */
type Attempt = "auto" | "rescue";

class CurrentRun implements PolicyRun {
  readonly #window: Tokens;
  readonly #thresholds: Thresholds;
  readonly #mostFailures: Readonly<Record<Attempt, number>>;
  readonly #imageTrigger: number;
  readonly #summaryTokens: Tokens;
  readonly #failSummary: unknown;
  readonly #mostAttachments: MostAttachments;
  readonly #results: Results;
  readonly #clearing: Clearing;
  /** Attempts since the last summary that brought none. */
  #failures: Readonly<Record<Attempt, number>> = NO_FAILURES;
  /** Pictures that the last summary put back and that are still there. */
  #putBack = 0;

  constructor(plan: PolicyPlan) {
    const { columns, settings, window } = plan;
    const number = (key: string) => numberSetting(settings, key);
    this.#window = window;
    this.#thresholds = thresholdsOf(plan);
    this.#mostFailures = { auto: number("maxFailures"), rescue: MAX_FAILURES };
    this.#imageTrigger = number("imageTrigger");
    this.#summaryTokens = number("summaryTokens");
    this.#failSummary = settings.failSummary;
    this.#mostAttachments = { files: number("restoreFiles"), pictures: number("restoreImages") };
    this.#results = resultsOf(columns, settings.entryTruncation === true);
    this.#clearing = new Clearing(plan);
  }

  /**
   * Old results are cleared, and what that leaves is compacted. The size that is compared is from before the clearing: the last
   * usage. Of what was cleared a summary leaves nothing; where none is made the cleared results stay cleared.
   */
  before(view: ContextView): Compaction | undefined {
    const changes = this.#clearing.before(view, this.#putBack);
    const left = changes === undefined ? view : asCleared(view, changes);
    this.#putBack -= changes?.pictures ?? 0;
    const kind = this.#attempt(left);
    const attempted = kind === undefined ? undefined : this.#compacted(left, kind);
    if (attempted?.outcome === "summary" || changes === undefined) {
      return attempted && { ...attempted, trigger: "threshold" };
    }
    this.#clearing.clear(changes);
    const { outcome = "clear", summaryCallTokens = 0 } = attempted ?? {};
    const retention = { ...clearing(view, changes.rows), truncated: changes.putBack };
    return { ...retention, trigger: "threshold", outcome, summaryCallTokens };
  }

  /** Whether and how it asks for a summary now: by itself and by force, each until it failed too often. */
  #attempt(view: ContextView): Attempt | undefined {
    const { auto, hard } = this.#thresholds;
    const tokens = effectiveTokens(view);
    if (tokens < auto && !this.#hasManyPictures(view)) return undefined;
    if (!hasTwoContents(view)) return undefined;
    const kind = tokens >= hard ? "rescue" : "auto";
    return this.#failures[kind] < this.#mostFailures[kind] ? kind : undefined;
  }

  #hasManyPictures(view: ContextView): boolean {
    return this.#imageTrigger > 0 && hasPictures(view, this.#results, this.#imageTrigger);
  }

  /** The summary, the acknowledgement and what is put back, with a call that is still open; or that it came to nothing. */
  #compacted(view: ContextView, kind: Attempt): Retention {
    const { columns } = view;
    const all = itemsFrom(view, 0);
    const end = pendingFrom(view);
    const [history, pending] = [all.slice(0, end), all.slice(end)];
    const call = openCall(view, history);
    const answered = pending.some((item) => columns.kind[item] === RESULT);
    const sent = tokensOf(view, history) - (answered ? 0 : tokensOf(view, call));
    const callTokens = sent + PROMPT_TOKENS + (answered ? tokensOf(view, pending) : 0);
    const attached = attachments(view, { items: history, putBack: this.#putBack }, this.#mostAttachments);
    // Behind attachments the call stands by itself and counts anew; else its call parts join the acknowledgement.
    const isApart = attached.items.length > 0;
    const restored = attached.items.reduce((sum, { tokens }) => sum + tokens, 0) + (isApart ? tokensOf(view, call) : 0);
    const used = effectiveTokens(view);
    const after = Math.max(0, used - sent + this.#summaryTokens) + restored;
    const isCutOff = this.#isCutOff(this.#requestTokens(view, answered ? all : history, callTokens));
    const isKept = after <= used && !isCutOff && !givesNoSummary(this.#failSummary, view.summaryCalls);
    // The program counts what is about to be sent twice here: it stands in the size that it began with.
    const isRefused = kind === "rescue" && after + tokensOf(view, pending) >= this.#thresholds.hard;
    if (!isKept || isRefused) return this.#failed(view, kind, callTokens);
    this.#failures = NO_FAILURES;
    this.#putBack = attached.pictures;
    this.#clearing.summarise();
    const keptCall = isApart ? call : call.filter((item) => columns.kind[item] === CALL);
    return bySummary({
      kept: positionsOf(view, withTheirCalls(view, [...keptCall, ...pending])),
      added: [summaryItem(this.#summaryTokens), acknowledgementItem, ...attached.items],
      summaryTokens: this.#summaryTokens,
      summaryCallTokens: callTokens,
    });
  }

  /** The history stays; above the hard threshold the request is refused. */
  #failed(view: ContextView, kind: Attempt, callTokens: Tokens): Retention {
    this.#failures = { ...this.#failures, [kind]: this.#failures[kind] + 1 };
    return unchanged(view, kind === "rescue" ? "blocked" : "failed", callTokens);
  }

  /** Whether a summary uses up its budget: it is taken to be cut off then. */
  #isCutOff(requestTokens: Tokens): boolean {
    return this.#summaryTokens >= summaryBudget(requestTokens, this.#window);
  }

  /** Estimate of the request for a summary: what is sent, a word in the place of every medium, and what asks for it. */
  #requestTokens(view: ContextView, asked: readonly ItemIndex[], callTokens: Tokens): Tokens {
    const media = asked.map((item) => mediaOf(view, item, this.#putBack));
    const spared = media.reduce((total, { count, tokens }) => total + tokens - count * PICTURE_WORD_TOKENS, 0);
    return callTokens - PROMPT_TOKENS + SUMMARY_REQUEST_TOKENS - spared;
  }
}

const NO_FAILURES: Readonly<Record<Attempt, number>> = { auto: 0, rescue: 0 };

/** Last usage, last output and what is new; before any usage the estimate of the conversation alone. */
function effectiveTokens(view: ContextView): Tokens {
  return view.lastInput > 0 ? view.lastInput + view.lastOutput + view.added : view.history - view.overhead;
}

function hasTwoContents(view: ContextView): boolean {
  const { columns, items } = view;
  const end = pendingFrom(view);
  if (end < 2) return false;
  const first = items.at(0);
  return first >= columns.length || columns.message[first] !== columns.message[items.at(end - 1)];
}

function tokensOf(view: ContextView, items: readonly ItemIndex[]): Tokens {
  return items.reduce((sum, item) => sum + view.tokensOf(item), 0);
}
