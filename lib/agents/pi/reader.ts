import { detached } from "@/lib/core/base/detached";
import { Integers } from "@/lib/core/base/growing";
import { isoTime } from "@/lib/core/base/iso-time";
import { JoinedNames } from "@/lib/core/base/joined-names";
import type { Milliseconds } from "@/lib/core/base/units";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Draft } from "@/lib/core/transcript/draft";
import { HeldEntries } from "@/lib/core/transcript/held-entries";
import type { Reader, RecordParser, SourceRecord } from "@/lib/core/transcript/reader";
import { mainChain } from "../entry-chain";
import { FactFinder } from "../entry-facts";
import { idOf, nameOf } from "../ids";
import { isObject, type JsonObject, textOf } from "../json";
import { titleOf } from "../title";
import { draftOf, promptOf } from "./blocks";
import { type MessageContent, type NodeContent, type Nodes, type PromptBlock, usageOf } from "./nodes";
import { PromptState } from "./prompt";
import { type Envelope, envelopeOf } from "./schema";
import { sniffPi } from "./sniff";
import { Trajectory } from "./trajectory";

/**
 * Reads pi's sessions (`~/.pi/agent/sessions/--<folder>--/<time>_<id>.jsonl`): a tree of entries by `id` and `parentId`,
 * from version 2 on. The trap: branches stay in the same file, and the last entry decides which one is in force.
 * Source: README.md, "Records" and "Traps".
 */
export const piReader: Reader = {
  format: "pi",
  sniff: sniffPi,
  parse: (builder) => new PiParser(builder),
  texts: (record) => [...draftOf(record).blocks, ...promptOf(record)].map((draft) => draft.text),
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
  "branch_summary",
  "custom_message",
  "context_edit",
  "model_change",
  "thinking_level_change",
  "label",
  "session_info",
  "custom",
  "usage",
]);

/** Where a message's role puts it. A response and the prompt are kinds of their own. */
const ORIGINS: Readonly<Record<string, MessageContent["origin"]>> = {
  user: "typed",
  toolResult: "tool",
  bashExecution: "context",
  custom: "context",
  hookMessage: "context",
  branchSummary: "context",
  compactionSummary: "context",
};

/** Keeps a small node for every entry, and decides at the end what each is, when the leaf is known. */
class PiParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #facts = new FactFinder();
  readonly #names = new JoinedNames();
  readonly #nodes: Nodes;
  /** How many values pi would have read so far, and the line of the last. Of several objects on one line pi reads none. */
  #index = 0;
  #line = -1;
  /** The session whose header came last, where it is not the first one. */
  #another: { readonly id: string | undefined } | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
    this.#nodes = { entries: new HeldEntries(builder.heldBlocks()), index: new Integers() };
  }

  record(record: SourceRecord): void {
    const envelope = envelopeOf(record.value);
    const glued = record.line === this.#line;
    this.#line = record.line;
    this.#count(envelope, record);
    const at = this.#builder.time(isoTime(envelope.timestamp), record.line);
    const index = glued ? -1 : this.#index++;
    if (envelope.type !== "session") this.#addNode(envelope, record, index, at);
    else if (this.#facts.header(envelope)) this.#another = { id: idOf(envelope.id) };
    // Where files were put together, what stands behind another header belongs to that session.
    if (this.#another !== undefined) this.#builder.problem("several-sessions", record.line, this.#another.id);
    if (envelope.type === "session_info") this.#facts.name(envelope);
  }

  end(): void {
    const version = this.#facts.version();
    // Without a header, entries that name their parents are a tree all the same.
    const { entries } = this.#nodes;
    const linear = version === undefined ? entries.namesNoParents : version < 2;
    const chain = mainChain({ nodes: entries, linear }, (...problem) => this.#builder.problem(...problem));
    const trajectory = new Trajectory(this.#builder, this.#nodes);
    const prompt = new PromptState();
    for (const node of chain) {
      trajectory.add(node);
      const content = entries.facts(node);
      if (content.kind === "prompt" || content.kind === "compaction") prompt.apply(content);
    }
    for (const entry of prompt.overhead()) this.#builder.overhead(entry);
    this.#facts.write(this.#builder, entries.factsOf(chain));
  }

  #count(envelope: Envelope, record: SourceRecord): void {
    const type = envelope.type ?? "(no type)";
    const detail = type === "message" ? envelope.message?.role : SUBTYPED.has(type) ? envelope.customType : undefined;
    const name = typeof detail === "string" ? this.#names.join(type, detail) : type;
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
    this.#nodes.index.push(index);
    this.#nodes.entries.push({
      line: record.line,
      id: idOf(envelope.id),
      parent: envelope.parentId === null ? null : idOf(envelope.parentId),
      at: at ?? figures.time(envelope.message?.timestamp, "message.timestamp"),
      facts: content,
      key: keyOf(content),
      usage: content.kind === "response" ? usageOf(envelope.message?.usage, figures) : undefined,
      blocks: HAS_BLOCKS.has(content.kind) ? this.#builder.blocks(draft.blocks, record) : [],
    });
  }

  #content(envelope: Envelope, record: SourceRecord, draft: Draft): NodeContent {
    switch (envelope.type) {
      case "message":
        return this.#messageContent(envelope, record, draft);
      case "custom_message":
      case "branch_summary":
        return { kind: "message", origin: "context" };
      case "compaction":
        return {
          kind: "compaction",
          tokensBefore: this.#builder.figures(record.line).tokens(record.value.tokensBefore, "tokensBefore"),
          firstKeptId: idOf(envelope.firstKeptEntryId),
          firstKeptIndex: envelope.firstKeptEntryIndex ?? undefined,
          prompt: this.#promptBlocks(draft, record),
        };
      case "context_edit":
        return { kind: "edit", target: idOf(envelope.targetId) };
      case "thinking_level_change":
        return { kind: "effort", level: nameOf(record.value.thinkingLevel) };
      default:
        return { kind: "other" };
    }
  }

  #messageContent(envelope: Envelope, record: SourceRecord, draft: Draft): NodeContent {
    const { message } = envelope;
    const role = message?.role ?? "";
    if (role === "assistant") return { kind: "response", model: nameOf(message?.model) };
    if (role === "system") {
      const removed = isObject(record.value.message) ? removedParts(record.value.message) : [];
      return { kind: "prompt", blocks: this.#promptBlocks(draft, record), removed };
    }
    const origin = Object.hasOwn(ORIGINS, role) ? ORIGINS[role] : undefined;
    if (origin === undefined) return { kind: "other" };
    const title = origin === "typed" ? titleOf(draft.blocks.find((one) => one.kind === "text")?.text ?? "") : undefined;
    const callId = origin === "tool" ? undefined : idOf(message?.toolCallId);
    return { kind: "message", origin, title: title === undefined ? undefined : detached(title), callId };
  }

  #promptBlocks(draft: Draft, record: SourceRecord): readonly PromptBlock[] {
    const { line, offset, length } = record;
    return promptOf(record.value).map((one, index) => {
      const source = { line, offset, length, part: draft.blocks.length + index };
      return { part: one.prompt, block: this.#builder.block(one, source) };
    });
  }
}

/** Contents that are messages. */
const HAS_BLOCKS = new Set<NodeContent["kind"]>(["message", "response", "compaction"]);

/** What most entries have in common with others; `undefined` for those that say something of their own. */
function keyOf(content: NodeContent): string | undefined {
  if (content.kind === "other") return "other";
  if (content.kind === "effort") return `effort ${content.level ?? ""}`;
  if (content.kind === "response") return content.model === undefined ? "response" : `response ${content.model}`;
  const isPlain = content.kind === "message" && content.title === undefined && content.callId === undefined;
  return isPlain ? content.origin : undefined;
}

/** Types whose records name a kind of their own. */
const SUBTYPED = new Set(["custom", "custom_message"]);

function isKnownRole(role: string): boolean {
  return role === "assistant" || role === "system" || Object.hasOwn(ORIGINS, role);
}

/** Sections that are `null` and tools that are named as removed. */
function removedParts(message: JsonObject) {
  const sections = isObject(message.sections) ? Object.entries(message.sections) : [];
  const tools = Array.isArray(message.toolsRemoved) ? message.toolsRemoved.filter(isObject) : [];
  return [
    ...sections.flatMap(([name, value]) => (value === null ? [{ kind: "section", name } as const] : [])),
    ...tools.map((tool) => ({ kind: "tool", name: textOf(tool.name) }) as const),
  ];
}
