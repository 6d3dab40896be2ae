import { assertDefined } from "@/lib/core/base/assert";
import type { ItemIndex, RequestIndex, Tokens } from "@/lib/core/base/units";
import type { BlockKind, Origin } from "@/lib/core/transcript/model";
import type { LoadedRecording } from "./loaded-recording";
import { sumOf } from "./numbers";
import type { Step } from "./steps";

/** An item of a context that is a plain list: what the policies that have no program behind them are written out over. */
export interface ListedItem {
  /** Its row; none where a compaction put it there. */
  readonly row?: ItemIndex;
  readonly message?: number;
  readonly kind: BlockKind;
  readonly origin: Origin;
  /** The row of the call that a result answers, where that is known. */
  readonly call?: ItemIndex;
  readonly tokens: Tokens;
  /** Request with which it was sent first. */
  readonly since: RequestIndex;
  readonly isCleared?: boolean;
}

/** The context of a recording as a list, brought from request to request. Sizes are looked up, everything else is walked over. */
export class ItemList {
  items: readonly ListedItem[] = [];
  /** The request about to be sent. */
  request: RequestIndex = 0;
  /** What the list came to when the last request was sent; its response; what came after that. */
  lastInput: Tokens = 0;
  lastOutput: Tokens = 0;
  added: Tokens = 0;
  /** The same by the estimator alone, not scaled. */
  addedCount: Tokens = 0;
  readonly #sizes: readonly Tokens[];
  readonly #calls: ReadonlyMap<string, ItemIndex>;

  /** @param factor by which items are scaled, 1 where the estimate stands */
  constructor(
    readonly recording: LoadedRecording,
    factor = 1,
  ) {
    this.#sizes = scaledSizes(recording, factor);
    this.#calls = callsById(recording);
  }

  /** Lets what was recorded between two requests come and go. To be called before each, in their order. */
  enter({ request, response, added, takenBack }: Step): void {
    this.request = request;
    this.lastInput = request === 0 ? 0 : this.size;
    const [output, behind] = [response, added].map((messages) =>
      messages.flatMap((message) => this.#itemsOf(message, request)),
    );
    this.lastOutput = sumOf((output ?? []).map(({ tokens }) => tokens));
    this.added = sumOf((behind ?? []).map(({ tokens }) => tokens));
    this.addedCount = sumOf((behind ?? []).map(({ row = -1 }) => this.recording.tokens[row] ?? 0));
    const gone = new Set(takenBack);
    this.items = [...this.items, ...(output ?? []), ...(behind ?? [])].filter(({ message = -1 }) => !gone.has(message));
  }

  /** Tokens of everything, overhead included. */
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
      // A result that stands before the call of its name is no answer to it.
      const answered = call !== undefined && call < row ? { call } : {};
      return { row, message, kind, origin, tokens: this.#sizes[row] ?? 0, since, ...answered };
    });
  }
}

/** Something that a compaction puts in front. */
export function addedItem(tokens: Tokens, since: RequestIndex): ListedItem {
  return { kind: "text", origin: "summary", tokens, since };
}

/** Sizes of all rows, the items' ones times a factor: each its part of the scaled sum, so that no stretch is off by more than a token. */
export function scaledSizes({ tokens, columns }: LoadedRecording, factor: number): readonly Tokens[] {
  let sum = 0;
  return Array.from(tokens, (size, row) => {
    if (row < columns.overheadRows) return size;
    const before = Math.round(sum * factor);
    sum += size;
    return Math.round(sum * factor) - before;
  });
}

/** The first call of every id. */
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
