import type { BlockKind, Usage } from "@/lib/core/transcript/model";
import { readTranscript } from "@/lib/server/read/read-transcript";
import { SourceFile } from "@/lib/server/read/source-file";
import { eachMessage } from "@/lib/server/read/texts/each-message";

/** The events of a recording, in no agent's format, to retell it in the format of an agent that has no sample. */
export type RecordedEvent =
  | { readonly kind: "message"; readonly from: "user" | "tool"; readonly at: number; readonly parts: readonly Part[] }
  | { readonly kind: "response"; readonly at: number; readonly parts: readonly Part[]; readonly usage: Usage }
  | { readonly kind: "compaction"; readonly at: number; readonly summary: string };

export interface Part {
  readonly kind: Exclude<BlockKind, "image">;
  readonly text: string;
  readonly callId: string;
  readonly tool: string;
  readonly isError: boolean;
}

/** The main chain of a recording with its texts, but without images. */
export function eventsOf(path: string): readonly RecordedEvent[] {
  const { transcript, reader } = readTranscript(path);
  const usages = new Map(transcript.requests.map(({ message, usage }) => [message, usage]));
  const summaries = new Set(transcript.boundaries.map(({ summaryLine }) => summaryLine));
  const events: RecordedEvent[] = [];
  let index = -1;
  let at = transcript.startedAt ?? 0;
  SourceFile.use(path, (file) =>
    eachMessage(
      { file, transcript, reader },
      {
        message: (message, contents) => {
          index += 1;
          at = message.at ?? at;
          const parts = message.blocks.flatMap(({ kind, callId = "", tool = "", isError = false }, part) =>
            kind === "image" ? [] : [{ kind, text: contents[part]?.text ?? "", callId, tool, isError }],
          );
          if (summaries.has(message.line)) events.push({ kind: "compaction", at, summary: parts[0]?.text ?? "" });
          else if (message.recordedOnly === true || parts.length === 0) return;
          else if (message.origin === "response") {
            events.push({ kind: "response", at, parts, usage: usages.get(index) ?? { input: 0 } });
          } else events.push({ kind: "message", from: message.origin === "tool" ? "tool" : "user", at, parts });
        },
      },
    ),
  );
  return events;
}
