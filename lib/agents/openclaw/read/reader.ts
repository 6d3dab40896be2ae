import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { textField } from "@/lib/core/transcript/fields";
import type { Reader, SourceRecord } from "@/lib/core/transcript/reader";
import { KNOWN_USAGE, type NodeContent } from "../../entry-tree/nodes";
import { type EntryFormat, EntryParser, entrySessionMarks, type Refusal } from "../../entry-tree/reader";
import type { Envelope } from "../../entry-tree/schema";
import { idOf } from "../../ids";
import { isLikelyContextOverflow, statedWindow } from "../exact/overflow-errors";
import { USAGE_NAMES, usageField } from "../messages/usage";
import { draftOf } from "./blocks";
import { OpenClawNodes } from "./nodes";
import { originOf } from "./origin";
import { prunedResults } from "./pruned-results";
import { sniffOpenClaw } from "./sniff";
import { OpenClawTrajectory } from "./trajectory";

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
  // The size of the context is another name of what the parts sum up to.
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
        const tokensAfter = this.builder.figures(record.line).tokens(record.value.tokensAfter, "tokensAfter");
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

/** A pruning mark, where it names results; a mark that only tells when the cache was touched changes nothing. */
function customContent(envelope: Envelope): NodeContent {
  if (envelope.customType !== "openclaw.cache-ttl") return { kind: "other" };
  const cleared = prunedResults(envelope)
    .filter(({ mode }) => mode === "hard")
    .map(({ key }) => key);
  return cleared.length > 0 ? { kind: "pruning", cleared } : { kind: "other" };
}
