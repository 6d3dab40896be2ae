import { assertDefined } from "@/lib/core/base/assert";
import { drawTranscript } from "@/lib/core/testing/draw";
import { countedRecording, type LoadedRecording } from "./loaded-recording";

/** A generated session as a recording that belongs to no agent. Its texts are letters, as many as the generating text says. */
export function drawnRecording(
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
