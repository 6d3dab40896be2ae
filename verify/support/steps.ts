import { range } from "@/lib/core/base/numbers";
import type { ItemIndex, RequestIndex } from "@/lib/core/base/units";
import type { Transcript } from "@/lib/core/transcript/model";
import type { LoadedRecording } from "./loaded-recording";

/** Changes before a request, as messages of the trajectory, without those that exist only because of a recorded compaction. */
export interface Step {
  readonly request: RequestIndex;
  /** Messages of the last response. */
  readonly response: readonly number[];
  /** Messages that came after that response. */
  readonly added: readonly number[];
  /** True if one of the added messages is a user's. */
  readonly turnStart: boolean;
  /** Messages that a user took back: they are removed after the added ones have entered. */
  readonly takenBack: readonly number[];
  /** True if nothing from before is kept, as after a `/clear`: summaries are dropped too. */
  readonly emptied: boolean;
  /** The rows of the messages that were taken back. */
  readonly rowsTakenBack: ReadonlySet<ItemIndex>;
}

/** The steps of a recording, one for each request. Written over messages, independently of the engine's own walk over rows. */
export function stepsOf({ transcript, rowsOf }: LoadedRecording): readonly Step[] {
  const { messages, requests } = transcript;
  const ends = requests.length === 0 ? [messages.length] : requests.map(({ message }) => message);
  const taken = takenBack(transcript, ends);
  return ends.map((end, request) => {
    const from = ends[request - 1] ?? 0;
    const entering = range(from, end).filter((index) => messages[index]?.recordedOnly !== true);
    const isAfterResponse = (index: number) => messages[index]?.origin !== "response";
    const first = request === 0 ? 0 : entering.findIndex(isAfterResponse);
    const { messages: removed, emptied } = taken.get(request) ?? NOTHING;
    const cut = first < 0 ? entering.length : first;
    return {
      request,
      response: entering.slice(0, cut),
      added: entering.slice(cut),
      turnStart: entering.some((index) => messages[index]?.origin === "typed"),
      takenBack: removed,
      emptied,
      rowsTakenBack: new Set(removed.flatMap(rowsOf)),
    };
  });
}

interface Taken {
  readonly messages: readonly number[];
  readonly emptied: boolean;
}

const NOTHING: Taken = { messages: [], emptied: false };

/**
 * Messages that recorded rollbacks removed, by the request before which it happened: those of the recorded context, or all earlier ones if none of it
 * was kept.
 */
function takenBack({ boundaries }: Transcript, ends: readonly number[]): ReadonlyMap<RequestIndex, Taken> {
  const taken = new Map<RequestIndex, Taken>();
  let live: { readonly head: readonly number[]; readonly from: number } = { head: [], from: 0 };
  for (const { kind, message, kept } of boundaries) {
    if (kind === "clearing") continue;
    const stays = new Set(kept);
    const removed = [...live.head, ...range(live.from, message)].filter((index) => !stays.has(index));
    live = { head: kept, from: Math.max(live.from, message) };
    if (kind !== "rollback") continue;
    const next = ends.findIndex((end) => end >= message);
    const request = next < 0 ? ends.length : next;
    const earlier = taken.get(request) ?? NOTHING;
    const empties = kept.length === 0;
    const messages = [...earlier.messages, ...(empties ? range(0, message) : removed)];
    taken.set(request, { messages, emptied: empties || earlier.emptied });
  }
  return taken;
}
