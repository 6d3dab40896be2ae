import { detached } from "@/lib/core/base/detached";
import { isoTime } from "@/lib/core/base/iso-time";
import type { Milliseconds } from "@/lib/core/base/units";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Draft } from "@/lib/core/transcript/draft";
import type { Reader, RecordParser, SourceRecord } from "@/lib/core/transcript/reader";
import { mainChain } from "../entry-chain";
import { FactFinder } from "../entry-facts";
import { idOf, nameOf } from "../ids";
import { titleOf } from "../title";
import { draftOf } from "./blocks";
import { type NodeContent, Nodes, recordedUsage } from "./nodes";
import { isKnownRole, originOf } from "./origin";
import { type Envelope, envelopeOf, prunedResults } from "./schema";
import { sniffOpenClaw } from "./sniff";
import { Trajectory } from "./trajectory";

/**
 * Reads OpenClaw's sessions (`~/.openclaw/agents/<agent>/sessions/<id>.jsonl`): pi's tree of entries with additions of
 * OpenClaw's. The traps: a delivered text is written once more as a response of no model, and a repaired session leaves its
 * old branch in the file. Source: README.md, "Records" and "Traps".
 */
export const openClawReader: Reader = {
  format: "openclaw",
  sniff: sniffOpenClaw,
  parse: (builder) => new OpenClawParser(builder),
  texts: (record) => draftOf(record).blocks.map((draft) => draft.text),
  sessionMarks:
    () =>
    ({ value }) =>
      value.type === "session" ? { session: idOf(value.id), begins: idOf(value.id) === undefined } : {},
};

/** Kinds of record that are known; the others are counted by name. */
const KNOWN_TYPES = new Set([
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
]);

/** Types whose records name a kind of their own. */
const SUBTYPED = new Set(["custom", "custom_message"]);

/** Keeps a light node an entry and decides at the end, when the leaf is known. */
class OpenClawParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #facts = new FactFinder();
  readonly #nodes: Nodes;
  /** Values that the program reads so far, and the line of the last: of objects on one line it reads none. */
  #index = 0;
  #line = -1;
  /** The session whose header came last, where it is not the first one. */
  #another: { readonly id: string | undefined } | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
    this.#nodes = new Nodes(builder);
  }

  record(record: SourceRecord): void {
    const envelope = envelopeOf(record.value);
    const isGlued = record.line === this.#line;
    this.#line = record.line;
    this.#count(envelope, record);
    const at = this.#builder.time(isoTime(envelope.timestamp), record.line);
    const index = isGlued ? -1 : this.#index++;
    if (envelope.type !== "session") this.#addNode(envelope, record, index, at);
    else if (this.#facts.header(envelope)) this.#another = { id: idOf(envelope.id) };
    // Whoever glued files together: what stands behind another header is that session's.
    if (this.#another !== undefined) this.#builder.problem("several-sessions", record.line, this.#another.id);
    if (envelope.type === "session_info") this.#facts.name(envelope);
  }

  end(): void {
    const version = this.#facts.version();
    // Without a header, entries that name their parents are a tree all the same.
    const { entries } = this.#nodes;
    const linear = version === undefined ? entries.namesNoParents : version < 2;
    const chain = mainChain(this.#nodes.tree(linear), (...problem) => this.#builder.problem(...problem));
    const trajectory = new Trajectory(this.#builder, this.#nodes);
    for (const node of chain) trajectory.add(node);
    this.#facts.write(this.#builder, entries.factsOf(chain));
  }

  #count(envelope: Envelope, record: SourceRecord): void {
    const type = envelope.type ?? "(no type)";
    const detail = type === "message" ? envelope.message?.role : SUBTYPED.has(type) ? envelope.customType : undefined;
    const name = typeof detail === "string" ? `${type}/${detail}` : type;
    this.#builder.countRecord(name);
    if (!KNOWN_TYPES.has(type)) this.#builder.unknownRecord(type, record.line);
    else if (type === "message" && typeof detail === "string" && !isKnownRole(detail)) {
      this.#builder.unknownRecord(name, record.line);
    }
  }

  #addNode(envelope: Envelope, record: SourceRecord, index: number, at: Milliseconds | undefined): void {
    const figures = this.#builder.figures(record.line);
    const draft = draftOf(record.value);
    for (const name of draft.odd) this.#builder.problem("unexpected-field", record.line, name);
    const content = this.#content(envelope, record, draft);
    this.#nodes.entries.push({
      line: record.line,
      id: idOf(envelope.id),
      parent: envelope.parentId === null ? null : idOf(envelope.parentId),
      at: at ?? figures.time(envelope.message?.timestamp, "message.timestamp"),
      facts: content,
      key: keyOf(content),
      usage: content.kind === "response" ? recordedUsage(envelope.message?.usage, figures) : undefined,
      blocks: HAS_BLOCKS.has(content.kind) ? this.#builder.blocks(draft.blocks, record) : [],
    });
    const isResult = content.kind === "message" && content.origin === "tool";
    const isSide = envelope.appendMode === "side" && envelope.type !== "leaf";
    this.#nodes.note(index, isSide, isResult ? pruningKey(envelope.message) : undefined);
  }

  #content(envelope: Envelope, record: SourceRecord, draft: Draft): NodeContent {
    const figures = this.#builder.figures(record.line);
    switch (envelope.type) {
      case "message":
        return messageContent(envelope, draft);
      case "custom_message":
      case "branch_summary":
        return { kind: "message", origin: "context", isReplayed: false };
      case "compaction":
        return {
          kind: "compaction",
          tokensBefore: figures.tokens(record.value.tokensBefore, "tokensBefore"),
          tokensAfter: figures.tokens(record.value.tokensAfter, "tokensAfter"),
          firstKeptId: idOf(envelope.firstKeptEntryId),
          firstKeptIndex: envelope.firstKeptEntryIndex ?? undefined,
        };
      case "reset":
        return { kind: "reset", firstKeptId: idOf(envelope.firstKeptEntryId) };
      case "leaf":
        return {
          kind: "leaf",
          target: this.#nodes.entries.parentNumber(envelope.targetId === null ? null : idOf(envelope.targetId)),
        };
      case "custom":
        return customContent(envelope);
      case "thinking_level_change":
        return { kind: "effort", level: nameOf(record.value.thinkingLevel) };
      default:
        return { kind: "other" };
    }
  }
}

function messageContent({ message }: Envelope, draft: Draft): NodeContent {
  const role = message?.role ?? "";
  if (role === "assistant") return { kind: "response", model: nameOf(message?.model) };
  const text = draft.blocks.find((one) => one.kind === "text")?.text ?? "";
  const origin = originOf(role, text);
  if (origin === undefined) return { kind: "other" };
  const title = origin === "typed" ? titleOf(text) : undefined;
  return {
    kind: "message",
    origin,
    isReplayed: role === "user" || role === "toolResult",
    title: title === undefined ? undefined : detached(title),
  };
}

/** Contents that are messages. */
const HAS_BLOCKS = new Set<NodeContent["kind"]>(["message", "response", "compaction"]);

/** What most entries have in common with others; `undefined` for those that say something of their own. */
function keyOf(content: NodeContent): string | undefined {
  if (content.kind === "other") return "other";
  if (content.kind === "effort") return `effort ${content.level ?? ""}`;
  if (content.kind === "response") return content.model === undefined ? "response" : `response ${content.model}`;
  if (content.kind !== "message" || content.title !== undefined) return undefined;
  return content.isReplayed ? `replayed ${content.origin}` : content.origin;
}

/** The name under which a pruned result is listed. Source: openclaw@2026.9.6, tool-result-truncation. */
function pruningKey(message: Envelope["message"]): string | undefined {
  const callId = idOf(message?.toolCallId);
  if (callId === undefined) return undefined;
  return typeof message?.timestamp === "number" ? `tool:${callId}:${message.timestamp}` : `tool:${callId}`;
}

/** A mark of pruning where it names results; one that only says when the cache was touched changes nothing. */
function customContent(envelope: Envelope): NodeContent {
  if (envelope.customType !== "openclaw.cache-ttl") return { kind: "other" };
  const cleared = prunedResults(envelope)
    .filter(({ mode }) => mode === "hard")
    .map(({ key }) => key);
  return cleared.length > 0 ? { kind: "pruning", cleared } : { kind: "other" };
}
