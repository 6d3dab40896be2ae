import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { isOrphan, isUnanswered, KIND, ORIGIN } from "@/lib/core/columns/columns";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/policy/common-settings";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyChosen,
  PolicyPlan,
  PolicyRun,
  Positions,
  SyntheticItem,
} from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { bySummary, callSize, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { runEnd } from "@/lib/core/compaction/selection";
import { positionsWhere, rangesOf } from "@/lib/core/compaction/simulation/positions";
import { CONTINUATION_TOKENS, REMOVED_PERCENT, TOOL_LOOP_TOKENS } from "../base/constants";
import { GOOSE_PRESETS, gooseSettings } from "../base/presets";
import { removedResults } from "./removal";

/**
 * Goose's compaction, computed from the columns. A turn that begins above a share of the window, and a request that does not fit, are preceded by a
 * summary of the whole history; the last prompt is repeated after it. Source: README.md, "Rules".
 */
export const goosePolicy: Policy = {
  id: "goose",
  label: "Goose",
  presets: GOOSE_PRESETS,
  settings: gooseSettings,
  threshold,
  thresholdRule: () => "betweenTurns",
  // `fix_conversation` removes both from the request.
  pairedTokens: ({ columns, own }, item, tokens) =>
    isUnanswered(columns, item) || (own === true && isOrphan(columns, item)) ? 0 : tokens,
  begin: (plan) => new GooseRun(plan),
};

/** Smallest number of tokens whose share of the window is above the trigger. */
function threshold({ window, settings }: PolicyChosen): Tokens {
  const share = numberSetting(settings, "triggerShare");
  let tokens = Math.max(0, Math.trunc(window * share) - 1);
  while (tokens / window <= share) tokens += 1;
  return tokens;
}

class GooseRun implements PolicyRun {
  readonly #threshold: Tokens;
  readonly #summaryTokens: Tokens;
  readonly #failSummary: unknown;

  constructor(plan: PolicyPlan) {
    const { settings } = plan;
    this.#threshold = threshold(plan);
    // An empty answer counts as a summary.
    this.#summaryTokens = summaryIsEmpty(settings.failSummary) ? 0 : numberSetting(settings, "summaryTokens");
    this.#failSummary = settings.failSummary;
  }

  /** Compares the last response's total at the start of a turn. Before the first response, it counts the messages. */
  before(view: ContextView): Compaction | undefined {
    const used =
      view.request === 0 ? view.history - view.overhead : view.lastInput + (view.recordedOutput ?? view.lastOutput);
    if (view.turnStart && used >= this.#threshold) return this.compact(view);
    return view.history > view.window ? this.#compaction(view, "overflow") : undefined;
  }

  compact(view: ContextView): Compaction | undefined {
    return this.#compaction(view, "threshold");
  }

  #compaction(view: ContextView, trigger: "threshold" | "overflow"): Compaction | undefined {
    const from = view.turnStart ? runEnd(view) : view.items.length;
    const kept = view.turnStart ? textsFrom(view, from) : lastPrompt(view);
    // The context holds nothing but the prompt.
    if (view.turnStart ? from === 0 : kept.length === 0 && view.items.length === 0) return undefined;
    const { tokens, unsent } = summaryCall(view);
    const callTokens = callSize(tokens);
    const fits = tokens <= view.window;
    if (!fits || summaryFails(this.#failSummary, view.summaryCalls))
      return { ...unchanged(view, "failed", callTokens), trigger };
    return {
      ...bySummary({
        kept,
        added: [summaryItem(this.#summaryTokens), continuation(view)],
        summaryTokens: this.#summaryTokens,
        summaryCallTokens: callTokens,
        ...(unsent.length === 0 ? {} : { unsent }),
      }),
      trigger,
    };
  }
}

function continuation({ turnStart }: ContextView): SyntheticItem {
  return {
    kind: "request",
    name: "goOnRequest",
    role: "assistant",
    category: "assistant",
    tokens: turnStart ? CONTINUATION_TOKENS : TOOL_LOOP_TOKENS,
    label: "request to go on",
  };
}

/** The prompt that begins the turn, and the items that enter after it; a copy has no images. */
function textsFrom(view: ContextView, from: number): Positions {
  return positionsWhere(view, from, (item) => view.columns.kind[item] !== KIND.image);
}

/** The texts of the newest prompt, even if an earlier compaction repeated it. */
function lastPrompt({ items, columns }: ContextView): Positions {
  const positions: number[] = [];
  let message: number | undefined;
  for (let position = items.length - 1; position >= 0; position--) {
    const item = items.at(position);
    const own = columns.message[item];
    if (message !== undefined && own !== message) break;
    if (columns.origin[item] !== ORIGIN.typed) continue;
    message = own;
    if (columns.kind[item] === KIND.text) positions.push(position);
  }
  return rangesOf(positions.reverse());
}

/**
 * Size of the summary call, and the results that it omits. The call holds texts, calls and results, but neither thinking nor images; if it does not
 * fit, it is sent again with fewer results.
 */
function summaryCall(view: ContextView): { readonly tokens: Tokens; readonly unsent: readonly ItemIndex[] } {
  const { items, columns } = view;
  const isResult = (item: ItemIndex) => columns.kind[item] === KIND.tool_result;
  const sent = [...items.list()].slice(0, items.length).filter((item) => !isLeftOut(view, item));
  const results = sent.filter(isResult);
  const all = sent.reduce((sum, item) => sum + view.tokensOf(item), 0);
  let call = { tokens: all, unsent: [] as readonly ItemIndex[] };
  for (const percent of REMOVED_PERCENT) {
    const removed = removedResults(results.length, percent);
    const unsent = results.filter((_, index) => removed.has(index));
    call = { tokens: all - unsent.reduce((sum, item) => sum + view.tokensOf(item), 0), unsent };
    if (call.tokens <= view.window) break;
  }
  return call;
}

function isLeftOut({ columns }: ContextView, item: ItemIndex): boolean {
  const kind = columns.kind[item];
  return kind === KIND.thinking || kind === KIND.image;
}
