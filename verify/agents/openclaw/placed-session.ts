import type { SessionEntry } from "@/lib/agents/openclaw/messages/entry";
import { nativeEntries } from "@/lib/agents/openclaw/messages/native";
import type { Milliseconds } from "@/lib/core/base/units";
import type { LoadedRecording } from "@/verify/support/loaded-recording";
import * as entries from "@/verify/support/placed-entries";

export type Placed = entries.Placed<SessionEntry>;

/** Changes before a request, in OpenClaw's entries. */
export interface PlacedStep extends entries.PlacedStep<SessionEntry> {
  /** Time at which the request was sent: that of the newest item that was sent, or else of the answer. */
  readonly at: Milliseconds | undefined;
  /** Time at which the previous request was answered. */
  readonly answeredAt: Milliseconds | undefined;
}

/** A recording in OpenClaw's entries, divided at its requests. */
export function placedSteps(
  recording: LoadedRecording,
  between: ReadonlyMap<number, readonly SessionEntry[]>,
): readonly PlacedStep[] {
  const { requests, messages } = recording.transcript;
  const entriesOf: Parameters<typeof entries.placedSteps<SessionEntry>>[1] = (message, contents) =>
    nativeEntries(message, contents, recording.format);
  return entries.placedSteps(recording, entriesOf, between).map((step) => {
    const end = requests[step.request]?.message ?? messages.length;
    const newest = messages.slice(0, end).findLast(({ blocks }) => blocks.length > 0);
    return { ...step, at: newest?.at ?? requests[step.request]?.at, answeredAt: requests[step.request - 1]?.at };
  });
}
