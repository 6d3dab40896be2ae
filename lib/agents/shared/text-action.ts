import type { DraftBlock } from "@/lib/core/transcript/draft";

/** A response that holds its command as text, divided at the command: the call is the rest of the text, so that no character is counted twice. */
export function textAction(content: string, start: number, callId: string, tool: string): readonly DraftBlock[] {
  const call: DraftBlock = { kind: "tool_call", text: content.slice(start), callId, tool };
  return start === 0 ? [call] : [{ kind: "text", text: content.slice(0, start) }, call];
}
