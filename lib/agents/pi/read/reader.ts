/**
 * pi writes one JSON object a line: a header, then entries that form a tree by `parentId`. Shortened example, without timestamps:
 *
 *     {"type":"session","version":3,"id":"0195","cwd":"/home/ada/shop"}
 *     {"type":"thinking_level_change","id":"a1","parentId":null,"thinkingLevel":"high"}
 *     {"type":"message","id":"a2","parentId":"a1","message":{"role":"user","content":"Read the cart."}}
 *     {"type":"message","id":"a3","parentId":"a2","message":{"role":"assistant","model":"m",
 *       "content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"cart.ts"}}],
 *       "usage":{"input":900,"output":20,"cacheRead":0,"cacheWrite":0}}}
 *     {"type":"message","id":"a4","parentId":"a3","message":{"role":"toolResult","toolCallId":"c1",
 *       "toolName":"read","content":[{"type":"text","text":"…"}]}}
 *     {"type":"compaction","id":"a5","parentId":"a4","summary":"…","firstKeptEntryId":"a3","tokensBefore":950}
 *     {"type":"branch_summary","id":"a6","parentId":"a2","summary":"…"}
 */
import { idOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, jsonOf, textOf } from "@/lib/agents/shared/json";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { type Draft, type DraftBlock, joinedDrafts, NO_DRAFT } from "@/lib/core/transcript/draft";
import type { Reader } from "@/lib/core/transcript/reader";
import { type BlockRules, contentDraft, draftOfText, entryDraft } from "../../entry-tree/blocks";
import { KNOWN_USAGE, type NodeContent, Nodes, type PromptBlock, type PromptPart } from "../../entry-tree/nodes";
import { type EntryFormat, EntryParser, entrySessionMarks, messageOrigin } from "../../entry-tree/reader";
import type { Envelope } from "../../entry-tree/schema";
import { isDroidRecord, isOpenClawRecord } from "../../entry-tree/sniff";
import { bashExecutionText, declaredTools } from "../messages/wrappers";
import { PiTrajectory } from "./trajectory";

/** Roles that a message entry may have. */
const ROLES = new Set([
  "user",
  "assistant",
  "toolResult",
  "bashExecution",
  "custom",
  "hookMessage",
  "branchSummary",
  "compactionSummary",
  "system",
]);

/**
 * True if the first records of a file are pi's own. OpenClaw writes the same format; custom entries of its own, or a delivery mirror, show that a
 * file is OpenClaw's.
 */
function sniffPi(head: readonly JsonObject[]): boolean {
  return head.some(isPiRecord) && !head.some((record) => isOpenClawRecord(record) || isDroidRecord(record));
}

function isPiRecord(record: JsonObject): boolean {
  if (typeof record.timestamp !== "string") return false;
  switch (record.type) {
    case "session":
      return typeof record.id === "string" && (typeof record.cwd === "string" || typeof record.version === "number");
    case "message":
      return isObject(record.message) && typeof record.message.role === "string" && ROLES.has(record.message.role);
    case "compaction":
      return typeof record.summary === "string" && ("firstKeptEntryId" in record || "firstKeptEntryIndex" in record);
    case "branch_summary":
      return typeof record.summary === "string" && "fromId" in record;
    case "model_change":
      return typeof record.provider === "string" && typeof record.modelId === "string";
    case "thinking_level_change":
      return typeof record.thinkingLevel === "string";
    case "custom_message":
      return typeof record.customType === "string" && "content" in record;
    default:
      return false;
  }
}

const RULES: BlockRules = {
  part: partBlock,
  resultLinks: (message) => ({
    callId: idOf(message.toolCallId),
    tool: typeof message.toolName === "string" ? message.toolName : undefined,
  }),
  message: (message) => {
    if (message.role === "bashExecution") return draftOfText(bashExecutionText(message));
    return message.role === "system" ? oddContent(message) : NO_DRAFT;
  },
};

/** The content blocks of one record, in order. Only this function and `promptOf` decide which content of a record the model reads. */
function draftOf(record: JsonObject): Draft {
  const draft = entryDraft(record, RULES);
  if (record.type !== "compaction" || !isObject(record.systemMessage)) return draft;
  return joinedDrafts([draft, oddContent(record.systemMessage)]);
}

/** Reports the parts of a prompt that were not understood; its texts are not blocks. */
function oddContent(message: JsonObject): Draft {
  return { ...contentDraft(message.content, RULES), blocks: [] };
}

function partBlock(part: JsonObject): DraftBlock | undefined {
  if (part.type === "thinking") return thinkingBlock(part);
  return part.type === "toolCall" ? callBlock(part) : undefined;
}

/** Redacted reasoning has no text; its encrypted payload is sent back instead. */
function thinkingBlock(part: JsonObject): DraftBlock {
  const thinking = textOf(part.thinking);
  const redacted = part.redacted === true && thinking === "";
  return redacted
    ? { kind: "thinking", text: textOf(part.thinkingSignature), payload: true }
    : { kind: "thinking", text: thinking };
}

function callBlock(part: JsonObject): DraftBlock {
  const path = isObject(part.arguments) ? part.arguments.path : undefined;
  return {
    kind: "tool_call",
    text: jsonOf(part.arguments ?? {}),
    callId: idOf(part.id),
    tool: typeof part.name === "string" ? part.name : undefined,
    file: typeof path === "string" && path !== "" ? path : undefined,
  };
}

/** A piece of the prompt before it is measured. */
interface PromptDraft extends DraftBlock {
  readonly prompt: PromptPart;
}

/** The parts of a prompt that a record holds; they come after the record's blocks. */
function promptOf(record: JsonObject): readonly PromptDraft[] {
  if (record.type === "compaction") return isObject(record.systemMessage) ? promptParts(record.systemMessage) : [];
  const message = record.type === "message" && isObject(record.message) ? record.message : {};
  return message.role === "system" ? promptParts(message) : [];
}

/** A prompt's text, its sections by name, and the tools that it declares. Removed sections have no text. */
function promptParts(message: JsonObject): readonly PromptDraft[] {
  const text = contentDraft(message.content, RULES)
    .blocks.map((block) => block.text)
    .join("\n");
  const sections = isObject(message.sections) ? Object.entries(message.sections) : [];
  const part = (kind: PromptPart["kind"], name: string, of: string): PromptDraft => ({
    kind: "text",
    text: of,
    prompt: { kind, name },
  });
  return [
    ...(text === "" ? [] : [part("content", "system prompt", text)]),
    ...sections.flatMap(([name, value]) => (typeof value === "string" ? [part("section", name, value)] : [])),
    ...declaredTools(message).map(([name, tool]) => part("tool", name, jsonOf(tool))),
  ];
}

/**
 * Reads pi's sessions (`~/.pi/agent/sessions/--<folder>--/<time>_<id>.jsonl`): a tree of entries by `id` and `parentId`, from version 2 on. The
 * trap: branches stay in the same file, and the last entry decides which branch is current. Source: README.md, "Records" and "Traps".
 */
export const piReader: Reader = {
  format: "pi",
  sniff: sniffPi,
  parse: (builder) => new PiParser(builder),
  texts: (record) => [...draftOf(record).blocks, ...promptOf(record)].map((draft) => draft.text),
  sessionMarks: entrySessionMarks,
};

const FORMAT: EntryFormat = {
  types: new Set([
    "session",
    "message",
    "compaction",
    "branch_summary",
    "custom_message",
    "context_edit",
    "model_change",
    "thinking_level_change",
    "label",
    "session_info",
    "custom",
    "usage",
  ]),
  roles: new Set(["system"]),
  draftOf,
  originOf: messageOrigin,
  usageField: (usage, name) => usage[name],
  knownUsage: KNOWN_USAGE,
};

class PiParser extends EntryParser {
  protected override readonly nodes: Nodes;

  constructor(builder: TranscriptBuilder) {
    super(builder, FORMAT);
    this.nodes = new Nodes(builder);
  }

  protected override trajectory(): PiTrajectory {
    return new PiTrajectory(this.builder, this.nodes);
  }

  protected override ownContent(envelope: Envelope, record: SourceRecord, draft: Draft): NodeContent | undefined {
    if (envelope.type === "context_edit") return { kind: "edit", target: idOf(envelope.targetId) };
    if (envelope.type === "compaction") {
      return { ...this.compactionContent(envelope, record), prompt: this.#promptBlocks(draft, record) };
    }
    if (envelope.type !== "message" || envelope.message?.role !== "system") return undefined;
    const removed = isObject(record.value.message) ? removedParts(record.value.message) : [];
    return { kind: "prompt", blocks: this.#promptBlocks(draft, record), removed };
  }

  protected override messageFacts(role: string, { message }: Envelope) {
    return { callId: role === "toolResult" ? undefined : idOf(message?.toolCallId) };
  }

  #promptBlocks(draft: Draft, record: SourceRecord): readonly PromptBlock[] {
    const { line, offset, length } = record;
    return promptOf(record.value).map((one, index) => {
      const source = { line, offset, length, part: draft.blocks.length + index };
      return { part: one.prompt, block: this.builder.block(one, source) };
    });
  }
}

/** Sections that are `null`, and tools that are named as removed. */
function removedParts(message: JsonObject) {
  const sections = isObject(message.sections) ? Object.entries(message.sections) : [];
  const tools = Array.isArray(message.toolsRemoved) ? message.toolsRemoved.filter(isObject) : [];
  return [
    ...sections.flatMap(([name, value]) => (value === null ? [{ kind: "section", name } as const] : [])),
    ...tools.map((tool) => ({ kind: "tool", name: textOf(tool.name) }) as const),
  ];
}
