import { CHARS_PER_TOKEN, compressionLimit, tokensOfChars } from "@/lib/agents/mini-claude-code/base/constants";
import { MINI_PRESETS, type MiniPreset } from "@/lib/agents/mini-claude-code/base/presets";
import { miniClaudeCodeEstimator } from "@/lib/agents/mini-claude-code/estimator";
import { messageTokens } from "@/lib/agents/mini-claude-code/messages/message";
import { type NativeMessage, nativeMessages } from "@/lib/agents/mini-claude-code/messages/native";
import { miniClaudeCodePolicy } from "@/lib/agents/mini-claude-code/policy/policy";
import { truncateOutput } from "@/lib/agents/mini-claude-code/policy/tool-output";
import { assert, assertDefined } from "@/lib/core/base/assert";
import { sumOf } from "@/lib/core/base/numbers";
import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { KIND } from "@/lib/core/columns/columns";
import { callSize } from "@/lib/core/compaction/retention";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import type { Origin } from "@/lib/core/transcript/model";
import { type CheckedAgent, crossCheckOf } from "@/verify/support/checked-agent";
import { joinedSpans, type Span } from "@/verify/support/cross-check";
import type { LoadedRecording } from "@/verify/support/loaded-recording";
import { callFails, SteppedRun } from "@/verify/support/stepped-run";
import type { Step } from "@/verify/support/steps";
import type { Variant } from "@/verify/support/variant";
import { assembleSystemPrompt, compressionHint, turnPromptTokens } from "./compression";

/**
 * Compares mini-claude-code's two layers over any recording: the policy run by the engine, and the program's loop over its own messages, written
 * out step by step from the document and the source. The estimate consists of whole messages, so boundaries, kept rows and sizes must be the same
 * to the token.
 *
 * One difference is unavoidable: an output that is cut as it enters. The numbers cut its share of the message's tokens, and assume that its first
 * units and the hint after them need as many escapes in JSON as the whole. A message may differ by the error in that, and by the difference
 * between its call's id and the usual length; both are known here. Each of its cut outputs may add −1 to +2 tokens of rounding.
 */
export const checked: CheckedAgent<MiniPreset> = {
  policy: miniClaudeCodePolicy,
  presets: MINI_PRESETS,
  estimatorOf: () => miniClaudeCodeEstimator,
  variants: variantsOf,
  summaryTokens: 40,
  leastVaried: { toolOutputChars: 300 },
  exactSide: () => (run) => new ExactRun(run).compare(),
};

export const crossCheck = crossCheckOf(checked);

function variantsOf({ tokens, overhead }: LoadedRecording): readonly Variant[] {
  const items = sumOf(tokens) - overhead;
  const small = (share: number) => Math.max(20, Math.ceil((overhead + items * share) / 0.8));
  return [
    { label: "defaults", window: 128_000, given: {} },
    { label: "small window", window: small(0.2), given: {} },
    { label: "small window, outputs whole", window: small(0.2), given: { entryTruncation: false } },
    { label: "small window, short outputs", window: small(0.2), given: SHORT_OUTPUTS },
    { label: "half the window", window: small(0.5), given: {} },
    { label: "empty summaries", window: small(0.2), given: { failSummary: "empty" } },
    { label: "failing summaries", window: small(0.2), given: { failSummary: "always" } },
    { label: "the second summary fails", window: small(0.2), given: { failSummary: "2" } },
  ];
}

const SHORT_OUTPUTS = { entryTruncation: true, toolOutputChars: 700 };
/** The length that the numbers assume for a call's id. */
const CALL_ID_CHARS: Chars = 30;
const CUT = "a cut output: its share of the message, escapes not evenly spread";
const NEAR = "a limit within the bound of cut outputs";

/** One of our messages, as the program's messages. */
interface Held {
  readonly rows: readonly ItemIndex[];
  readonly origin: Origin;
  readonly tokens: Tokens;
  /** Allowed difference of its size from the policy's number; absent if nothing was truncated. */
  readonly span: Span;
}

/** A size, and its allowed difference from the policy's number. */
type Size = Pick<Held, "tokens" | "span">;

class ExactRun extends SteppedRun<MiniPreset> {
  #history: readonly Held[] = [];
  #hint: Tokens = 0;
  #calls = 0;
  /** Input of each step of the current turn: counted even if a later rollback removes it. */
  #steps: readonly Size[] = [];

  /** Handles a request: the step before it ends, the program may compress, and then the new user messages come. */
  protected override step({ request, response, added, turnStart, rowsTakenBack, emptied }: Step): void {
    if (emptied) this.#hint = 0;
    const entering = [...response, ...added].map((index) => this.#heldOf(index));
    const lastOfStep = entering.findLastIndex(({ origin }) => origin === "response" || origin === "tool") + 1;
    const step = turnStart ? entering.slice(0, lastOfStep) : entering;
    const stays = ({ rows }: Held) => (rows.length === 0 ? !emptied : !rows.some((row) => rowsTakenBack.has(row)));
    const rest = entering.slice(step.length).filter(stays);
    this.#history = [...this.#history, ...step].filter(stays);
    const where = `request ${request}`;
    const got = this.byRequest.get(request);
    if (request > 0) this.#trigger(where, this.#compared(turnStart), got !== undefined);
    if (got !== undefined) this.#compress(where, got, rest);
    if (turnStart) this.#steps = [];
    this.#history = [...this.#history, ...rest];
    if (got === undefined) this.#close(`${where}, context`, this.numbers.context[request] ?? 0, this.#size());
    this.#steps = [...this.#steps, this.#size()];
  }

  #compared(turnStart: boolean): Size {
    if (this.choice.preset === "as-documented") return this.#size();
    if (!turnStart) return { tokens: 0, span: [0, 0] };
    return { tokens: turnPromptTokens(this.#steps.map(({ tokens }) => tokens)), span: spanOf(this.#steps) };
  }

  #trigger(where: string, { tokens, span: [least, most] }: Size, compacted: boolean): void {
    const limit = compressionLimit(this.choice.window, Number(this.settings.threshold));
    if (tokens > limit === compacted) return;
    if (compacted ? tokens + most > limit : tokens + least <= limit)
      this.comparison.allow(NEAR, Math.abs(tokens - limit));
    else this.comparison.differs(`${where}: compared ${tokens}, limit ${limit}, numbers compact: ${compacted}`);
  }

  #compress(where: string, got: SimulatedCompaction, rest: readonly Held[]): void {
    const { preset } = this.choice;
    this.#close(`${where}, before`, got.tokensBefore, this.#size(rest));
    const failed = callFails(this.settings, this.#calls++);
    const { tokens, span } = this.#size();
    if (!failed) {
      const question = this.#history.findLast(({ origin }) => origin === "typed");
      this.#history = preset === "current" || question === undefined ? [] : [question];
      this.#hint =
        this.settings.failSummary === "empty" ? emptyHintTokens(preset) : Number(this.settings.summaryTokens);
    }
    const facts = failed ? { outcome: "failed", summary: 0 } : { outcome: "summary", summary: this.#hint };
    this.sameFacts(where, got, { ...facts, sent: [callSize(tokens - this.loaded.overhead), span, CUT] });
    this.#close(`${where}, after`, got.tokensAfter, this.#size(rest));
    this.sameRows(
      where,
      got,
      [...this.#history, ...rest].flatMap(({ rows }) => rows),
    );
  }

  #size(rest: readonly Held[] = []): Size {
    const held = [...this.#history, ...rest];
    return { tokens: this.loaded.overhead + this.#hint + sumOf(held.map(({ tokens }) => tokens)), span: spanOf(held) };
  }

  #close(where: string, got: Tokens, { tokens, span }: Size): void {
    this.comparison.close(where, got, tokens, span, CUT);
  }

  #heldOf(index: number): Held {
    const { transcript, contents, rowsOf, format } = this.loaded;
    const message = assertDefined(transcript.messages[index], "the message");
    const rows = rowsOf(index);
    const natives = nativeMessages(message, contents(index), format);
    const sizes = natives.map((native) => this.#sizeOf(native, rows));
    return { rows, origin: message.origin, tokens: sumOf(sizes.map(({ tokens }) => tokens)), span: spanOf(sizes) };
  }

  /** A message as it enters: with its outputs truncated if that is enabled. */
  #sizeOf({ message, blocks }: NativeMessage, rows: readonly ItemIndex[]): Size {
    const whole: Size = { tokens: messageTokens(message), span: [0, 0] };
    if (this.settings.entryTruncation !== true || !Array.isArray(message.content)) return whole;
    const parts: readonly unknown[] = message.content;
    const content = parts.map((part) => cutPart(part, this.choice.preset, this.#limit));
    const shares = blocks.map((block) => rows[block] ?? -1).filter((row) => this.#isCut(row));
    const cuts = parts.flatMap((part, at) => (content[at] === part ? [] : [[part, content[at]] as const]));
    assert(cuts.length === shares.length, "a row for every cut output");
    if (cuts.length === 0) return whole;
    const spans = cuts.map(([part, cut], at) => {
      const row = shares[at] ?? -1;
      return cutSpan(part, cut, this.loaded.tokens[row] ?? 0, (this.loaded.columns.pair[row] ?? -1) >= 0);
    });
    return { tokens: messageTokens({ role: message.role, content }), span: joinedSpans(spans) };
  }

  get #limit(): Chars {
    return Number(this.settings.toolOutputChars);
  }

  #isCut(row: ItemIndex): boolean {
    const { kind, chars } = this.loaded.columns;
    return kind[row] === KIND.tool_result && (chars[row] ?? 0) > this.#limit;
  }
}

/**
 * Difference from the policy's number for a truncated output. The policy's numbers truncate its share of the message as if escapes were spread
 * evenly, and as if its call's id, if the recording names the call, had the usual length; a comma separates it from the next part. If the share is
 * smaller than the output's JSON, as for a short output next to long ones, they treat it as text alone.
 */
function cutSpan(whole: unknown, cut: unknown, share: Tokens, isAnswer: boolean): Span {
  const [units, cutUnits] = [JSON.stringify(whole).length, JSON.stringify(cut).length];
  const [chars, kept] = [resultOf(whole)?.length ?? 0, resultOf(cut)?.length ?? 0];
  const json = units - jsonLength(whole) - idOf(whole).length + ",".length;
  const around = share >= tokensOfChars(chars + json) ? json + (isAnswer ? CALL_ID_CHARS : 0) : 0;
  const shift = (units - cutUnits) / CHARS_PER_TOKEN - (share * (chars - kept)) / (around + chars);
  return [shift - 1, shift + 2];
}

function jsonLength(part: unknown): Chars {
  return JSON.stringify(resultOf(part) ?? "").length - 2;
}

function resultOf(part: unknown): string | undefined {
  const result = typeof part === "object" && part !== null && "result" in part ? part.result : undefined;
  return typeof result === "string" ? result : undefined;
}

function idOf(part: unknown): string {
  return typeof part === "object" && part !== null && "toolCallId" in part ? String(part.toolCallId) : "";
}

function spanOf(sizes: readonly Size[]): Span {
  return joinedSpans(sizes.map(({ span }) => span));
}

/** Growth of the system prompt if the summary has no text: by the hint around it, rounded up separately. */
function emptyHintTokens(preset: MiniPreset): Tokens {
  const [without, hinted] = [[], [compressionHint("", preset)]].map((hints) => assembleSystemPrompt("", hints, preset));
  return Math.ceil(((hinted?.length ?? 0) - (without?.length ?? 0)) / CHARS_PER_TOKEN);
}

/** A part of a message with its output truncated; the part itself if nothing is truncated. */
function cutPart(part: unknown, preset: MiniPreset, limit: Chars): unknown {
  const result = resultOf(part);
  if (typeof part !== "object" || part === null || result === undefined) return part;
  const tool = "toolName" in part ? String(part.toolName) : "";
  const cut = truncateOutput(tool, result, preset, limit);
  return cut === result ? part : { ...part, result: cut };
}
