import { ACKNOWLEDGEMENT, RESTORED_PICTURES } from "@/lib/agents/qwen-code/base/constants";
import { type Content, isInlineImage, partsOf } from "@/lib/agents/qwen-code/messages/content";
import { contentTokens } from "@/lib/agents/qwen-code/messages/estimates";
import { textOf } from "@/lib/agents/shared/json";
import { sumOf } from "@/lib/core/base/numbers";
import type { RequestIndex, Tokens } from "@/lib/core/base/units";
import type { ExactChange } from "@/verify/support/compared-changes";
import type { LoadedRecording } from "@/verify/support/loaded-recording";
import { type Step, stepsOf } from "@/verify/support/steps";
import { HeldParts } from "./held-history";

/** The state before a request, as Qwen Code has it. */
export interface Moment {
  readonly request: RequestIndex;
  readonly history: readonly Content[];
  /** The contents of the last response if the recording has it as several messages: Qwen Code treats them as one content. */
  readonly lastResponse: readonly Content[];
  /** Pending messages. */
  readonly pending: readonly Content[];
  readonly lastInput: Tokens;
  readonly lastOutput: Tokens;
  /** Messages after the last response. */
  readonly added: Tokens;
  /** Everything that was ever in the context, except pending messages. */
  readonly seen: readonly Content[];
  readonly overhead: Tokens;
  /** Number of changes so far that requested a summary. */
  readonly summaryCalls: number;
  /** Minutes between the last response and a prompt; none within a turn. */
  readonly gapMinutes: number | undefined;
}

/** Result of a rule: the new history, or the reason for keeping the old one. */
export interface Decision {
  readonly outcome: "summary" | "failed" | "blocked" | "clear";
  readonly history: readonly Content[];
  /** True if results were cleared before a summary was requested. */
  readonly clearedFirst?: boolean;
}

export type ExactRule = (moment: Moment) => Promise<Decision | undefined>;

/** A content whose parts were cleared or lost is rounded again, and each placeholder is rounded up separately. */
const CHANGED_TOKENS: Tokens = 1;

function clearedMedia(content: Content): number {
  return partsOf(content).filter(({ text }) => textOf(text).startsWith("[Old inline media cleared: ")).length;
}

/** Number of the content's pictures that a compaction restored. */
function putBackIn(history: readonly Content[]): number {
  const parts = history.map(partsOf).find((all) => all.some(({ text }) => textOf(text).startsWith(RESTORED_PICTURES)));
  return (parts ?? []).filter(isInlineImage).length;
}

/** Runs Qwen Code's own rules, request by request, over the contents that a recording becomes. */
export class ExactRun {
  readonly changes: ExactChange[] = [];
  readonly context: Tokens[] = [];
  /** Outcomes of the summary attempts before which results were cleared. */
  readonly clearedFirst: string[] = [];
  /** Number of pictures that were cleared after a compaction had restored them. */
  clearedPutBack = 0;
  /** Allowed difference from the policy's numbers; the cross-check states the reasons. */
  readonly allowed = { within: [] as Tokens[], reason: "contents that changed are rounded again" };
  readonly #parts: HeldParts;
  readonly #sizes = new WeakMap<Content, Tokens>();
  /** The request that made the response to which a content belongs. */
  readonly #answered = new WeakMap<Content, RequestIndex>();
  #history: readonly Content[] = [];
  #seen: readonly Content[] = [];

  constructor(
    private readonly recording: LoadedRecording,
    private readonly rule: ExactRule,
    entered: ConstructorParameters<typeof HeldParts>[1],
    repairs: boolean,
  ) {
    this.#parts = new HeldParts(recording, entered, repairs);
  }

  /** Number of outputs that were truncated as they entered. */
  get cutOutputs(): number {
    return this.#parts.cutOutputs;
  }

  async run(): Promise<this> {
    for (const step of stepsOf(this.recording)) await this.#request(step);
    return this;
  }

  async #request({ request, response, added, turnStart, rowsTakenBack: taken, emptied }: Step): Promise<void> {
    const answer = this.#parts.contents(response);
    for (const content of answer) this.#answered.set(content, request);
    const withoutTaken = (contents: readonly Content[]) =>
      (taken.size === 0 ? contents : this.#parts.without(contents, (row) => taken.has(row))).filter(
        (content) => !emptied || this.#parts.isRecorded(content),
      );
    const fresh = this.#parts.contents(added);
    const whole = withoutTaken([...this.#history, ...answer, ...fresh]);
    // Unanswered messages are about to be sent, for the first time or again.
    const end = whole.findLastIndex((content) => content.role === "model" || !this.#parts.isRecorded(content)) + 1;
    const [history, pending] = [whole.slice(0, end), whole.slice(end)];
    this.#seen = [...this.#seen, ...answer, ...fresh];
    const pendingSet = new Set(pending);
    const before = this.#sizeOf(whole);
    const withinBefore = this.#withinAll(whole);
    const decision = await this.rule({
      request,
      history,
      lastResponse: this.#lastResponse(history),
      pending,
      lastInput: this.context.at(-1) ?? 0,
      lastOutput: this.#sizeOf(answer.map((content) => this.#parts.apart(content)[0])) - this.recording.overhead,
      added: this.#sizeOf(fresh) - this.recording.overhead,
      seen: this.#seen.filter((content) => !pendingSet.has(content)),
      overhead: this.recording.overhead,
      summaryCalls: this.changes.filter(({ outcome }) => outcome === "summary" || outcome === "failed").length,
      gapMinutes: turnStart ? this.#gapBefore(request, added) : undefined,
    });
    const stays = decision !== undefined && decision.outcome !== "summary";
    const cleared = stays ? this.#parts.replaced(history, decision.history) : [];
    if (decision?.clearedFirst === true) this.clearedFirst.push(decision.outcome);
    if (stays) this.clearedPutBack += putBackIn(history) - putBackIn(decision.history);
    const next = [...(decision?.history ?? history), ...pending];
    this.#history = decision?.outcome === "summary" ? this.#parts.repaired(this.#parts.withTheirCalls(next)) : next;
    const after = this.#sizeOf(this.#history);
    this.context.push(after);
    this.allowed.within.push(this.#withinAll(this.#history));
    if (decision === undefined) return;
    const kept = this.#parts.rowsOf(this.#history);
    this.changes.push({
      request,
      outcome: decision.outcome,
      before,
      within: withinBefore,
      after,
      kept,
      reduced: cleared,
    });
  }

  #withinAll(contents: readonly Content[]): Tokens {
    return contents.reduce((sum, content) => sum + this.#within(content), 0);
  }

  #gapBefore(request: RequestIndex, added: readonly number[]): number | undefined {
    const { messages, requests } = this.recording.transcript;
    const prompt = added.map((index) => messages[index]).find((message) => (message?.blocks.length ?? 0) > 0);
    const last = requests[request - 1]?.at;
    return prompt?.at === undefined || last === undefined ? undefined : (prompt.at - last) / 60_000;
  }

  #lastResponse(history: readonly Content[]): readonly Content[] {
    const last = history.at(-1);
    const request = last === undefined ? undefined : this.#answered.get(last);
    if (request === undefined) return history.slice(-1);
    return history.slice(history.findLastIndex((content) => this.#answered.get(content) !== request) + 1);
  }

  #within(content: Content): Tokens {
    const [first, ...others] = partsOf(content);
    // One for the acknowledgement, and one for every message from which calls were taken.
    if (first?.text === ACKNOWLEDGEMENT && content.role === "model") return others.length > 0 ? 1 + others.length : 0;
    const cut = CHANGED_TOKENS * (this.#parts.cutParts(content) + clearedMedia(content));
    if (!this.#parts.isRecorded(content) || this.#parts.isWhole(content)) return cut;
    if (content.role === "model") return CHANGED_TOKENS * (others.length + 1);
    return cut + CHANGED_TOKENS * Math.max(1, this.#parts.clearedParts(content));
  }

  #sizeOf(contents: readonly Content[]): Tokens {
    return contents.reduce((sum, content) => sum + this.#contentTokens(content), this.recording.overhead);
  }

  #contentTokens(content: Content): Tokens {
    // An error for a call is part of the next content, and its size is rounded up separately.
    const size = this.#sizes.get(content) ?? sumOf(this.#parts.apart(content).map((one) => contentTokens([one])));
    this.#sizes.set(content, size);
    return size;
  }
}
