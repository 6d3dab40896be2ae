import { OUTPUT_CHARS } from "@/lib/agents/gemini-cli/base/constants";
import { geminiEstimator, geminiMeasures } from "@/lib/agents/gemini-cli/estimator";
import { type Content, partsOf } from "@/lib/agents/gemini-cli/messages/content";
import { partsTokens } from "@/lib/agents/gemini-cli/messages/tokens";
import { geminiPolicy } from "@/lib/agents/gemini-cli/policy/policy";
import { nativeContent } from "@/lib/agents/gemini-cli/read/native";
import { assertDefined } from "@/lib/core/base/assert";
import { sumOf } from "@/lib/core/base/numbers";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { KIND } from "@/lib/core/columns/columns";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import { type CheckedAgent, crossCheckOf } from "@/verify/support/checked-agent";
import type { Span } from "@/verify/support/cross-check";
import type { LoadedRecording } from "@/verify/support/loaded-recording";
import { callFails, SteppedRun } from "@/verify/support/stepped-run";
import type { Step } from "@/verify/support/steps";
import type { Variant } from "@/verify/support/variant";
import { type Compression, compress } from "./compress";
import {
  addedContent,
  changedContent,
  cutOnce,
  enteringPart,
  type Held,
  joinedSizes,
  maskedPath,
  NO_SIZE,
  type Size,
  savedPath,
  sizeOf,
  withoutParts,
} from "./held-content";
import { type Masked, maskToolOutputs } from "./masking";

/**
 * Compares Gemini CLI's two layers over any recording: the policy run by the engine, and the program's own compression and masking over the contents
 * made of the recording's messages. Each layer decides on its own before which requests it acts. Then the kept rows, the masked rows and the sizes
 * must be the same.
 *
 * Unavoidable differences:
 * - A content's estimate is rounded down once. If results in it change their size, the numbers round each result and its share of the content: a
 *   difference of at most one token for each result, and one for the content. A result that is saved to a file a second time loses a little more, which
 *   is known here but not to the numbers. If the threshold is within such a difference of the last request's size, one layer may compress and the other
 *   not.
 * - After a compression that would have increased the size, the program only cuts results. Request after request it saves again what it has already
 *   saved; the simulation does so once, and so does this check.
 * - A result is dropped with its call; the program separates the two if the user wrote something in between.
 */
export const checked: CheckedAgent<"current"> = {
  policy: geminiPolicy,
  presets: ["current"],
  estimatorOf: () => geminiEstimator,
  measures: geminiMeasures,
  variants: variantsOf,
  summaryTokens: () => partsTokens([{ text: SUMMARY }]),
  exactSide: () => (run) => new ExactRun(run).compare(),
};

export const crossCheck = crossCheckOf(checked);

function variantsOf({ tokens, overhead }: LoadedRecording): readonly Variant[] {
  const items = sumOf(tokens) - overhead;
  const window = (share: number) => 2 * (overhead + Math.max(60, Math.floor(items * share)));
  return [
    { label: "defaults", window: 1_048_576, given: {} },
    { label: "small window", window: window(1 / 6), given: {} },
    { label: "half the window, little tool output", window: window(1 / 2), given: { toolResponseTokens: 2000 } },
    {
      label: "small window, keeps six tenths",
      window: window(1 / 6),
      given: { preserve: 0.6, toolResponseTokens: 500 },
    },
    { label: "small window, outputs whole", window: window(1 / 4), given: { entryTruncation: false } },
    { label: "masking alone", window: 100_000_000, given: { entryTruncation: false } },
    {
      label: "masking early",
      window: 100_000_000,
      given: { entryTruncation: false, maskProtectedTokens: 2000, maskMinimumTokens: 1000 },
    },
    {
      label: "small window, masking early",
      window: window(1 / 6),
      given: { preserve: 0.6, toolResponseTokens: 2000, maskProtectedTokens: 500, maskMinimumTokens: 200 },
    },
    {
      label: "masking after cuts alone",
      window: window(1 / 4),
      given: { summaryTokens: 50_000, toolResponseTokens: 500, maskProtectedTokens: 500, maskMinimumTokens: 200 },
    },
    { label: "a window that few requests fit", window: window(1 / 40), given: { threshold: 0.99 } },
    { label: "empty summaries", window: window(1 / 4), given: { failSummary: "empty" } },
    {
      label: "summaries larger than the replaced history",
      window: window(1 / 4),
      given: { summaryTokens: 50_000, toolResponseTokens: 500 },
    },
    { label: "failing summaries", window: window(1 / 4), given: { failSummary: "always" } },
    { label: "the second summary fails", window: window(1 / 4), given: { failSummary: "2" } },
  ];
}

/** A length that is a whole number of tokens: the numbers assume that a summary's JSON has four characters for each token. */
const SUMMARY = "<state_snapshot>What was done, in its order, and what is left.</state_snapshot>.";
const ROUNDED = "results that change their size are rounded by themselves";
const ROUNDED_NEW = "a new history nearly as large as the old one is rounded once";
const NEAR = "a threshold within the bound of rounded results";
const NOTHING: Span = [0, 0];

class ExactRun extends SteppedRun {
  /** Everything that was sent, and its response. */
  #history: readonly Held[] = [];
  /** True if a compression would have increased the size. */
  #failedBefore = false;
  /** Messages after the response, about to be sent. */
  #pending: readonly Held[] = [];
  /** Number of requested summaries so far. */
  #calls = 0;
  /** Input of the last compression's model calls: the history twice, and the first answer. The texts of the requests are not counted. */
  #sent: Size = NO_SIZE;

  /** A summary text of the configured size, which the policy's numbers count in full. A single character is a summary of 0 tokens. */
  get #summary(): string {
    return "s".repeat(Math.max(1, 4 * Number(this.settings.summaryTokens)));
  }

  protected override step({ request, response, added, rowsTakenBack, emptied }: Step): void {
    this.#history = [...this.#history, ...this.#pending];
    this.#pending = [];
    const last = request === 0 ? { tokens: 0, span: NOTHING } : this.#size();
    const stays = ({ rows }: Held) =>
      rows.length === 0 ? !emptied : !rows.flat().some((row) => rowsTakenBack.has(row));
    // A recording may hold responses without their requests: everything before such a response was sent with it.
    const { messages } = this.loaded.transcript;
    const answered = added.findLastIndex((index) => messages[index]?.origin === "response") + 1;
    const sent = [...response, ...added.slice(0, answered)];
    this.#history = [...this.#history, ...sent.flatMap((index) => this.#heldOf(index))].filter(stays);
    this.#pending = added
      .slice(answered)
      .flatMap((index) => this.#heldOf(index))
      .filter(stays);
    const where = `request ${request}`;
    const got = this.byRequest.get(request);
    if (got !== undefined) this.#close(`${where}, before`, got.tokensBefore);
    this.#sent = NO_SIZE;
    const outcome = this.#act(where, last, got);
    this.comparison.same(`${where}, outcome`, got?.outcome ?? "none", outcome);
    if (outcome === "summary" || outcome === "failed") this.#calls += 1;
    if (got !== undefined) {
      const summary = outcome === "summary" ? Number(this.settings.summaryTokens) : 0;
      const { tokens, span } = outcome === "summary" || outcome === "failed" ? this.#sent : NO_SIZE;
      const trigger = outcome === "blocked" ? "overflow" : "threshold";
      this.sameFacts(where, got, { outcome, trigger, summary, sent: [tokens, span, ROUNDED] });
    }
    if (got === undefined) this.#close(`${where}, context`, this.numbers.context[request] ?? 0);
    else this.#compare(where, got);
  }

  /** Does the program's step before a request, and returns the outcome. */
  #act(where: string, { tokens, span: [least, most] }: Size, got: SimulatedCompaction | undefined): string {
    const limit = this.choice.window * Number(this.settings.threshold);
    const compressed = tokens > 0 && tokens + most >= limit ? this.#compressed(tokens, got) : undefined;
    const reaches = compressed !== undefined && tokens >= limit;
    const compresses = ["summary", "failed", "trim"].includes(got?.outcome ?? "none");
    if (reaches !== compresses && compressed !== undefined && tokens + least < limit && tokens + most >= limit) {
      this.comparison.allow(NEAR, Math.abs(tokens - limit));
      return compresses ? this.#takeAndMask(where, compressed, got) : this.#mask(where, got);
    }
    if (reaches) return this.#takeAndMask(where, compressed, got);
    const masked = this.#mask(where, got);
    return masked === "none" && this.#isRefused(tokens, [least, most], got) ? "blocked" : masked;
  }

  /** True if the next input is larger than the window's rest after the last request. */
  #isRefused(last: Tokens, [least, most]: Span, got: SimulatedCompaction | undefined): boolean {
    const over = sumOf(this.#pending.map(({ tokens }) => tokens)) - (this.choice.window - last);
    const isNear = over + most > 0 && over + least <= 0;
    if (!isNear || over > 0 === (got?.outcome === "blocked")) return over > 0;
    this.comparison.allow(NEAR, Math.abs(over));
    return got?.outcome === "blocked";
  }

  /** A compression of the history as if the threshold were reached; `undefined` if there is nothing to remove. */
  #compressed(original: Tokens, got: SimulatedCompaction | undefined): Compression | undefined {
    try {
      // If the model is not asked, the turn with which every chat begins is not counted.
      const history = this.#failedBefore ? undefined : this.#compression(Number.POSITIVE_INFINITY, "").history;
      const result = this.#compression(original, this.#environment(history?.length ?? 0));
      if (result.status === "NOOP") return undefined;
      if (result.status === "CONTENT_TRUNCATED") return this.#cutsAnew(result) ? result : undefined;
      return this.#nearlyLarger(result, history, got);
    } catch (error) {
      // The error ends the compression: there is no check of a missing answer.
      if (!(error instanceof FailedCall)) throw error;
      return { status: "COMPRESSION_FAILED_EMPTY_SUMMARY", originalTokens: original, newTokens: original };
    }
  }

  /** True if it truncates a whole result. */
  #cutsAnew({ history = [] }: Compression): boolean {
    return this.#history.some((held, index) => {
      const { changed } = changedContent(held, history[index] ?? {});
      return held.tokens !== partsTokens(partsOf(history[index] ?? {})) && changed.size > held.changed.size;
    });
  }

  /**
   * If the new history is about as large as the old one, decides as the numbers do: the program rounds it once, the numbers round every
   * content.
   */
  #nearlyLarger(
    result: Compression,
    history: Compression["history"],
    got: SimulatedCompaction | undefined,
  ): Compression {
    const by = result.newTokens - result.originalTokens;
    const isLarger = result.status === "COMPRESSION_FAILED_INFLATED_TOKEN_COUNT";
    if (history === undefined || isLarger !== (got?.outcome === "summary") || Math.abs(by) > history.length)
      return result;
    this.comparison.allow(ROUNDED_NEW, Math.abs(by));
    const { history: _, ...without } = result;
    if (isLarger) return { ...result, status: "COMPRESSED", history };
    return { ...without, status: "COMPRESSION_FAILED_INFLATED_TOKEN_COUNT" };
  }

  #compression(original: Tokens, environment: string): Compression {
    this.#sent = NO_SIZE;
    let split: number | undefined;
    const ask = (contents: readonly Content[]) => {
      const history = contents.slice(0, -1);
      split ??= history.length;
      this.#sent = joinedSizes([this.#sent, this.#sentFor(history, split)]);
      if (callFails(this.settings, this.#calls)) throw new FailedCall();
      return this.settings.failSummary === "empty" ? "" : this.#summary;
    };
    return compress(
      {
        history: this.#history.map(({ content }) => content),
        original,
        force: false,
        failedBefore: this.#failedBefore,
        threshold: 0,
        preserve: Number(this.settings.preserve),
        toolResponseTokens: Number(this.settings.toolResponseTokens),
        window: this.choice.window,
        maxChars: OUTPUT_CHARS,
        environment,
      },
      { ask, save: savedPath, countTokens: () => undefined },
    );
  }

  /** The size of contents of the history, and of an answer after them. */
  #sentFor(contents: readonly Content[], split: number): Size {
    const held = contents.map((content, at) => {
      const before = at < split ? this.#history[at] : undefined;
      if (before === undefined) return addedContent(content);
      return before.content === content ? before : changedContent(before, content);
    });
    return sizeOf(held);
  }

  /**
   * The turn with which every new chat begins, which the program counts as part of the new history: a text with the size that the turn has here,
   * minus its parts that are kept anyway.
   * @param contents of the new history, including summary and acknowledgement
   */
  #environment(contents: number): string {
    const before = this.#history.slice(0, this.#history.length - Math.max(0, contents - 2));
    return "e".repeat(4 * sumOf(before.filter(({ isInitial }) => isInitial).map(({ tokens }) => tokens)));
  }

  /** The program masks after every compression, whatever its outcome. */
  #takeAndMask(where: string, compressed: Compression, got: SimulatedCompaction | undefined): string {
    const outcome = this.#take(compressed);
    if (this.#mask(where, got) === "clear") this.comparison.met(`masked after: ${outcome}`);
    return outcome;
  }

  #take({ status, history }: Compression): string {
    if (status === "COMPRESSION_FAILED_INFLATED_TOKEN_COUNT") this.#failedBefore = true;
    if (history === undefined) return "failed";
    if (status === "CONTENT_TRUNCATED") {
      this.#history = this.#history.map((held, index) => changedContent(held, cutOnce(held, history[index] ?? {})));
      this.comparison.met("only cut");
      return "trim";
    }
    const initial = this.#history.filter(({ isInitial }) => isInitial);
    const tail = history.slice(2);
    const from = this.#history.length - tail.length;
    const front = history.slice(0, 2).map(addedContent);
    const kept = tail.map((content, at) =>
      changedContent(assertDefined(this.#history[from + at], "the content"), content),
    );
    this.#history = [...front, ...initial.filter((held) => this.#history.indexOf(held) < from), ...kept];
    this.#dropOrphans();
    return "summary";
  }

  /** Drops results whose call is in the recording and was dropped. */
  #dropOrphans(): void {
    const { kind, pair } = this.loaded.columns;
    const present = new Set([...this.#history, ...this.#pending].flatMap(({ rows }) => rows.flat()));
    const isOrphan = (row: ItemIndex) =>
      kind[row] === KIND.tool_result && (pair[row] ?? -1) >= 0 && !present.has(pair[row] ?? -1);
    const without = (held: Held) => (held.rows.flat().some(isOrphan) ? withoutParts(held, isOrphan) : held);
    this.#history = this.#history
      .map(without)
      .filter(({ rows, content }) => rows.length > 0 || partsOf(content).length > 0);
    this.#pending = this.#pending.map(without).filter(({ rows }) => rows.length > 0);
  }

  #mask(where: string, got: SimulatedCompaction | undefined): string {
    const masked: Masked = maskToolOutputs(
      this.#history.map(({ content }) => content),
      {
        protectedTokens: Number(this.settings.maskProtectedTokens),
        minimumTokens: Number(this.settings.maskMinimumTokens),
        protectLatestTurn: true,
      },
      maskedPath,
    );
    const rows = masked.parts.map(([index, part]) => this.#history[index]?.rows[part]?.[0] ?? -1).sort((a, b) => a - b);
    const cleared = (got?.cleared ?? []).map(([item]) => item).sort((a, b) => a - b);
    this.comparison.same(`${where}, masked rows`, cleared, rows);
    if (masked.parts.length === 0) return "none";
    this.#history = this.#history.map((held, index) => changedContent(held, masked.history[index] ?? {}));
    return "clear";
  }

  #compare(where: string, got: SimulatedCompaction): void {
    this.#close(`${where}, after`, got.tokensAfter);
    this.sameRows(
      where,
      got,
      [...this.#history, ...this.#pending].flatMap(({ rows }) => rows.flat()),
    );
  }

  #size(): Size {
    const { tokens, span } = sizeOf([...this.#history, ...this.#pending]);
    return { tokens: this.loaded.overhead + tokens, span };
  }

  #close(where: string, got: Tokens): void {
    const { tokens, span } = this.#size();
    this.comparison.close(where, got, tokens, span, ROUNDED);
  }

  #heldOf(index: number): readonly Held[] {
    const { transcript, contents, rowsOf, format } = this.loaded;
    const message = assertDefined(transcript.messages[index], "the message");
    if (message.blocks.length === 0) return [];
    const { content, parts } = nativeContent(message, contents(index), format);
    const all = rowsOf(index);
    let first = 0;
    const rows = parts.map(({ blocks }) => {
      first += blocks;
      return all.slice(first - blocks, first);
    });
    const held: Held = {
      content,
      tokens: partsTokens(partsOf(content)),
      rows,
      isInitial: message.initialContext === true,
      changed: new Map(),
    };
    if (this.settings.entryTruncation !== true) return [held];
    return [changedContent(held, { ...content, parts: parts.map(({ part }) => enteringPart(part)) })];
  }
}

/** The error of a summary call that fails. */
class FailedCall extends Error {
  override name = "FailedCall";
}
