import { assertDefined } from "@/lib/core/base/assert";
import { drawTranscript } from "@/lib/core/testing/draw";
import { countedRecording, type LoadedRecording } from "./loaded-recording";

/** A session written in test notation (`lib/core/testing/draw.ts`), as a recording that belongs to no agent. Its texts are letters only. */
export function generatedRecording(
  drawing: string,
  ...counted: Parameters<typeof countedRecording> extends [unknown, ...infer Rest] ? Rest : never
): LoadedRecording {
  const transcript = drawTranscript(drawing);
  const contents = (message: number) =>
    assertDefined(transcript.messages[message], "the message").blocks.map(({ text }) => ({
      record: {},
      text: "x".repeat(text.chars),
    }));
  return countedRecording({ name: drawing, format: "drawn", transcript, contents }, ...counted);
}
