import { idOf } from "@/lib/agents/shared/ids";
import { type JsonObject, jsonOf, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import type { DraftBlock, DraftMessage } from "@/lib/core/transcript/draft";
import { COMPACTION_QUESTION } from "../base/constants";
import { compactionPart, type SessionMessage, toMessage } from "./message";

/** A block with its native part. */
export interface PartBlock extends DraftBlock {
  /** Metadata that the provider requires back. */
  readonly metadata?: unknown;
  /** Media type and name of a file. */
  readonly mime?: string | undefined;
  readonly filename?: string | undefined;
}

type PartMessage = DraftMessage<PartBlock>;

/** The text that is sent for a command that the user ran as a subtask. */
const SUBTASK_TEXT = "The following tool was executed by the user";

/** The messages to send for every message of a record. */
export function draftsOf(record: JsonObject): readonly (readonly PartMessage[])[] {
  return messagesOfRecord(record).map(draftMessages);
}

/** The messages of a record: those of an export, or the one message that the record is. */
export function messagesOfRecord(record: JsonObject): readonly SessionMessage[] {
  if (Array.isArray(record.messages)) return objectsOf(record.messages).map(toMessage);
  return Array.isArray(record.parts) ? [toMessage(record)] : [];
}

/** The messages to send for one message of a record. */
export function draftMessages(message: SessionMessage): readonly PartMessage[] {
  if (message.info.role === "user") return [userDraft(message)];
  if (message.info.role !== "assistant") return [];
  const summary = message.info.summary === true;
  const answer: PartMessage = {
    role: "assistant",
    origin: summary ? "summary" : "response",
    blocks: message.parts.flatMap(responseBlocks),
  };
  const results = message.parts.filter((part) => part.type === "tool").flatMap(resultBlocks);
  return results.length === 0 ? [answer] : [answer, { role: "user", origin: "tool", blocks: results }];
}

function userDraft(message: SessionMessage): PartMessage {
  const typed = message.parts.some((part) => part.type === "text" && part.synthetic !== true && part.ignored !== true);
  const media = message.parts.some((part) => part.type === "file");
  const compaction = compactionPart(message) !== undefined;
  const origin = (typed || media) && !compaction ? "typed" : "context";
  return { role: "user", origin, blocks: message.parts.flatMap(userBlocks) };
}

function userBlocks(part: JsonObject): readonly PartBlock[] {
  switch (part.type) {
    case "text":
      return part.ignored === true ? [] : [{ kind: "text", text: textOf(part.text) }];
    case "file":
      return isSent(part) ? [fileBlock(part)] : [];
    case "compaction":
      return [{ kind: "text", text: COMPACTION_QUESTION }];
    case "subtask":
      return [{ kind: "text", text: SUBTASK_TEXT }];
    default:
      return [];
  }
}

/** True if a file is sent as a file. The content of texts and folders is in separate synthetic text parts. */
function isSent(file: JsonObject): boolean {
  return file.mime !== "text/plain" && file.mime !== "application/x-directory";
}

function fileBlock(file: JsonObject, callId?: string): PartBlock {
  const filename = typeof file.filename === "string" ? file.filename : undefined;
  return { kind: "image", text: textOf(file.url), payload: true, callId, mime: textOf(file.mime), filename };
}

function responseBlocks(part: JsonObject): readonly PartBlock[] {
  const { metadata } = part;
  switch (part.type) {
    case "text":
      return [{ kind: "text", text: textOf(part.text), metadata }];
    case "reasoning":
      return [{ kind: "thinking", text: textOf(part.text), metadata }];
    case "tool": {
      const input = objectOf(objectOf(part.state).input);
      const file = [input.filePath, input.path].find((path) => typeof path === "string" && path !== "");
      return [
        {
          kind: "tool_call",
          text: jsonOf(input),
          callId: idOf(part.callID),
          tool: textOf(part.tool) || undefined,
          file: typeof file === "string" ? file : undefined,
          metadata,
        },
      ];
    }
    default:
      return [];
  }
}

function resultBlocks(part: JsonObject): readonly PartBlock[] {
  const state = objectOf(part.state);
  const link = { callId: idOf(part.callID), tool: textOf(part.tool) || undefined };
  if (state.status === "error") return [{ kind: "tool_result", text: textOf(state.error), isError: true, ...link }];
  if (state.status !== "completed") return [];
  const media = objectsOf(state.attachments).map((file) => fileBlock(file, link.callId));
  return [{ kind: "tool_result", text: textOf(state.output), ...link }, ...media];
}
