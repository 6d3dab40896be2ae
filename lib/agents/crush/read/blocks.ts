import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, objectOf, objectsOf, parsedOr, textOf } from "@/lib/agents/shared/json";
import type { DraftBlock } from "@/lib/core/transcript/draft";

/** Types of the parts of a message. Only `finish` is not sent. */
export const PARTS: ReadonlySet<string> = new Set([
  ...["text", "reasoning", "tool_call", "tool_result", "binary", "image_url", "shell_command", "finish"],
]);

/** Content blocks of a message, as Crush sends them. Source: README.md, "Records". */
export function blocksOf(message: JsonObject): readonly DraftBlock[] {
  return objectsOf(message.parts).flatMap((part) => blockOf(textOf(part.type), objectOf(part.data)) ?? []);
}

function blockOf(type: string, data: JsonObject): DraftBlock | undefined {
  switch (type) {
    case "text":
      return textBlock("text", textOf(data.text));
    case "reasoning":
      return textBlock("thinking", textOf(data.thinking));
    case "tool_call": {
      const input = parsedOr(textOf(data.input));
      const file = isObject(input) ? nameOf(input.file_path) : undefined;
      return { kind: "tool_call", text: textOf(data.input), callId: idOf(data.id), tool: nameOf(data.name), file };
    }
    case "tool_result":
      return resultBlock(data);
    case "binary":
      return attachedBlock(data);
    case "image_url":
      return { kind: "image", text: textOf(data.url), payload: true };
    case "shell_command":
      return { kind: "text", text: shellText(data) };
    default:
      return undefined;
  }
}

/** An empty text is not sent. */
function textBlock(kind: "text" | "thinking", text: string): DraftBlock | undefined {
  return text === "" ? undefined : { kind, text };
}

/** Media replace the text of a result. */
function resultBlock({ tool_call_id, name, content, data, is_error }: JsonObject): DraftBlock {
  const link = { callId: idOf(tool_call_id), tool: nameOf(name) };
  const media = textOf(data);
  if (media !== "" && is_error !== true) return { kind: "tool_result", text: media, payload: true, ...link };
  return { kind: "tool_result", text: textOf(content), isError: is_error === true, ...link };
}

/** An attached text file is sent as a text around its content; any other file as an image. */
function attachedBlock({ Path, MIMEType, Data }: JsonObject): DraftBlock {
  if (!textOf(MIMEType).startsWith("text/")) return { kind: "image", text: textOf(Data), payload: true };
  const path = textOf(Path);
  const opening = path === "" ? "<file>" : `<file path='${path}'>`;
  return { kind: "text", text: `${opening}\n\n${decoded(textOf(Data))}\n</file>\n`, file: nameOf(Path) };
}

/** Decodes base64; returns other text unchanged. */
function decoded(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch {
    return base64;
  }
}

/** A command that the user ran outside the conversation, which is sent as text. */
function shellText({ command, output, exit_code }: JsonObject): string {
  const code = typeof exit_code === "number" ? exit_code : 0;
  return `$ ${textOf(command)}\n${textOf(output).replace(ANSI, "")}\n(exit code ${code})`;
}

/** Colours and other control sequences of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: such sequences begin with a control character
const ANSI = /\u001b\[[0-?]*[ -/]*[@-~]/g;
