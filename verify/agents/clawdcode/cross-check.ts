import { MESSAGE_TOKENS, QUOTED_CHARS, QUOTED_REQUESTS, retainCount } from "@/lib/agents/clawdcode/base/constants";
import { CLAWDCODE_PRESETS, type ClawdcodePreset } from "@/lib/agents/clawdcode/base/presets";
import { clawdcodeMeasures, createClawdcodeEstimator } from "@/lib/agents/clawdcode/estimator";
import { DEFAULT_MODEL, encodingOf } from "@/lib/agents/clawdcode/messages/encodings";
import { type ClawdMessage, contentText } from "@/lib/agents/clawdcode/messages/message";
import { toNative } from "@/lib/agents/clawdcode/messages/native";
import { messageTokens } from "@/lib/agents/clawdcode/messages/token-counter";
import { clawdcodePolicy } from "@/lib/agents/clawdcode/policy/policy";
import { retainCandidates, retained, withoutOrphans } from "@/lib/agents/clawdcode/summary/retain";
import { assertDefined } from "@/lib/core/base/assert";
import { sumOf } from "@/lib/core/base/numbers";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import { type CheckedAgent, crossCheckOf } from "@/verify/support/checked-agent";
import { exactCounter } from "@/verify/support/counter";
import type { Span } from "@/verify/support/cross-check";
import type { LoadedRecording } from "@/verify/support/loaded-recording";
import { callFails, SteppedRun } from "@/verify/support/stepped-run";
import type { Step } from "@/verify/support/steps";
import type { Variant } from "@/verify/support/variant";
import { withinMemory } from "./compaction";
import { automaticSummary, failureText, summaryMessage } from "./summary";
import { shouldCompact } from "./token-counter";

/**
 * Compares ClawdCode's two layers over any recording: the policy run by the engine, and the program's own functions over its own messages. Its count
 * is additive, so boundaries, kept rows and sizes must be the same to the token.
 *
 * Unavoidable differences:
 * - The automatic summary's size is an estimate from numbers; the exact size differs by at most 40 % and 12 tokens. Both layers continue with the
 *   estimated size, so that nothing else differs because of it.
 * - The note about a failed compaction is assumed to state a number of at most three digits: 2 tokens.
 * - A result belongs to one call: the newest before it that has its id. The program accepts any call with the id, even a later one. If that decides
 *   whether a result is an orphan, the row's own call counts.
 */
export const checked: CheckedAgent<ClawdcodePreset> = {
  policy: clawdcodePolicy,
  presets: CLAWDCODE_PRESETS,
  estimatorOf: () => estimator,
  measures: clawdcodeMeasures(),
  variants: variantsOf,
  summaryTokens: () => messageTokens(SUMMARY, count),
  notVaried: ["summaryTokens"],
  exactSide: () => (run) => new ExactRun(run).compare(),
};

export const crossCheck = crossCheckOf(checked);

const estimator = createClawdcodeEstimator(exactCounter);

function variantsOf({ tokens, overhead, transcript }: LoadedRecording, preset: ClawdcodePreset): readonly Variant[] {
  const low = Math.max(40, Math.floor((sumOf(tokens) - overhead) / 6));
  const window = overhead + Math.ceil(low / 0.8);
  const session = { rule: "session", compressionThreshold: Math.min(2_000_000, overhead + low) };
  const both: readonly Variant[] = [
    { label: "defaults", window: preset === "current" ? 200_000 : 128_000, given: {} },
    { label: "low threshold of a turn", window, given: session },
    { label: "failing summaries", window, given: { rule: "context", failSummary: "always" } },
    { label: "empty summaries", window, given: { rule: "context", failSummary: "empty" } },
  ];
  if (preset === "current") return both;
  const few = Math.max(4, Math.floor(transcript.messages.length / 5));
  const unlimited = { rule: "session", compressionThreshold: 2_000_000 };
  return [
    ...both,
    { label: "small window", window, given: { rule: "context" } },
    { label: "small window and memory", window, given: { rule: "context", maxMessages: few } },
    { label: "small memory alone", window, given: { ...unlimited, maxMessages: few } },
  ];
}

const count = exactCounter(encodingOf(DEFAULT_MODEL));
const SUMMARY = summaryMessage("What was done, and what is left.");
const ERROR = "LLM unavailable";
const AUTOMATIC = "the automatic summary's size is an estimate";
const METRICS = 4;
/** Tokens of a message without its content: the program's constant, and its role. */
const ENVELOPE_TOKENS: Tokens = MESSAGE_TOKENS + 1;
const NOTE = "the count in the note of a failed compaction";
const TWO_CALLS = "a result whose id several calls have";

/** A message of the exact history. */
interface Held extends ClawdMessage {
  /** The rows that it comes from; none for items that a compaction added. */
  readonly rows: readonly ItemIndex[];
  readonly tokens: Tokens;
  /** For a result: the row of its call; −1 if there is none. */
  readonly call: ItemIndex;
  /** NaN without a time. */
  readonly at: number;
}

class ExactRun extends SteppedRun<ClawdcodePreset> {
  #history: readonly Held[] = [];
  /** Number of requested summaries so far. */
  #calls = 0;

  get #isCurrent(): boolean {
    return this.choice.preset === "current";
  }

  protected override step(step: Step): void {
    const { request } = step;
    this.#enter(step.response);
    const turnTokens = request === 0 ? 0 : this.#size();
    this.#enter(step.added);
    const { rowsTakenBack, emptied } = step;
    const isTakenBack = ({ rows }: Held) => (rows.length === 0 ? emptied : rows.some((row) => rowsTakenBack.has(row)));
    if (rowsTakenBack.size > 0 || emptied) this.#history = this.#history.filter((held) => !isTakenBack(held));
    const where = `request ${request}`;
    const got = this.byRequest.get(request);
    const exact = this.#outcome(step, turnTokens);
    this.comparison.same(`${where}, outcome`, got?.outcome ?? "none", exact);
    if (got === undefined) this.comparison.same(`${where}, context`, this.numbers.context[request] ?? 0, this.#size());
    else if (exact !== "none") this.#compaction(where, got, exact);
  }

  #size(): Tokens {
    return this.loaded.overhead + sumOf(this.#history.map(({ tokens }) => tokens));
  }

  #enter(messages: readonly number[]): void {
    this.#history = [...this.#history, ...messages.flatMap((index) => this.#heldOf(index))];
  }

  #heldOf(index: number): readonly Held[] {
    const { transcript, contents, rowsOf, columns } = this.loaded;
    const message = assertDefined(transcript.messages[index], "the message");
    const rows = rowsOf(index);
    return toNative(message, contents(index)).map((native) => {
      const first = rows[native.blocks[0] ?? 0] ?? -1;
      return {
        ...native.message,
        rows: native.blocks.map((block) => rows[block] ?? -1),
        tokens: messageTokens(native.message, count),
        call: native.message.role === "tool" ? (columns.pair[first] ?? -1) : -1,
        at: message.at ?? Number.NaN,
      };
    });
  }

  /** Does the program's step and returns the outcome. */
  #outcome({ turnStart }: Step, turnTokens: Tokens): string {
    const { rule, threshold, maxMessages, failSummary } = this.settings;
    const compressionThreshold = Number(this.settings.compressionThreshold) || (this.#isCurrent ? 100_000 : 6_000);
    const isEmpty = failSummary === "empty" && this.#isCurrent;
    const fires =
      rule === "context"
        ? this.#size() > 0 && shouldCompact(this.#size(), this.choice.window, Number(threshold))
        : turnStart && turnTokens > compressionThreshold;
    if (!fires) {
      const isFull = this.#history.length > Number(maxMessages);
      return isFull || (this.settings.contextFilter === true && filtered(this.#history) !== this.#history)
        ? "trim"
        : "none";
    }
    const isAutomatic = this.#isCurrent && rule === "session";
    return isAutomatic || !(isEmpty || callFails(this.settings, this.#calls)) ? "summary" : "fallback";
  }

  #compaction(where: string, got: SimulatedCompaction, outcome: string): void {
    this.comparison.same(`${where}, before`, got.tokensBefore, this.#size());
    const memory = this.#memory();
    const front = outcome === "trim" ? [] : [this.#front(where, got, outcome, memory.length)];
    const failed = outcome === "fallback" && !this.#isCurrent;
    const share = Number(failed ? this.settings.fallbackRetain : this.settings.retain);
    const remaining = outcome === "trim" && this.settings.contextFilter === true ? filtered(memory) : memory;
    const exact = (outcome === "trim" ? withoutOrphans(remaining) : retained(memory, share)) as readonly Held[];
    const kept = withOwnCalls(exact, outcome === "trim" ? remaining : retainCandidates(memory, share));
    if (exact.length !== kept.length)
      this.comparison.allow(
        TWO_CALLS,
        sumOf(exact.map(({ tokens }) => tokens)) - sumOf(kept.map(({ tokens }) => tokens)),
      );
    if (outcome !== "trim") this.#calls += 1;
    this.#history = [...front, ...kept];
    // The note about a failed compaction is not a summary, and no call makes a summary after a turn that was too large.
    const isCalled = outcome !== "trim" && !(this.#isCurrent && this.settings.rule === "session");
    const summary = !isCalled || failed ? 0 : (front[0]?.tokens ?? 0);
    this.sameFacts(where, got, { outcome, summary });
    this.comparison.same(`${where}, after`, got.tokensAfter, this.#size());
    this.sameRows(
      where,
      got,
      kept.flatMap(({ rows }) => rows),
    );
  }

  /** The messages in memory after they were added one by one. */
  #memory(): readonly Held[] {
    let memory: readonly Held[] = [];
    for (const message of this.#history) memory = withinMemory([...memory, message], Number(this.settings.maxMessages));
    return memory;
  }

  #front(where: string, got: SimulatedCompaction, outcome: string, messages: number): Held {
    const { rule, fallbackRetain } = this.settings;
    const added = assertDefined(got.added[0], "what was added").tokens;
    const held = (message: ClawdMessage): Held => ({ ...message, rows: [], tokens: added, call: -1, at: Number.NaN });
    if (outcome === "fallback" && !this.#isCurrent) {
      const note = summaryMessage(failureText(retainCount(messages, Number(fallbackRetain)), ERROR, "as-documented"));
      this.comparison.close(`${where}, note`, added, messageTokens(note, count), [-2, 2], NOTE);
      return held(note);
    }
    if (rule === "session" ? this.#isCurrent : outcome === "fallback") {
      const automatic = summaryMessage(automaticSummary(this.#history));
      const span = automaticSpan(this.#history);
      this.comparison.close(`${where}, automatic summary`, added, messageTokens(automatic, count), span, AUTOMATIC);
      return held(automatic);
    }
    const summary = this.settings.failSummary === "empty" ? summaryMessage("") : SUMMARY;
    this.comparison.same(`${where}, summary`, added, messageTokens(summary, count));
    return held(summary);
  }
}

/**
 * Tolerance of an automatic summary's estimate: for each quote, the difference between its first characters and the message's average, and its
 * rounding; and one for each number in the frame.
 */
function automaticSpan(history: readonly Held[]): Span {
  const quoted = history.filter(({ role }) => role === "user").slice(-QUOTED_REQUESTS);
  const shift = sumOf(quoted.map((message) => quoteAverage(message) - quoteTokens(message)));
  return [Math.floor(shift) - quoted.length - METRICS, Math.ceil(shift) + quoted.length + METRICS];
}

/** Tokens of a quote, without dash and line end. */
function quoteTokens(message: Held): Tokens {
  const text = contentText(message);
  return count(text.length > QUOTED_CHARS ? `${text.slice(0, QUOTED_CHARS)}...` : text);
}

/**
 * The same, computed from the average over the whole message; for items that a compaction added, four characters per token are assumed.
 */
function quoteAverage(message: Held): Tokens {
  const chars = message.rows.length === 0 ? message.tokens * 4 : contentText(message).length;
  const tokens = message.rows.length === 0 ? message.tokens - ENVELOPE_TOKENS : count(contentText(message));
  return tokens * Math.min(1, QUOTED_CHARS / Math.max(1, chars));
}

/** The newest messages within the limits of the context filter; the same list if all of them are. */
function filtered(messages: readonly Held[]): readonly Held[] {
  const newest = messages.findLast(({ at }) => !Number.isNaN(at))?.at ?? Number.NaN;
  const fits = (_: Held, index: number) => {
    const rest = messages.slice(index);
    const isYoung = rest.every(({ at }) => !(newest - at > 24 * 3600 * 1000));
    return rest.length === 1 || (rest.length <= 50 && sumOf(rest.map(({ tokens }) => tokens)) <= 32_000 && isYoung);
  };
  const first = messages.findIndex(fits);
  return first <= 0 ? messages : messages.slice(first);
}

/** The messages without the results whose own call is not among the candidates. */
function withOwnCalls(messages: readonly Held[], candidates: readonly ClawdMessage[]): readonly Held[] {
  const rows = new Set((candidates as readonly Held[]).flatMap((message) => message.rows));
  return messages.filter(({ role, tool_call_id: id, call }) => role !== "tool" || !id || rows.has(call));
}
