import { assertDefined } from "@/lib/core/base/assert";
import type { ItemIndex, Milliseconds, RequestIndex } from "@/lib/core/base/units";
import { KIND } from "@/lib/core/columns/columns";
import type { Origin } from "@/lib/core/transcript/model";
import type { LoadedRecording } from "../../testing/loaded-recording";
import { type Step, stepsOf } from "../../testing/steps";
import type { SessionEntry } from "../messages/entry";
import { nativeEntries } from "../messages/native";

/** An entry of the session, and the rows of the columns that it comes from; none for marks and similar entries. */
export interface Placed {
  readonly entry: SessionEntry;
  readonly origin: Origin | undefined;
  readonly rows: readonly ItemIndex[];
}

/** What happens before a request, in OpenClaw's entries. */
export interface PlacedStep {
  readonly request: RequestIndex;
  readonly response: readonly Placed[];
  readonly added: readonly Placed[];
  readonly turnStart: boolean;
  /** Rows that a person took back. */
  readonly takenBack: ReadonlySet<ItemIndex>;
  /** When the request was sent: the time of the newest item that was sent, or else of the answer. */
  readonly at: Milliseconds | undefined;
  /** When the request before was answered. */
  readonly answeredAt: Milliseconds | undefined;
}

/** The call of a result, where the recording names it. */
export function callOf({ columns }: LoadedRecording, row: ItemIndex): ItemIndex | undefined {
  const call = columns.kind[row] === KIND.tool_result ? (columns.pair[row] ?? -1) : -1;
  return call < 0 ? undefined : call;
}

/**
 * A recording as OpenClaw would hold it, divided at its requests.
 * @param between entries that are no messages, by the index of the message that follows them
 */
export function placedSteps(
  recording: LoadedRecording,
  between: ReadonlyMap<number, readonly SessionEntry[]>,
): readonly PlacedStep[] {
  const placer = new Placer(recording, between);
  return stepsOf(recording).map((step) => placer.step(step));
}

class Placer {
  #count = 0;

  constructor(
    private readonly recording: LoadedRecording,
    private readonly between: ReadonlyMap<number, readonly SessionEntry[]>,
  ) {}

  step({ request, response, added, turnStart, rowsTakenBack }: Step): PlacedStep {
    const { requests, messages } = this.recording.transcript;
    const end = requests[request]?.message ?? messages.length;
    const newest = messages.slice(0, end).findLast(({ blocks }) => blocks.length > 0);
    return {
      request,
      response: response.flatMap((index) => this.#message(index)),
      added: added.flatMap((index) => this.#message(index)),
      turnStart,
      takenBack: rowsTakenBack,
      at: newest?.at ?? requests[request]?.at,
      answeredAt: requests[request - 1]?.at,
    };
  }

  #message(index: number): readonly Placed[] {
    const { transcript, contents, format, rowsOf } = this.recording;
    const message = assertDefined(transcript.messages[index], "a message");
    const rows = rowsOf(index);
    const between = this.between.get(index) ?? [];
    const own = message.blocks.length === 0 ? [] : nativeEntries(message, contents(index), format);
    return [
      ...between.map((entry) => this.#placed(entry, undefined, [])),
      ...own.map(({ entry, blocks }) =>
        this.#placed(
          entry,
          message.origin,
          blocks.flatMap((block) => rows[block] ?? []),
        ),
      ),
    ];
  }

  #placed(entry: SessionEntry, origin: Origin | undefined, rows: readonly ItemIndex[]): Placed {
    return { entry: { ...entry, id: `e${this.#count++}` }, origin, rows };
  }
}
