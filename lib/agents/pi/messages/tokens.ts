import { jsonOf } from "@/lib/agents/shared/json";
import { charsOverFour } from "@/lib/core/base/characters";
import type { Chars, Tokens } from "@/lib/core/base/units";
import { IMAGE_CHARS } from "../base/constants";
import type { PiPreset } from "../base/presets";
import type { PiBlock, PiContent, PiMessage, SystemMessage } from "./message";

/**
 * Tokens of a message: ceil(UTF-16 units / 4) of the content that the rule counts for its role. Ids, signatures, redacted reasoning, `details`
 * and unknown roles count 0. Source: README.md, "Message sizes".
 */
export function messageTokens(message: PiMessage, preset: PiPreset): Tokens {
  return charsOverFour(messageChars(message, preset));
}

/** UTF-16 units that the rule counts in a message. */
function messageChars(message: PiMessage, preset: PiPreset): Chars {
  switch (message.role) {
    case "user":
      return contentChars(message.content, preset === "current" ? IMAGE_CHARS : 0);
    case "assistant":
      return message.content.reduce((sum, block) => sum + responseChars(block), 0);
    case "toolResult":
    case "custom":
      return contentChars(message.content, IMAGE_CHARS);
    case "bashExecution":
      return message.command.length + message.output.length;
    case "branchSummary":
    case "compactionSummary":
      return message.summary.length;
    case "system":
      return preset === "current" ? systemChars(message) : 0;
    case "other":
      return 0;
  }
}

/** Tokens of several messages, each rounded up separately. */
export function messagesTokens(messages: readonly PiMessage[], preset: PiPreset): Tokens {
  return messages.reduce((sum, message) => sum + messageTokens(message, preset), 0);
}

function contentChars(content: PiContent, image: Chars): Chars {
  if (typeof content === "string") return content.length;
  return content.reduce(
    (sum, block) => sum + (block.type === "text" ? block.text.length : block.type === "image" ? image : 0),
    0,
  );
}

function responseChars(block: PiBlock): Chars {
  switch (block.type) {
    case "text":
      return block.text.length;
    case "thinking":
      return block.thinking.length;
    case "toolCall":
      return block.name.length + jsonOf(block.arguments).length;
    default:
      return 0;
  }
}

function systemChars(message: SystemMessage): Chars {
  const sections = message.sections.reduce((sum, [, text]) => sum + (text?.length ?? 0), 0);
  return contentChars(message.content, IMAGE_CHARS) + sections + jsonOf(message.toolsAdded).length;
}
