import type { PiEntry } from "@/lib/agents/pi/messages/entry";
import type { PiBlock } from "@/lib/agents/pi/messages/message";
import { keptOutput } from "@/lib/agents/pi/sent/output-limit";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";

/** For a result, its entry with texts limited as pi's own tools limit them; any other entry unchanged. */
export function limitedEntry(
  entry: PiEntry,
  blocks: readonly number[],
  message: Message,
  contents: readonly BlockContent[],
): PiEntry {
  if (entry.type !== "message" || entry.message.role !== "toolResult") return entry;
  const content = blocks.map((index): PiBlock => {
    const { kind, tool } = message.blocks[index] ?? {};
    const text = contents[index]?.text ?? "";
    if (kind === "image") return { type: "image", data: "" };
    return { type: "text", text: kind === "tool_result" ? keptOutput(text, tool) : text };
  });
  return { ...entry, message: { ...entry.message, content } };
}
