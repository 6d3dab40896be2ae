/**
 * The format that pi and OpenClaw share: one JSON object a line, whose entries form a tree by `parentId`. Shortened example, without timestamps:
 *
 *     {"type":"session","version":3,"id":"s1","cwd":"/home/ada/shop"}
 *     {"type":"message","id":"a1","parentId":null,"message":{"role":"user","content":"Sort the cart."}}
 *     {"type":"message","id":"a2","parentId":"a1","message":{"role":"assistant","content":[{"type":"text","text":"By price?"}],
 *       "usage":{"input":900,"output":5,"cacheRead":0,"cacheWrite":0}}}
 *     {"type":"message","id":"a3","parentId":"a2","message":{"role":"user","content":"Yes."}}
 *     {"type":"message","id":"a4","parentId":"a2","message":{"role":"user","content":"No, by name."}}
 *     {"type":"message","id":"a5","parentId":"a4","message":{"role":"assistant","content":[{"type":"text","text":"Done."}],
 *       "usage":{"input":920,"output":3,"cacheRead":0,"cacheWrite":0}}}
 *     {"type":"compaction","id":"a6","parentId":"a5","summary":"…","firstKeptEntryId":"a4","tokensBefore":923}
 *
 * The last entry is the leaf, so a3 is on another branch: the chain is a1, a2, a4, a5, a6.
 */
import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { titleOf } from "@/lib/agents/shared/title";
import { isoTime } from "@/lib/core/base/iso-time";
import { JoinedNames } from "@/lib/core/base/name-table";
import { detached, textHash } from "@/lib/core/base/texts";
import type { Milliseconds, Tokens } from "@/lib/core/base/units";
import type { SourceRecord } from "@/lib/core/records/fields";
import { type JsonObject, objectField } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Draft } from "@/lib/core/transcript/draft";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import type { KnownUsageFields } from "@/lib/core/transcript/record-numbers";
import { type EntryTree, mainChain } from "./chain";
import { FactFinder } from "./facts";
import { type MessageContent, type NodeContent, type Nodes, recordedUsage, type UsageField } from "./nodes";
import { type Envelope, envelopeOf, type MessageFields } from "./schema";
import type { Trajectory } from "./trajectory";

/** Differences between the agents that write this format. */
export interface EntryFormat {
  /** Known record types; others are counted by name. */
  readonly types: ReadonlySet<string>;
  /** Known roles of messages, besides responses and the roles of `messageOrigin`. */
  readonly roles: ReadonlySet<string>;
  readonly draftOf: (record: SourceRecord["value"]) => Draft;
  /** Origin of a message, by its role and the beginning of its text; `undefined` for text outside the conversation. */
  readonly originOf: (role: string, text: string) => MessageContent["origin"] | undefined;
  readonly usageField: UsageField;
  /** Parses the provider's error for a prompt that was too long; `undefined` for any other error. Absent if errors are not read. */
  readonly refusal?: (error: string) => Refusal | undefined;
  /** Fields of a usage that are read or not needed. */
  readonly knownUsage: KnownUsageFields;
}

/** A provider's answer to a prompt that is too long. */
export interface Refusal {
  /** The model's window, if the answer names it. */
  readonly window: Tokens | undefined;
}

/** Assigns records to sessions: each header begins one. */
export const entrySessionMarks: NonNullable<Reader["sessionMarks"]> =
  () =>
  ({ value }) =>
    value.type === "session" ? { session: idOf(value.id), begins: idOf(value.id) === undefined } : {};

/** Record types that have subtypes of their own. */
const SUBTYPED = new Set(["custom", "custom_message"]);

/** Origin of a message by its role. Responses are a kind of their own. */
const ORIGINS: Readonly<Record<string, MessageContent["origin"]>> = {
  user: "typed",
  toolResult: "tool",
  bashExecution: "context",
  custom: "context",
  hookMessage: "context",
  branchSummary: "context",
  compactionSummary: "context",
};

/** Origin of messages with a role; `undefined` for responses and for roles outside of the conversation. */
export function messageOrigin(role: string): MessageContent["origin"] | undefined {
  return Object.hasOwn(ORIGINS, role) ? ORIGINS[role] : undefined;
}

/** Keeps a small node for every entry, and classifies the entries at the end, when the leaf is known. */
export abstract class EntryParser implements RecordParser {
  protected readonly builder: TranscriptBuilder;
  protected abstract readonly nodes: Nodes;
  readonly #format: EntryFormat;
  readonly #facts = new FactFinder();
  readonly #names = new JoinedNames();
  /** Number of values that the agent would have read so far, and the line of the last. The agent reads nothing from a line with several objects. */
  #index = 0;
  #line = -1;
  /** The session of the last header, if that is not the first one. */
  #another: { readonly id: string | undefined } | undefined;

  constructor(builder: TranscriptBuilder, format: EntryFormat) {
    this.builder = builder;
    this.#format = format;
  }

  /** Makes the writer of the main chain. */
  protected abstract trajectory(): Trajectory;

  /** Content of an entry that only this agent writes, or writes in its own way; `undefined` for any other entry. */
  protected abstract ownContent(envelope: Envelope, record: SourceRecord, draft: Draft): NodeContent | undefined;

  /** Facts about a message that only this agent records. */
  protected abstract messageFacts(role: string, envelope: Envelope): Pick<MessageContent, "callId" | "isReplayed">;

  /** Notes further content of the entry that was added last. */
  protected note(_envelope: Envelope, _content: NodeContent): void {}

  /** Moves of the leaf, if the agent has such entries. */
  protected steering(): Pick<EntryTree, "isSide" | "steersTo"> {
    return {};
  }

  record(record: SourceRecord): void {
    const envelope = envelopeOf(record.value);
    const sharesLine = record.line === this.#line;
    this.#line = record.line;
    this.#count(envelope, record);
    const at = this.builder.time(isoTime(envelope.timestamp), record.line);
    const index = sharesLine ? -1 : this.#index++;
    if (envelope.type !== "session") this.#addNode(envelope, record, index, at);
    else if (this.#facts.header(envelope)) this.#another = { id: idOf(envelope.id) };
    // In files that were joined, everything after another header belongs to that header's session.
    if (this.#another !== undefined) this.builder.problem("several-sessions", record.line, this.#another.id);
    if (envelope.type === "session_info") this.#facts.name(envelope);
  }

  end(): void {
    const version = this.#facts.version();
    // Without a header, entries that name their parents still form a tree.
    const { entries } = this.nodes;
    const linear = version === undefined ? entries.namesNoParents : version < 2;
    const tree = { nodes: entries, linear, ...this.steering() };
    const { chain, abandoned } = mainChain(tree, (...problem) => this.builder.problem(...problem));
    const trajectory = this.trajectory();
    trajectory.copiedBefore = this.#facts.copiedBefore;
    for (const node of chain) trajectory.add(node);
    trajectory.end();
    trajectory.branches(abandoned);
    this.#facts.write(this.builder, entries.factsOf(chain));
  }

  #count(envelope: Envelope, record: SourceRecord): void {
    const { types, roles } = this.#format;
    const type = envelope.type ?? "(no type)";
    const detail = type === "message" ? envelope.message?.role : SUBTYPED.has(type) ? envelope.customType : undefined;
    const name = detail === undefined ? type : this.#names.join(type, detail);
    this.builder.countRecord(name);
    if (!types.has(type)) this.builder.unknownRecord(type, record.line);
    else if (type === "message" && detail !== undefined) {
      const isKnown = detail === "assistant" || roles.has(detail) || messageOrigin(detail) !== undefined;
      if (!isKnown) this.builder.unknownRecord(name, record.line);
    }
  }

  #addNode(envelope: Envelope, record: SourceRecord, index: number, at: Milliseconds | undefined): void {
    const numbers = this.builder.numbers(record.line);
    const draft = this.#format.draftOf(record.value);
    for (const name of draft.odd) this.builder.problem("unexpected-field", record.line, name);
    const content = this.ownContent(envelope, record, draft) ?? this.#content(envelope, record, draft);
    const { usageField, knownUsage } = this.#format;
    const reported = content.kind === "response" ? envelope.message?.usage : summaryUsage(envelope, record.value);
    this.nodes.index.push(index);
    this.nodes.response.push(content.kind === "response" ? responseHash(envelope.message) : Number.NaN);
    this.nodes.entries.push({
      line: record.line,
      id: idOf(envelope.id),
      parent: envelope.parentId === null ? null : idOf(envelope.parentId),
      at: at ?? numbers.time(envelope.message?.timestamp, "message.timestamp"),
      facts: content,
      key: keyOf(content),
      usage: recordedUsage(reported, numbers, usageField, knownUsage),
      blocks: HAS_BLOCKS.has(content.kind) ? this.builder.blocks(draft.blocks, record) : [],
    });
    this.note(envelope, content);
  }

  #content(envelope: Envelope, record: SourceRecord, draft: Draft): NodeContent {
    switch (envelope.type) {
      case "message":
        return this.#message(envelope, draft);
      case "custom_message":
      case "branch_summary":
        return { kind: "message", origin: "context" };
      case "model_change":
        return { kind: "model", model: nameOf(record.value.modelId) };
      case "compaction":
        return this.compactionContent(envelope, record);
      case "thinking_level_change":
        return { kind: "effort", level: nameOf(record.value.thinkingLevel) };
      default:
        return { kind: "other" };
    }
  }

  /** Facts about a compaction in the format of all agents. */
  protected compactionContent(envelope: Envelope, record: SourceRecord) {
    return {
      kind: "compaction",
      tokensBefore: this.builder.numbers(record.line).tokens(record.value.tokensBefore, "tokensBefore"),
      firstKeptId: idOf(envelope.firstKeptEntryId),
      firstKeptIndex: envelope.firstKeptEntryIndex,
    } as const;
  }

  /** True if an error says that the prompt was too long. Records the window that the error names. */
  protected isRefusal(error: string | undefined): boolean {
    const refusal = error === undefined ? undefined : this.#format.refusal?.(error);
    if (refusal?.window !== undefined) this.builder.facts({ recordedWindow: refusal.window });
    return refusal !== undefined;
  }

  #message(envelope: Envelope, draft: Draft): NodeContent {
    const role = envelope.message?.role ?? "";
    if (role === "assistant") {
      const { errorMessage, model } = envelope.message ?? {};
      const overflow = this.isRefusal(errorMessage) ? ({ overflow: true } as const) : {};
      return { kind: "response", model: nameOf(model), ...overflow };
    }
    const text = draft.blocks.find((one) => one.kind === "text")?.text ?? "";
    const origin = this.#format.originOf(role, text);
    if (origin === undefined) return { kind: "other" };
    const title = origin === "typed" ? titleOf(text) : undefined;
    const facts = this.messageFacts(role, envelope);
    return { kind: "message", origin, title: title === undefined ? undefined : detached(title), ...facts };
  }
}

/** The usage of the call for a summary, which newer releases of pi write into the entry with the summary. */
function summaryUsage({ type }: Envelope, { usage }: SourceRecord["value"]): JsonObject | undefined {
  return type === "compaction" || type === "branch_summary" ? objectField(usage) : undefined;
}

/** Kinds of content that are messages. */
const HAS_BLOCKS = new Set<NodeContent["kind"]>(["message", "response", "compaction"]);

/** A hash of a response's id, or else of its time and usage: a rewritten branch keeps both. */
function responseHash(message: MessageFields | undefined): number {
  const { responseId, timestamp, usage } = message ?? {};
  if (responseId !== undefined) return textHash(responseId);
  return timestamp === undefined ? Number.NaN : textHash(`${timestamp} ${JSON.stringify(usage)}`);
}

/** A key that equal contents share; `undefined` for contents that are unique. */
function keyOf(content: NodeContent): string | undefined {
  if (content.kind === "other") return "other";
  if (content.kind === "effort") return `effort ${content.level ?? ""}`;
  if (content.kind === "model") return `model ${content.model ?? ""}`;
  if (content.kind === "response") {
    const kind = content.overflow === true ? "overflow response" : "response";
    return content.model === undefined ? kind : `${kind} ${content.model}`;
  }
  if (content.kind === "overflow") return "overflow";
  if (content.kind !== "message" || content.title !== undefined || content.callId !== undefined) return undefined;
  return content.isReplayed === true ? `replayed ${content.origin}` : content.origin;
}
