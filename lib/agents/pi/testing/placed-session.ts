import { assertDefined } from "@/lib/core/base/assert";
import type { ItemIndex, RequestIndex, Tokens } from "@/lib/core/base/units";
import { KIND } from "@/lib/core/columns/columns";
import type { Message, Origin } from "@/lib/core/transcript/model";
import type { LoadedRecording } from "../../testing/loaded-recording";
import { type Step, stepsOf } from "../../testing/steps";
import type { PiEntry } from "../messages/entry";
import { nativeEntries } from "../messages/native";
import { limitedEntry } from "./limited-entry";

/** One of pi's entries, and the rows of the columns that it comes from; none for labels and similar entries. */
export interface Placed {
  readonly entry: PiEntry;
  readonly origin: Origin | undefined;
  readonly rows: readonly ItemIndex[];
}

/** What happens before a request, in pi's entries. */
export interface PlacedStep {
  readonly request: RequestIndex;
  /** The response before the request. */
  readonly response: readonly Placed[];
  readonly added: readonly Placed[];
  readonly turnStart: boolean;
  /** Rows that a person took back. */
  readonly takenBack: ReadonlySet<ItemIndex>;
}

/** A recording as pi would hold it, divided at its requests. */
export interface PlacedSession {
  readonly overhead: Tokens;
  readonly steps: readonly PlacedStep[];
  /** The call of a result, where the recording names it. */
  readonly callOf: (row: ItemIndex) => ItemIndex | undefined;
}

/** How a recording is turned into entries. */
export interface Placing {
  /** Whether outputs are cut, as they enter, to what pi's own tools let through. */
  readonly limited: boolean;
  /** Entries that are no messages, such as labels in pi's own files, by the index of the message that follows them. */
  readonly between: ReadonlyMap<number, readonly PiEntry[]>;
}

export function placedSession(recording: LoadedRecording, placing: Placing): PlacedSession {
  const { columns, overhead } = recording;
  const placer = new Placer(recording, placing);
  return {
    overhead,
    steps: stepsOf(recording).map((step) => placer.step(step)),
    callOf: (row) => {
      const call = columns.kind[row] === KIND.tool_result ? (columns.pair[row] ?? -1) : -1;
      return call < 0 ? undefined : call;
    },
  };
}

class Placer {
  #count = 0;

  constructor(
    private readonly recording: LoadedRecording,
    private readonly placing: Placing,
  ) {}

  step({ request, response, added, turnStart, rowsTakenBack }: Step): PlacedStep {
    return {
      request,
      response: response.flatMap((index) => this.#message(index)),
      added: added.flatMap((index) => this.#message(index)),
      turnStart,
      takenBack: rowsTakenBack,
    };
  }

  #message(index: number): readonly Placed[] {
    const { transcript, contents, format, rowsOf } = this.recording;
    const message: Message = assertDefined(transcript.messages[index], "a message");
    const texts = contents(index);
    const rows = rowsOf(index);
    const between = this.placing.between.get(index) ?? [];
    const own = nativeEntries(message, texts, format).map(({ entry, blocks }) => {
      const limited = this.placing.limited ? limitedEntry(entry, blocks, message, texts) : entry;
      return this.#placed(
        limited,
        message.origin,
        blocks.flatMap((block) => rows[block] ?? []),
      );
    });
    return [...between.map((entry) => this.#placed(entry, undefined, [])), ...own];
  }

  #placed(entry: PiEntry, origin: Origin | undefined, rows: readonly ItemIndex[]): Placed {
    return { entry: { ...entry, id: `e${this.#count++}` }, origin, rows };
  }
}
