import type { NativeEntry } from "@/lib/agents/entry-tree/native";
import { assertDefined } from "@/lib/core/base/assert";
import type { ItemIndex } from "@/lib/core/base/units";
import { KIND } from "@/lib/core/columns/columns";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message, Origin } from "@/lib/core/transcript/model";
import type { LoadedRecording } from "./loaded-recording";
import { type Step, stepsOf } from "./steps";

/** An entry of a session, and the rows of the columns that it comes from; none for labels, marks and similar entries. */
export interface Placed<Entry> {
  readonly entry: Entry;
  readonly origin: Origin | undefined;
  readonly rows: readonly ItemIndex[];
}

/** Changes before a request, in an agent's entries. */
export interface PlacedStep<Entry> extends Pick<Step, "request" | "turnStart" | "emptied"> {
  /** The response before the request. */
  readonly response: readonly Placed<Entry>[];
  readonly added: readonly Placed<Entry>[];
  /** Rows that a user took back. */
  readonly takenBack: ReadonlySet<ItemIndex>;
}

/**
 * A recording in an agent's entries, divided at its requests. Every entry has a unique id.
 * @param entriesOf the entries for a message
 * @param between entries that are not messages, such as labels in the agent's own files, by the index of the message that follows them
 */
export function placedSteps<Entry extends object>(
  recording: LoadedRecording,
  entriesOf: (message: Message, contents: readonly BlockContent[]) => readonly NativeEntry<Entry>[],
  between: ReadonlyMap<number, readonly Entry[]>,
): readonly PlacedStep<Entry>[] {
  const { transcript, contents, rowsOf } = recording;
  let count = 0;
  const placed = (entry: Entry, origin: Origin | undefined, rows: readonly ItemIndex[]): Placed<Entry> => {
    return { entry: { ...entry, id: `e${count++}` }, origin, rows };
  };
  const entries = (index: number) => {
    const message = assertDefined(transcript.messages[index], "a message");
    const rows = rowsOf(index);
    const marks = (between.get(index) ?? []).map((entry) => placed(entry, undefined, []));
    const own = entriesOf(message, contents(index)).map(({ entry, blocks }) => {
      const from = blocks.flatMap((block) => rows[block] ?? []);
      return placed(entry, message.origin, from);
    });
    return [...marks, ...own];
  };
  return stepsOf(recording).map(({ request, response, added, turnStart, emptied, rowsTakenBack }) => ({
    request,
    response: response.flatMap(entries),
    added: added.flatMap(entries),
    turnStart,
    emptied,
    takenBack: rowsTakenBack,
  }));
}

/** The call of a result, if the recording names it. */
export function callOf({ columns }: LoadedRecording, row: ItemIndex): ItemIndex | undefined {
  const call = columns.kind[row] === KIND.tool_result ? (columns.pair[row] ?? -1) : -1;
  return call < 0 ? undefined : call;
}

/**
 * A session without turns that a user took back: their entries that a compaction hides keep their places, as placeholders. If the recording was
 * emptied, only later entries are kept.
 * @param blank makes the placeholder for an entry, which adds nothing to the context
 */
export function withoutTaken<Entry extends { readonly type?: unknown }>(
  session: readonly Placed<Entry>[],
  { takenBack: taken, emptied }: Pick<PlacedStep<Entry>, "takenBack" | "emptied">,
  blank: (one: Placed<Entry>) => Placed<Entry>,
): readonly Placed<Entry>[] {
  if (emptied) return session.filter(({ rows }) => rows.some((row) => !taken.has(row)));
  const compacted = session.findLastIndex(({ entry }) => entry.type === "compaction");
  return session.flatMap((one, index) => {
    if (!one.rows.some((row) => taken.has(row))) return [one];
    return index > compacted ? [] : [blank(one)];
  });
}
