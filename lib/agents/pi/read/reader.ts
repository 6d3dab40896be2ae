import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Draft } from "@/lib/core/transcript/draft";
import type { Reader, SourceRecord } from "@/lib/core/transcript/reader";
import { KNOWN_USAGE, type NodeContent, Nodes, type PromptBlock } from "../../entry-tree/nodes";
import { type EntryFormat, EntryParser, entrySessionMarks, messageOrigin } from "../../entry-tree/reader";
import type { Envelope } from "../../entry-tree/schema";
import { idOf } from "../../ids";
import { isObject, type JsonObject, textOf } from "../../json";
import { draftOf, promptOf } from "./blocks";
import { sniffPi } from "./sniff";
import { PiTrajectory } from "./trajectory";

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
