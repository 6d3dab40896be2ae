/**
 * OpenClaw writes one JSON object a line: a header, then entries that form a tree by `parentId`. Shortened example, without timestamps:
 *
 *     {"type":"session","version":3,"id":"7c1b","cwd":"/home/mia"}
 *     {"type":"message","id":"e1","parentId":null,"message":{"role":"user","content":"Read the log."}}
 *     {"type":"message","id":"e2","parentId":"e1","message":{"role":"assistant","model":"m",
 *       "content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.log"}}],
 *       "usage":{"input":900,"output":20,"cacheRead":0,"cacheWrite":0}}}
 *     {"type":"message","id":"e3","parentId":"e2","message":{"role":"toolResult","toolCallId":"c1",
 *       "toolName":"read","content":[{"type":"text","text":"…"}]}}
 *     {"type":"compaction","id":"e4","parentId":"e3","summary":"…","firstKeptEntryId":"e2","tokensBefore":950}
 *     {"type":"custom","id":"e5","parentId":"e4","customType":"openclaw.cache-ttl","data":{"timestamp":1770105600000}}
 *     {"type":"reset","id":"e6","parentId":"e5"}
 */
import { idOf } from "@/lib/agents/shared/ids";
import type { SourceRecord } from "@/lib/core/records/fields";
import { objectField, textField } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { type Draft, type DraftBlock, NO_DRAFT } from "@/lib/core/transcript/draft";
import type { Reader } from "@/lib/core/transcript/reader";
import { type BlockRules, draftOfText, entryDraft } from "../../entry-tree/blocks";
import { KNOWN_USAGE, type MessageContent, type NodeContent } from "../../entry-tree/nodes";
import { type EntryFormat, EntryParser, entrySessionMarks, messageOrigin, type Refusal } from "../../entry-tree/reader";
import type { Envelope } from "../../entry-tree/schema";
import { isOpenClawRecord } from "../../entry-tree/sniff";
import { toolCallOf } from "../messages/message";
import { USAGE_NAMES, usageField } from "../messages/usage";
import { filledText, type JsonObject, jsonOf, objectOf, textOf } from "../messages/value";
import { bashText } from "../sent/pressure";
import { OpenClawNodes } from "./nodes";
import { isLikelyContextOverflow, statedWindow } from "./overflow-errors";
import { OpenClawTrajectory } from "./trajectory";

/** Entry types of the format, which is pi's. */
const ENTRY_TYPES = new Set([
  "session",
  "message",
  "compaction",
  "branch_summary",
  "custom",
  "custom_message",
  "model_change",
  "thinking_level_change",
  "session_info",
  "label",
  "reset",
  "leaf",
]);

/**
 * True if the first records of a file are OpenClaw's: pi's format, with an entry of OpenClaw's own or a delivery mirror. A file without those is
 * pi's, unless its place is OpenClaw's (`AgentPlaces.looksLike`). This rule is ours.
 */
function sniffOpenClaw(head: readonly JsonObject[]): boolean {
  return head.some(isOpenClawRecord) && head.some(isEntry);
}

function isEntry(record: JsonObject): boolean {
  return typeof record.timestamp === "string" && typeof record.type === "string" && ENTRY_TYPES.has(record.type);
}

/** Prompts that the gateway sends instead of the user. Source: openclaw@2026.2.1, heartbeat, memory-flush, commands. */
const OWN_PROMPTS = [
  "Read HEARTBEAT.md if it exists",
  "Pre-compaction memory flush.",
  "A new session was started via /new or /reset.",
  "(session bootstrap)",
  "[cron:",
];

/** Origin of a message with this role whose text starts like this. */
function originOf(role: string, text: string): MessageContent["origin"] | undefined {
  const origin = messageOrigin(role);
  return origin === "typed" && OWN_PROMPTS.some((prompt) => text.startsWith(prompt)) ? "context" : origin;
}

const RULES: BlockRules = {
  part: partBlock,
  resultLinks: (message) => ({
    callId: idOf(message.toolCallId) ?? idOf(message.toolUseId),
    tool: filledText(message.toolName),
  }),
  // A shell command that the user excluded from the context is never sent.
  message: (message) =>
    message.role === "bashExecution" && message.excludeFromContext !== true ? draftOfText(bashText(message)) : NO_DRAFT,
};

/** The content blocks of one record, in order. Only this function decides which content of a record the model reads. */
function draftOf(record: JsonObject): Draft {
  return entryDraft(record, RULES);
}

function partBlock(part: JsonObject): DraftBlock | undefined {
  switch (part.type) {
    case "thinking":
    case "redacted_thinking":
      return thinkingBlock(part);
    case "toolCall":
    case "toolUse":
    case "functionCall":
      return callBlock(part);
    // Results within a result, which some tools return, count as text.
    case "toolResult":
    case "tool_result":
      return { kind: "text", text: filledText(part.text) ?? textOf(part.content) ?? "" };
    default:
      return undefined;
  }
}

/** Redacted reasoning has no text; its encrypted payload is sent back instead. */
function thinkingBlock(part: JsonObject): DraftBlock {
  const thinking = filledText(part.thinking);
  const isRedacted = part.type === "redacted_thinking" || part.redacted === true;
  return thinking === undefined && isRedacted
    ? { kind: "thinking", text: textOf(part.data) ?? textOf(part.thinkingSignature) ?? "", payload: true }
    : { kind: "thinking", text: thinking ?? "" };
}

function callBlock(part: JsonObject): DraftBlock {
  const args = part.arguments ?? part.input ?? {};
  return {
    kind: "tool_call",
    text: jsonOf(args) ?? "",
    callId: idOf(toolCallOf(part)?.id),
    tool: textOf(part.name),
    file: fileOfCall(objectOf(args)),
  };
}

/** The file that a call names, under any of the names that the releases know. */
function fileOfCall(args: JsonObject): string | undefined {
  return filledText([args.path, args.file_path, args.filePath].find((value) => typeof value === "string"));
}

/**
 * Reads OpenClaw's sessions (`~/.openclaw/agents/<agent>/sessions/<id>.jsonl`): pi's tree of entries with additions of OpenClaw's. The traps: a
 * delivered text is written once more as a response without a model, and a repaired session leaves its old branch in the file. Source: README.md,
 * "Records" and "Traps".
 */
export const openClawReader: Reader = {
  format: "openclaw",
  sniff: sniffOpenClaw,
  parse: (builder) => new OpenClawParser(builder),
  texts: (record) => draftOf(record).blocks.map((draft) => draft.text),
  sessionMarks: entrySessionMarks,
};

const FORMAT: EntryFormat = {
  types: new Set([
    "session",
    "message",
    "compaction",
    "reset",
    "branch_summary",
    "custom_message",
    "custom",
    "model_change",
    "thinking_level_change",
    "label",
    "session_info",
    "leaf",
  ]),
  roles: new Set(),
  draftOf,
  originOf,
  usageField,
  refusal: refusalOf,
  // The context size duplicates the sum of the other fields.
  knownUsage: new Set([...KNOWN_USAGE, ...USAGE_NAMES, "contextUsage.totalTokens"]),
};

class OpenClawParser extends EntryParser {
  protected override readonly nodes: OpenClawNodes;

  constructor(builder: TranscriptBuilder) {
    super(builder, FORMAT);
    this.nodes = new OpenClawNodes(builder);
  }

  protected override trajectory(): OpenClawTrajectory {
    return new OpenClawTrajectory(this.builder, this.nodes);
  }

  protected override steering() {
    return this.nodes.steering;
  }

  protected override ownContent(envelope: Envelope, record: SourceRecord): NodeContent | undefined {
    switch (envelope.type) {
      case "compaction": {
        const compaction = this.compactionContent(envelope, record);
        const tokensAfter = this.builder.numbers(record.line).tokens(record.value.tokensAfter, "tokensAfter");
        return { ...compaction, tokensAfter };
      }
      case "reset":
        return { kind: "reset", firstKeptId: idOf(envelope.firstKeptEntryId) };
      case "leaf": {
        const target = envelope.targetId === null ? null : idOf(envelope.targetId);
        return { kind: "leaf", target: this.nodes.entries.parentNumber(target) };
      }
      case "custom":
        if (envelope.customType !== "openclaw:prompt-error") return customContent(envelope);
        return { kind: this.isRefusal(textField(envelope.data?.error)) ? "overflow" : "other" };
      default:
        return undefined;
    }
  }

  protected override messageFacts(role: string) {
    return { isReplayed: role === "user" || role === "toolResult" };
  }

  protected override note(envelope: Envelope, content: NodeContent): void {
    const isResult = content.kind === "message" && content.origin === "tool";
    const isSide = envelope.appendMode === "side" && envelope.type !== "leaf";
    this.nodes.note(isSide, isResult ? pruningKey(envelope.message) : undefined);
  }
}

function refusalOf(error: string): Refusal | undefined {
  return isLikelyContextOverflow(error) ? { window: statedWindow(error) } : undefined;
}

/** The name under which a pruned result is listed. Source: openclaw@2026.9.6, tool-result-truncation. */
function pruningKey(message: Envelope["message"]): string | undefined {
  const callId = idOf(message?.toolCallId);
  if (callId === undefined) return undefined;
  return typeof message?.timestamp === "number" ? `tool:${callId}:${message.timestamp}` : `tool:${callId}`;
}

/** A pruning mark, if it names results; a mark with only the time of a cache use changes nothing. */
function customContent(envelope: Envelope): NodeContent {
  if (envelope.customType !== "openclaw.cache-ttl") return { kind: "other" };
  const cleared = prunedResults(envelope)
    .filter(({ mode }) => mode === "hard")
    .map(({ key }) => key);
  return cleared.length > 0 ? { kind: "pruning", cleared } : { kind: "other" };
}

/** The results that an `openclaw.cache-ttl` entry lists as pruned whenever the history is sent (2026.9.6); none if any of them is invalid. */
function prunedResults({ data }: Envelope): readonly { readonly key: string; readonly mode: string }[] {
  const listed = Array.isArray(data?.prunedToolResults) ? data.prunedToolResults : [];
  const pruned = listed.flatMap((entry: unknown) => {
    const key = textField(objectField(entry)?.key);
    const mode = textField(objectField(entry)?.mode);
    return key === undefined || mode === undefined ? [] : [{ key, mode }];
  });
  return pruned.length === listed.length ? pruned : [];
}
