import { COMPACTION_QUESTION, CONTINUE_TEXT } from "@/lib/agents/opencode/base/constants";
import { interruptedResult, nativeMessage } from "@/lib/agents/opencode/messages/native";
import { tokensOfChars } from "@/lib/agents/opencode/messages/tokens";
import { type ModelLimit, type OverflowConfig, usable } from "@/lib/agents/opencode/policy/overflow";
import { type TailConfig, tailBudget, tailStart } from "@/lib/agents/opencode/policy/tail";
import { assertDefined } from "@/lib/core/base/assert";
import type { ItemIndex, RequestIndex, Tokens } from "@/lib/core/base/units";
import { KIND, recordedContext } from "@/lib/core/columns/columns";
import type { ExactChange } from "@/verify/support/compared-changes";
import type { LoadedRecording } from "@/verify/support/loaded-recording";
import { type Step, stepsOf } from "@/verify/support/steps";
import { prunedParts } from "./conformance";
import {
  cleared,
  type Held,
  isResult,
  modelMessage,
  modelMessages,
  rowsOf,
  type SentMessage,
  sentTokens,
  withoutRows,
} from "./held-message";
import { isOverflow, isOverflowOf2025 } from "./overflow";

/** All settings of opencode that matter here. */
export interface ExactSettings {
  readonly limit: ModelLimit;
  readonly overflow: OverflowConfig;
  /** True if the rule of 2025 decides. */
  readonly is2025: boolean;
  readonly tail: TailConfig;
  readonly prune: { readonly protect: Tokens; readonly minimum: Tokens } | undefined;
  readonly summaryTokens: Tokens;
  /** True if a summary call, counted from 0, fails. */
  readonly fails: (call: number) => boolean;
}

/** Runs opencode's own rules, request by request, over the messages as they are sent. */
export class ExactRun {
  readonly changes: ExactChange[] = [];
  readonly context: Tokens[] = [];
  #history: readonly Held[] = [];
  /** Ids of the calls that have a result. */
  readonly #answered: ReadonlySet<string>;
  readonly #sizes = new WeakMap<SentMessage, Tokens>();

  constructor(
    private readonly recording: LoadedRecording,
    private readonly settings: ExactSettings,
  ) {
    this.#answered = new Set(
      recording.transcript.messages.flatMap(({ blocks }) =>
        blocks.flatMap(({ kind, callId }) => (kind === "tool_result" && callId !== undefined ? [callId] : [])),
      ),
    );
    for (const step of stepsOf(recording)) this.#request(step);
  }

  #request({ request, response, added, turnStart, takenBack, emptied }: Step): void {
    this.#enter(response);
    const input = this.context.at(-1) ?? 0;
    const output = response.reduce((sum, index) => sum + this.#messageTokens(index) - this.#standIns(index), 0);
    const next = turnStart ? this.#nextTurn(added, takenBack) : [];
    this.#enter(added.filter((index) => !next.includes(index)));
    this.#takeBack(takenBack, emptied);
    const overflows = input > 0 && this.#overflows(input, output);
    if (overflows) this.#compact(request, next);
    else this.#enter(next);
    if (!overflows && turnStart && this.settings.prune !== undefined) this.#prune(request, added, this.settings.prune);
    this.context.push(this.#size());
  }

  /** Messages that enter the session only after the run has ended: everything after its last result. */
  #nextTurn(added: readonly number[], takenBack: readonly number[]): readonly number[] {
    const stays = added.filter((index) => !takenBack.includes(index));
    const last = stays.findLastIndex((index) => ["tool", "response"].includes(this.#originOf(index)));
    return stays.slice(last + 1);
  }

  #enter(messages: readonly number[]): void {
    for (const index of messages) {
      const held = this.#held(index);
      if (held !== undefined) this.#history = joined(this.#history, held, this.#originOf(index) === "tool");
    }
  }

  #originOf(index: number): string {
    return assertDefined(this.recording.transcript.messages[index], "a message").origin;
  }

  #held(index: number): Held | undefined {
    const { transcript, contents, format, rowsOf: rows } = this.recording;
    const message = assertDefined(transcript.messages[index], "a message");
    if (message.blocks.length === 0) return undefined;
    const { role, content } = nativeMessage(message, contents(index), format);
    const parts = content.map((json, part) => {
      const block = message.blocks[part];
      return {
        row: rows(index)[part] ?? -1,
        json,
        tool: block?.tool ?? "",
        isError: block?.isError === true,
        tokens: tokensOfChars(block?.text.chars ?? 0),
        cleared: false,
        interrupted:
          block?.kind === "tool_call" && block.callId !== undefined && !this.#answered.has(block.callId)
            ? interruptedResult(block)
            : undefined,
      };
    });
    const isOwn = format === "opencode" && message.role !== "assistant" && message.origin !== "tool";
    const startsTurn = message.origin === "typed" || isOwn;
    return { kind: message.role === "assistant" ? "assistant" : "user", startsTurn, sent: [{ role, parts }] };
  }

  #messageTokens(index: number): Tokens {
    const held = this.#held(index);
    return held === undefined ? 0 : this.#sizeOf(held);
  }

  /** Results generated for the calls of a message are not part of its response's output. */
  #standIns(index: number): Tokens {
    const parts = this.#held(index)?.sent.flatMap((sent) => sent.parts) ?? [];
    const made = parts.flatMap(({ interrupted }) => (interrupted === undefined ? [] : [interrupted]));
    return made.reduce((sum, one) => sum + tokensOfChars(JSON.stringify(one).length), 0);
  }

  #sizeOf({ sent }: Held): Tokens {
    return sent.reduce((sum, message) => {
      const size = this.#sizes.get(message) ?? sentTokens(message);
      this.#sizes.set(message, size);
      return sum + size;
    }, 0);
  }

  #size(): Tokens {
    return this.recording.overhead + this.#history.reduce((sum, held) => sum + this.#sizeOf(held), 0);
  }

  #takeBack(messages: readonly number[], emptied: boolean): void {
    const rows = new Set(messages.flatMap((index) => this.recording.rowsOf(index)));
    const isTakenBack = (row: number) => (row < 0 ? emptied : rows.has(row));
    if (rows.size > 0 || emptied) this.#history = withoutRows(this.#history, isTakenBack);
  }

  #overflows(input: Tokens, output: Tokens): boolean {
    const { columns } = this.recording;
    const last = this.context.length - 1;
    // An input that equals the recorded one has the recorded cache write too.
    const isRecorded = recordedContext(columns, last) === input;
    const cacheWrite = isRecorded ? Math.max(0, columns.requests.cacheWrite[last] ?? 0) : 0;
    const tokens = { input: input - cacheWrite, output, cacheRead: 0, cacheWrite };
    const { is2025, limit, overflow } = this.settings;
    return (is2025 ? isOverflowOf2025 : isOverflow)(tokens, limit, overflow);
  }

  #compact(request: RequestIndex, next: readonly number[]): void {
    const { limit, overflow, tail, summaryTokens, fails } = this.settings;
    const before = this.#size() + next.reduce((sum, index) => sum + this.#messageTokens(index), 0);
    const failed = fails(this.changes.filter((change) => change.outcome !== "clear").length);
    if (!failed) {
      // Earlier questions and summaries do not affect the choice, but those within the tail are still sent.
      const history = this.#history.filter(({ kind }) => kind !== "question" && kind !== "summary");
      const size = (from: number, to: number) => listTokens(history.slice(from, to));
      const starts = history.map(({ startsTurn }) => startsTurn);
      const start = tailStart(starts, size, tailBudget(usable(limit, overflow), tail), tail);
      const first = start === undefined ? undefined : history[start];
      const kept = first === undefined ? [] : this.#history.slice(this.#history.indexOf(first));
      const remaining = new Set(kept.flatMap(rowsOf));
      const complete = withoutRows(kept, (row) => this.#isOrphan(row, remaining));
      this.#history = [
        ...complete,
        addedText("question", COMPACTION_QUESTION),
        summary(summaryTokens),
        addedText("continue", CONTINUE_TEXT),
      ];
    }
    this.#enter(next);
    const kept = this.#rows();
    const outcome = failed ? "failed" : "summary";
    this.changes.push({ request, outcome, before, after: this.#size(), kept });
  }

  /** True if it is a result, or an image after one, whose call is not kept. */
  #isOrphan(row: ItemIndex, remaining: ReadonlySet<ItemIndex>): boolean {
    const { kind, message, pair } = this.recording.columns;
    let result = row;
    while (kind[result] === KIND.image && message[result - 1] === message[row]) result -= 1;
    const call = kind[result] === KIND.tool_result ? (pair[result] ?? -1) : -1;
    return call >= 0 && !remaining.has(call);
  }

  #rows(): readonly ItemIndex[] {
    return this.#history.flatMap(rowsOf).toSorted((a, b) => a - b);
  }

  /** The messages of the new turn came after the clearing. */
  #prune(
    request: RequestIndex,
    added: readonly number[],
    { protect, minimum }: NonNullable<ExactSettings["prune"]>,
  ): void {
    // Other agents' files may add whole turns, with their responses, to one request.
    const lastResponse = added.findLastIndex((index) => this.#originOf(index) === "response");
    const fresh = new Set(added.slice(lastResponse + 1).flatMap((index) => this.recording.rowsOf(index)));
    const ended = this.#history.findLastIndex((held) => !rowsOf(held).every((row) => fresh.has(row))) + 1;
    const messages = this.#history.slice(0, ended).map((held) => ({
      role: held.kind === "assistant" || held.kind === "summary" ? "assistant" : held.startsTurn ? "user" : "context",
      summary: held.kind === "summary",
      parts: held.sent
        .flatMap(({ parts }) => parts)
        .filter(isResult)
        .map((part) => ({ ...part, completed: !part.isError })),
    }));
    const { parts, applied } = prunedParts(messages, protect, minimum);
    if (!applied) return;
    const before = this.#size();
    const rows = new Set(parts.map(({ row }) => row));
    const kept = this.#rows();
    this.#history = this.#history.map((held) => ({ ...held, sent: held.sent.map((sent) => clearedOnce(sent, rows)) }));
    const results = [...rows].toSorted((a, b) => a - b);
    this.changes.push({ request, outcome: "clear", before, after: this.#size(), kept, reduced: results });
  }
}

function clearedOnce(sent: SentMessage, rows: ReadonlySet<ItemIndex>): SentMessage {
  return sent.parts.some(({ row }) => rows.has(row)) ? cleared(sent, rows) : sent;
}

/** A list of messages is measured as a whole. */
function listTokens(history: readonly Held[]): Tokens {
  return tokensOfChars(JSON.stringify(history.flatMap(({ sent }) => sent.flatMap(modelMessages))).length);
}

/** Results belong to the message before them. */
function joined(history: readonly Held[], held: Held, isResultMessage: boolean): readonly Held[] {
  const last = history.findLast(({ kind }) => kind !== "question" && kind !== "summary");
  if (!isResultMessage || last === undefined) return [...history, held];
  return history.with(history.lastIndexOf(last), { ...last, sent: [...last.sent, ...held.sent] });
}

/** A text that a compaction adds: no row of the recording. */
function addedText(kind: Held["kind"], text: string): Held {
  const part = { json: { type: "text", text }, tool: "", isError: false, tokens: 0, cleared: false };
  return { kind, startsTurn: kind === "continue", sent: [{ role: "user", parts: [{ ...part, row: -1 }] }] };
}

/** A summary of a given size. */
function summary(tokens: Tokens): Held {
  const held = addedText("summary", "");
  const [message = { role: "", parts: [] }] = held.sent;
  const around = JSON.stringify(modelMessage(message)).length;
  const text = "s".repeat(Math.max(0, 4 * tokens - around));
  const parts = message.parts.map((part) => ({ ...part, json: { type: "text", text } }));
  return { ...held, sent: [{ ...message, parts }] };
}
