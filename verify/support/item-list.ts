import { assertDefined } from "@/lib/core/base/assert";
import { sumOf } from "@/lib/core/base/numbers";
import type { ItemIndex, RequestIndex, Tokens } from "@/lib/core/base/units";
import type { BlockKind, Origin } from "@/lib/core/transcript/model";
import { type LoadedRecording, openCalls } from "./loaded-recording";
import type { Step } from "./steps";

/** An item of a context that is a plain list. Policies that belong to no program are written out over such lists. */
export interface ListedItem {
  /** Its row in the columns; absent if a compaction added the item. */
  readonly row?: ItemIndex;
  readonly message?: number;
  readonly kind: BlockKind;
  readonly origin: Origin;
  /** The row of the call that a result answers, if known. */
  readonly call?: ItemIndex;
  readonly tokens: Tokens;
  /** The request that sent it first. */
  readonly since: RequestIndex;
  readonly isCleared?: boolean;
}

/**
 * The context of a recording as a list, advanced from request to request. It looks sizes up and finds everything else by walking over the list.
 */
export class ItemList {
  items: readonly ListedItem[] = [];
  /** The request about to be sent. */
  request: RequestIndex = 0;
  /** Sizes of the list when the last request was sent, of its response, and of the messages after that. */
  lastInput: Tokens = 0;
  lastOutput: Tokens = 0;
  added: Tokens = 0;
  /** The size of `added` by the estimator alone, not scaled. */
  addedCount: Tokens = 0;
  readonly #sizes: readonly Tokens[];
  readonly #calls: ReadonlyMap<string, ItemIndex>;
  readonly #open: ReadonlySet<ItemIndex>;

  /**
   * @param factor by which the items are scaled, 1 if the estimate is used unscaled
   * @param standIn tokens of the result generated for a call without one
   */
  constructor(
    readonly recording: LoadedRecording,
    factor = 1,
    private readonly standIn: Tokens = 0,
  ) {
    this.#sizes = scaledSizes(recording, factor);
    this.#open = openCalls(recording);
    this.#calls = callsById(recording);
  }

  /** Applies the recording's additions and removals between two requests. Call it before each request, in order. */
  enter({ request, response, added, takenBack, emptied }: Step): void {
    this.request = request;
    this.lastInput = request === 0 ? 0 : this.size;
    const [output, later] = [response, added].map((messages) =>
      messages.flatMap((message) => this.#itemsOf(message, request)),
    );
    const made = (output ?? []).filter(({ row = -1 }) => this.#open.has(row)).length * this.standIn;
    this.lastOutput = sumOf((output ?? []).map(({ tokens }) => tokens)) - made;
    this.added = sumOf((later ?? []).map(({ tokens }) => tokens));
    this.addedCount = sumOf((later ?? []).map(({ row = -1 }) => this.recording.tokens[row] ?? 0));
    const removed = new Set(takenBack);
    this.items = [...this.items, ...(output ?? []), ...(later ?? [])].filter(({ message }) =>
      message === undefined ? !emptied : !removed.has(message),
    );
  }

  /** Size of everything, including the overhead. */
  get size(): Tokens {
    let size = this.recording.overhead;
    for (const { tokens } of this.items) size += tokens;
    return size;
  }

  /** The recorded rows among the items, ascending. */
  get rows(): readonly ItemIndex[] {
    return this.items.flatMap(({ row }) => row ?? []).toSorted((a, b) => a - b);
  }

  #itemsOf(message: number, since: RequestIndex): readonly ListedItem[] {
    const { transcript, rowsOf } = this.recording;
    const { blocks, origin } = assertDefined(transcript.messages[message], "the message");
    const rows = rowsOf(message);
    return blocks.map(({ kind, callId }, index) => {
      const row = assertDefined(rows[index], "the block's row");
      const call = kind === "tool_result" ? this.#calls.get(callId ?? "") : undefined;
      // A result that comes before the call with its id does not answer that call.
      const answered = call !== undefined && call < row ? { call } : {};
      const tokens = (this.#sizes[row] ?? 0) + (this.#open.has(row) ? this.standIn : 0);
      return { row, message, kind, origin, tokens, since, ...answered };
    });
  }
}

/** An item that a compaction puts in front. */
export function addedItem(tokens: Tokens, since: RequestIndex): ListedItem {
  return { kind: "text", origin: "summary", tokens, since };
}

/** Sizes of all rows: those of items are scaled by a factor, each as a part of the scaled sum, so that no range of them is off by more than a token. */
export function scaledSizes({ tokens, columns }: LoadedRecording, factor: number): readonly Tokens[] {
  let sum = 0;
  return Array.from(tokens, (size, row) => {
    if (row < columns.overheadRows) return size;
    const before = Math.round(sum * factor);
    sum += size;
    return Math.round(sum * factor) - before;
  });
}

/** The row of the first call with each id. */
function callsById({ transcript, rowsOf }: LoadedRecording): ReadonlyMap<string, ItemIndex> {
  const calls = new Map<string, ItemIndex>();
  for (const [index, { blocks, recordedOnly }] of transcript.messages.entries()) {
    if (recordedOnly === true) continue;
    for (const [block, { kind, callId }] of blocks.entries()) {
      if (kind !== "tool_call" || callId === undefined || calls.has(callId)) continue;
      calls.set(callId, assertDefined(rowsOf(index)[block], "the block's row"));
    }
  }
  return calls;
}
