import { CLEARED_RESULT, MISSING_RESULT } from "@/lib/agents/qwen-code/base/constants";
import {
  answerOf,
  type Content,
  callOf,
  type Part,
  partsOf,
  responseOf,
} from "@/lib/agents/qwen-code/messages/content";
import { type NativePart, nativeMessage } from "@/lib/agents/qwen-code/read/native";
import { assertDefined } from "@/lib/core/base/assert";
import type { ItemIndex } from "@/lib/core/base/units";
import { KIND } from "@/lib/core/columns/columns";
import type { Message } from "@/lib/core/transcript/model";
import { type LoadedRecording, openCalls } from "@/verify/support/loaded-recording";

/** Maps each part of a history to its row of the columns, even if the part was moved. */
export class HeldParts {
  readonly #rows = new WeakMap<Part, readonly ItemIndex[]>();
  readonly #contents = new Map<number, Content>();
  readonly #whole = new WeakSet<Content>();
  readonly #cut = new WeakSet<Part>();
  /** Errors that are sent for calls without a result. */
  readonly #made = new WeakSet<Part>();
  /** The same by their calls. */
  readonly #standIns = new WeakMap<Part, Part>();
  /** Unanswered calls. */
  readonly #open: ReadonlySet<ItemIndex>;
  /** Number of outputs that were truncated as they entered. */
  cutOutputs = 0;

  /**
   * @param entered the part of a message's part that enters the history: all of it, or the program's own limits applied
   * @param repairs true if calls without a result are sent with an error
   */
  constructor(
    private readonly recording: LoadedRecording,
    private readonly entered: (message: Message, native: NativePart) => Part,
    private readonly repairs: boolean,
  ) {
    this.#open = openCalls(recording);
  }

  /** The content for a message; none for a message without blocks. */
  content(index: number): Content | undefined {
    const { transcript, contents, format, rowsOf } = this.recording;
    const message = assertDefined(transcript.messages[index], "a message");
    if (message.blocks.length === 0) return undefined;
    const known = this.#contents.get(index);
    if (known !== undefined) return known;
    const native = nativeMessage(message, contents(index), format);
    const rows = rowsOf(index);
    const parts = native.parts.flatMap((one) => {
      const part = this.entered(message, one);
      if (part !== one.part) this.cutOutputs += 1;
      if (part !== one.part && rows.length > 1) this.#cut.add(part);
      this.#rows.set(
        part,
        one.blocks.flatMap((block) => rows[block] ?? []),
      );
      return [part, ...this.#standIn(part)];
    });
    const content: Content = { ...native.content, parts };
    this.#contents.set(index, content);
    this.#whole.add(content);
    return content;
  }

  /** The error that is sent for a call without a result; as in the numbers, it belongs to the call. */
  #standIn(part: Part): readonly Part[] {
    const rows = this.#rows.get(part) ?? [];
    if (!this.repairs || !rows.some((row) => this.#open.has(row))) return [];
    const { id, name } = callOf(part) ?? {};
    const made: Part = { functionResponse: { id, name, response: { error: MISSING_RESULT } } };
    this.#rows.set(made, rows);
    this.#made.add(made);
    this.#standIns.set(part, made);
    return [made];
  }

  /** The contents with an error after each such call, also after a call that the rules moved without its error. */
  repaired(history: readonly Content[]): readonly Content[] {
    return history.map((content) => {
      const parts = partsOf(content);
      const missing = (part: Part) =>
        [this.#standIns.get(part)].filter((made) => made !== undefined && !parts.includes(made));
      const all = parts.flatMap((part) => [part, ...missing(part)]);
      return all.length === parts.length ? content : { ...content, parts: all };
    });
  }

  /** A content without the errors for its calls, then each error as a content: the errors are not part of the response. */
  apart(content: Content): readonly [Content, ...Content[]] {
    const made = partsOf(content).filter((part) => this.#made.has(part));
    if (made.length === 0) return [content];
    const parts = partsOf(content).filter((part) => !made.includes(part));
    return [{ ...content, parts }, ...made.map((part): Content => ({ ...content, parts: [part] }))];
  }

  contents(messages: readonly number[]): readonly Content[] {
    return messages.map((index) => this.content(index)).filter((content) => content !== undefined);
  }

  /** True if a content holds anything from the recording. */
  isRecorded(content: Content): boolean {
    return partsOf(content).some((part) => (this.#rows.get(part) ?? []).length > 0);
  }

  /** True if a content comes from the recording and still has all of its parts. */
  isWhole(content: Content): boolean {
    return this.#whole.has(content);
  }

  /** Number of parts of a content that were truncated as they entered and share its size with others: each share is rounded separately. */
  cutParts(content: Content): number {
    return partsOf(content).filter((part) => this.#cut.has(part)).length;
  }

  /** Number of parts of a content with a cleared result. */
  clearedParts(content: Content): number {
    return partsOf(content).filter((part) => answerOf(responseOf(part)).output === CLEARED_RESULT).length;
  }

  rowsOf(history: readonly Content[]): readonly ItemIndex[] {
    const rows = history.flatMap((content) => partsOf(content).flatMap((part) => this.#rows.get(part) ?? []));
    return [...new Set(rows)].toSorted((a, b) => a - b);
  }

  /** Applies a history whose parts were replaced one by one; returns the rows of the cleared results. */
  replaced(before: readonly Content[], after: readonly Content[]): readonly ItemIndex[] {
    const cleared: ItemIndex[] = [];
    before.forEach((content, at) => {
      const next = partsOf(after[at] ?? {});
      partsOf(content).forEach((part, index) => {
        const other = next[index];
        const rows = this.#rows.get(part) ?? [];
        if (other === undefined || other === part) return;
        this.#rows.set(other, rows);
        if (answerOf(responseOf(other)).output === CLEARED_RESULT) cleared.push(...rows.slice(0, 1));
      });
    });
    return cleared.toSorted((a, b) => a - b);
  }

  /** The history without the parts that hold certain rows; contents without other parts are dropped. */
  without(history: readonly Content[], isDropped: (row: ItemIndex) => boolean): readonly Content[] {
    return history.flatMap((content) => {
      const parts = partsOf(content);
      const remaining = parts.filter((part) => !(this.#rows.get(part) ?? []).some(isDropped));
      if (remaining.length === parts.length) return [content];
      return remaining.length === 0 ? [] : [{ ...content, parts: remaining }];
    });
  }

  /** Applies the engine's own rule: no result is kept without the call that the recording names for it. */
  withTheirCalls(history: readonly Content[]): readonly Content[] {
    const { kind, pair } = this.recording.columns;
    const present = new Set(this.rowsOf(history));
    const isOrphan = (row: ItemIndex) => {
      const call = kind[row] === KIND.tool_result ? (pair[row] ?? -1) : -1;
      return call >= 0 && !present.has(call);
    };
    return this.without(history, isOrphan);
  }
}
