import type { Tokens } from "@/lib/core/base/units";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyChosen,
  PolicyPlan,
  PolicyRun,
  Retention,
} from "@/lib/core/compaction/policy";
import { unchanged } from "@/lib/core/compaction/retention";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings/settings";
import { CONTEXT_FILTER, memoryCount, retainCount } from "../constants";
import {
  CLAWDCODE_PRESETS,
  type ClawdcodePreset,
  clawdcodePreset,
  clawdcodeSettings,
  thresholdByDefault,
} from "../presets";
import { asDocumented } from "./as-documented";
import { current } from "./current";
import { CLAWDCODE_MEASURES } from "./measures";
import { countMessages, mayExceed, messagesWithin, newestFrom, withoutOrphanMessages } from "./messages";
import type { Front, Release } from "./release";

const RELEASES: Readonly<Record<ClawdcodePreset, Release>> = { "as-documented": asDocumented, current };

/**
 * ClawdCode's compaction over numbers: a summary, followed by the newest fifth of the messages without results whose call left. Two triggers
 * contradict each other, and both are offered: a share of the window, which the document recommends but the program never calls, and the size of
 * the last turn, which the program uses. Memory holds at most 1,000 messages.
 */
export const clawdcodePolicy: Policy = {
  id: "clawdcode",
  label: "ClawdCode",
  presets: CLAWDCODE_PRESETS,
  presetDates: { current: "2026-02" },
  measures: CLAWDCODE_MEASURES,
  settings: clawdcodeSettings,
  threshold: thresholdOf,
  begin: (plan) => new ClawdcodeRun(plan),
};

/** The size at which it fires: a share of the window under rule `context`, a figure of its own under rule `session`. */
function thresholdOf({ preset, window, settings }: PolicyChosen): Tokens {
  if (isSessionRule(settings)) return numberSetting(settings, "compressionThreshold") || thresholdByDefault(preset);
  return Math.floor(window * numberSetting(settings, "threshold"));
}

function isSessionRule(settings: Settings): boolean {
  return settings.rule === "session";
}

class ClawdcodeRun implements PolicyRun {
  readonly #threshold: Tokens;
  readonly #isSessionRule: boolean;
  readonly #maxMessages: number;
  readonly #isFiltered: boolean;
  readonly #frontOf: (view: ContextView) => Front;

  constructor(plan: PolicyPlan) {
    const { preset, settings } = plan;
    this.#threshold = thresholdOf(plan);
    this.#isSessionRule = isSessionRule(settings);
    this.#maxMessages = numberSetting(settings, "maxMessages");
    this.#isFiltered = settings.contextFilter === true;
    this.#frontOf = RELEASES[clawdcodePreset(preset)](settings);
  }

  before(view: ContextView): Compaction | undefined {
    if (this.#fires(view)) return this.compact(view);
    const messages = this.#exceedsMemory(view) ? this.#messages(view) : undefined;
    const filtered = this.#isFiltered ? messagesWithin(view, CONTEXT_FILTER) : undefined;
    const most = Math.min(messages ?? Number.POSITIVE_INFINITY, filtered ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(most) ? { ...newest(view, most), outcome: "trim" } : undefined;
  }

  compact(view: ContextView): Compaction {
    const messages = this.#messages(view);
    const { item, retain, ...made } = this.#frontOf(view);
    const retainedMessages = retainCount(messages, retain);
    return {
      // In the program `slice(-0)` is `slice(0)`, so a share of 0 keeps all of them.
      ...newest(view, retainedMessages === 0 ? messages : retainedMessages),
      ...made,
      added: [item],
      figures: { messages, retainedMessages },
    };
  }

  /** How many messages are in memory. */
  #messages(view: ContextView): number {
    return memoryCount(countMessages(view), this.#maxMessages);
  }

  /**
   * Rule `context` compares everything that would be sent (>=). Rule `session` compares the last turn's input and output (>), which are known
   * only when the next message is added: so it fires one message late, when a person writes.
   */
  #fires(view: ContextView): boolean {
    if (!this.#isSessionRule) return view.history > 0 && view.history >= this.#threshold;
    return view.request > 0 && view.turnStart && view.lastInput + view.lastOutput > this.#threshold;
  }

  #exceedsMemory(view: ContextView): boolean {
    return mayExceed(view, this.#maxMessages) && countMessages(view) > this.#maxMessages;
  }
}

/** The newest messages without orphans, and nothing before them yet. */
function newest(view: ContextView, messages: number): Retention {
  return {
    ...unchanged(view, "skipped"),
    kept: withoutOrphanMessages(view, newestFrom(view, messages)),
    addedAt: "front",
  };
}
