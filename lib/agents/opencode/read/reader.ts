/**
 * opencode exports one JSON document: a session and its messages, each with its parts. Shortened example:
 *
 *     {"info":{"id":"ses_1","title":"Sort","version":"1.18.15","directory":"/w","time":{"created":1700000000000}},
 *      "messages":[
 *       {"info":{"id":"msg_1","role":"user","sessionID":"ses_1","time":{"created":1700000001000}},
 *        "parts":[{"type":"text","text":"List the files."}]},
 *       {"info":{"id":"msg_2","role":"assistant","parentID":"msg_1","providerID":"p","modelID":"m",
 *         "tokens":{"input":900,"output":9,"reasoning":0,"cache":{"read":0,"write":0}}},
 *        "parts":[{"type":"tool","callID":"c1","tool":"bash","state":{"status":"completed","input":{"command":"ls"},"output":"…"}}]},
 *       {"info":{"id":"msg_3","role":"user"},"parts":[{"type":"compaction","auto":true}]},
 *       {"info":{"id":"msg_4","role":"assistant","parentID":"msg_3","summary":true,"finish":"stop"},"parts":[{"type":"text","text":"…"}]}]}
 */
import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, objectOf, textOf } from "@/lib/agents/shared/json";
import { subjectTitle, titleOf } from "@/lib/agents/shared/title";
import type { LineNumber, Milliseconds } from "@/lib/core/base/units";
import { anyNumberField, type SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { DraftMessage } from "@/lib/core/transcript/draft";
import { processOf } from "@/lib/core/transcript/held-terms";
import type { RequestTerms, Usage } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import { type KnownUsageFields, possibleTime, type RecordNumbers } from "@/lib/core/transcript/record-numbers";
import { draftMessages, draftsOf, messagesOfRecord } from "../messages/blocks";
import { compactionPart, isCompleteSummary, isSummaryCall, messageId, type SessionMessage } from "../messages/message";
import type { ClearedCall, CompactionRequest, MeasuredMessage, Node } from "./nodes";
import { writeTrajectory } from "./trajectory";

/**
 * Gives every call and its result an id that links them: the call id if no other part has it. If the id was masked, or an earlier part has it too
 * (some models number the calls of every response from 0), the id is made from the part's place in the session.
 */
class CallLinks {
  /** Place of the part to which each call id belongs. */
  readonly #owners = new Map<string, string>();

  /**
   * The message, with a unique call id in every tool part.
   * @param index the message's place in the session; a message that is written again keeps its place
   */
  linked(message: SessionMessage, index: number): SessionMessage {
    return { ...message, parts: message.parts.map((part, at) => this.#linkedPart(part, `${index}.${at}`)) };
  }

  #linkedPart(part: JsonObject, place: string): JsonObject {
    if (part.type !== "tool") return part;
    const id = idOf(part.callID);
    if (id !== undefined && !this.#owners.has(id)) this.#owners.set(id, place);
    return id !== undefined && this.#owners.get(id) === place ? part : { ...part, callID: `part ${place}` };
  }
}

/**
 * Reads opencode's exports (`opencode export <id>`): one document with a session and its messages, each with its parts. The traps: a call and its
 * result are one part, a cleared output stays in the file, and a compaction is a message that a later message completes. Source: README.md,
 * "Form" and "Traps".
 */
export const opencodeReader: Reader = {
  format: "opencode",
  sniff: sniffOpencode,
  parse: (builder) => new OpencodeParser(builder),
  texts: (record) =>
    draftsOf(record).flatMap((messages) => messages.flatMap(({ blocks }) => blocks.map(({ text }) => text))),
  sessionMarks:
    () =>
    ({ value }) => ({ session: sessionOf(value) }),
};

const PARTS = new Set([
  ...["text", "reasoning", "file", "tool", "step-start", "step-finish", "snapshot", "patch", "agent", "retry"],
  ...["subtask", "compaction"],
]);

/** The session of a record, or of its message. */
function sessionOf({ info }: JsonObject): string | undefined {
  if (!isObject(info)) return undefined;
  return info.role === undefined ? idOf(info.id) : idOf(info.sessionID);
}

class OpencodeParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #nodes: Node[] = [];
  readonly #byId = new Map<string, number>();
  readonly #links = new CallLinks();
  #revert: JsonObject | undefined;
  #sessionId: string | undefined;
  /** The session of the first record that names one, and of the last. */
  #first: string | undefined;
  #current: string | undefined;
  #title: string | undefined;
  /** Creation time of the last session record. */
  #created: Milliseconds | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const { info, messages } = record.value;
    const found = messagesOfRecord(record.value);
    this.#several(record, Math.max(1, found.length));
    if (isObject(info) && info.role === undefined) this.#session(info, record);
    if (!Array.isArray(messages) && found.length === 0) this.#other(info, record);
    this.#messages(found, record);
  }

  end(): void {
    const nodes = inOrder(this.#nodes);
    writeTrajectory(this.#builder, nodes, this.#revert);
    const title = subjectTitle([this.#title, ...nodes.map((node) => node.title)]);
    this.#builder.facts({ sessionId: this.#sessionId, title });
  }

  /** A session alone is a record of its own. The session of an export is not: its messages are the records. */
  #other(info: unknown, { line }: SourceRecord): void {
    const isSession = isObject(info) && info.role === undefined;
    this.#builder.countRecord(isSession ? "session" : "(other)");
    if (!isSession) this.#builder.unknownRecord("(other)", line);
  }

  /** Reports records of a session other than that of the file's first record. */
  #several({ value, line }: SourceRecord, records: number): void {
    const id = sessionOf(value);
    this.#first ??= id;
    this.#current = id ?? this.#current;
    if (this.#current !== this.#first) this.#builder.problem("several-sessions", line, this.#current, records);
  }

  #session(info: JsonObject, { line }: SourceRecord): void {
    const id = idOf(info.id);
    this.#sessionId = id ?? this.#sessionId;
    this.#title = nameOf(info.title) ?? this.#title;
    const parent = idOf(info.parentID);
    if (parent !== undefined) {
      this.#builder.parent(parent, "subagent");
      if (id !== undefined) this.#builder.ownAgent(id);
    }
    // Version 2 names the session that was forked. Sessions of a database also have `forkedFrom`.
    const forked = [objectOf(info.fork).sessionID, ...(Array.isArray(info.forkedFrom) ? info.forkedFrom : [])];
    for (const origin of new Set(forked.flatMap((id) => idOf(id) ?? []))) this.#builder.parent(origin, "fork");
    this.#revert = isObject(info.revert) ? info.revert : this.#revert;
    const time = objectOf(info.time);
    this.#created = this.#builder.time(anyNumberField(time.created), line);
    this.#builder.time(anyNumberField(time.updated), line);
    this.#builder.facts({ agentVersion: nameOf(info.version), project: nameOf(info.directory) });
  }

  #messages(found: readonly SessionMessage[], record: SourceRecord): void {
    let part = 0;
    for (const unlinked of found) {
      const index = this.#byId.get(idOf(messageId(unlinked)) ?? "") ?? this.#nodes.length;
      const message = this.#links.linked(unlinked, index);
      this.#count(message, record);
      const messages = draftMessages(message).map((draft) => {
        const measured = this.#measured(draft, record, part);
        part += draft.blocks.length;
        return measured;
      });
      const node = nodeOf(message, messages, index, record.line, this.#builder.numbers(record.line));
      const isCopied = (node.at ?? Number.NaN) < (this.#created ?? Number.NaN);
      this.#add({ ...node, isCopied });
    }
  }

  #count({ info, parts }: SessionMessage, { line }: SourceRecord): void {
    const role = textOf(info.role) || "(no role)";
    this.#builder.countRecord(role);
    if (role !== "user" && role !== "assistant") this.#builder.unknownRecord(role, line);
    for (const part of parts) {
      const type = textOf(part.type) || "(no type)";
      const session = type === "tool" ? idOf(objectOf(objectOf(part.state).metadata).sessionId) : undefined;
      if (session !== undefined) this.#builder.subagent(session, idOf(part.callID));
      if (!PARTS.has(type)) this.#builder.unknownRecord(`part/${type}`, line);
    }
    const time = objectOf(info.time);
    this.#builder.time(anyNumberField(time.created), line);
    this.#builder.time(anyNumberField(time.completed), line);
    this.#sessionId ??= idOf(info.sessionID);
    if (role === "assistant") this.#builder.facts({ project: nameOf(objectOf(info.path).root) });
  }

  /** A repeated id is the same message in a newer version. */
  #add(node: Node): void {
    if (node.index < this.#nodes.length) this.#builder.problem("duplicate-record", node.line);
    else if (node.id !== "") this.#byId.set(node.id, node.index);
    this.#nodes[node.index] = node;
  }

  #measured(draft: DraftMessage, record: SourceRecord, firstPart: number): MeasuredMessage {
    return {
      role: draft.role,
      origin: draft.origin,
      blocks: this.#builder.blocks(draft.blocks, record, firstPart),
    };
  }
}

/** Sorts by creation time, copies after their originals, then by id; a message without a time stays after the one before it. */
function inOrder(nodes: readonly Node[]): readonly Node[] {
  let last = Number.NEGATIVE_INFINITY;
  const timed = nodes.map((node) => {
    last = node.at ?? last;
    return { node, at: last };
  });
  return timed
    .sort(
      (a, b) =>
        compare(a.at, b.at) ||
        Number(a.node.isCopied) - Number(b.node.isCopied) ||
        compare(a.node.id, b.node.id) ||
        a.node.index - b.node.index,
    )
    .map(({ node }) => node);
}

function compare<Value extends string | number>(a: Value, b: Value): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function nodeOf(
  message: SessionMessage,
  messages: readonly MeasuredMessage[],
  index: number,
  line: LineNumber,
  numbers: RecordNumbers,
): Omit<Node, "isCopied"> {
  const { info } = message;
  return {
    id: idOf(messageId(message)) ?? "",
    parent: textOf(info.parentID) === "" ? "" : idOf(info.parentID),
    line,
    index,
    at: possibleTime(anyNumberField(objectOf(info.time).created)),
    role: info.role === "user" || info.role === "assistant" ? info.role : "other",
    model: info.role === "assistant" ? nameOf(info.modelID) : undefined,
    usage: info.role === "assistant" ? usageOf(info, numbers) : undefined,
    terms: info.role === "assistant" ? termsOf(info) : undefined,
    title: messages[0]?.origin === "typed" ? promptTitle(message) : undefined,
    messages,
    compaction: compactionOf(message),
    isSummaryCall: isSummaryCall(message),
    isSummary: isCompleteSummary(message),
    cleared: message.parts.flatMap((part) => clearedCall(part, numbers)),
  };
}

/** The variant of a model is its thinking effort. */
function termsOf(info: JsonObject): RequestTerms | undefined {
  const effort = nameOf(info.variant);
  const process = processOf(nameOf(objectOf(info.path).cwd));
  if (effort === undefined && process === undefined) return undefined;
  return { ...(effort === undefined ? {} : { effort }), ...(process === undefined ? {} : { process }) };
}

function promptTitle({ parts }: SessionMessage): string | undefined {
  return titleOf(textOf(parts.find((part) => part.type === "text" && part.synthetic !== true)?.text));
}

function compactionOf(message: SessionMessage): CompactionRequest | undefined {
  const part = compactionPart(message);
  if (part === undefined) return undefined;
  const asked = part.auto === true ? "auto" : part.auto === false ? "manual" : "unknown";
  return { trigger: part.overflow === true ? "overflow" : asked, tail: idOf(part.tail_start_id) };
}

function clearedCall(part: JsonObject, numbers: RecordNumbers): readonly ClearedCall[] {
  const at = numbers.time(anyNumberField(objectOf(objectOf(part.state).time).compacted), "compacted");
  const call = idOf(part.callID);
  return part.type === "tool" && at !== undefined && at > 0 && call !== undefined ? [{ call, at }] : [];
}

/** True if the first records are opencode's: an exported session, or its messages. Source: README.md, "Form". */
function sniffOpencode(head: readonly JsonObject[]): boolean {
  return head.some((record) => isExport(record) || isMessage(record));
}

function isExport(record: JsonObject): boolean {
  const { info, messages } = record;
  if (!isObject(info) || !Array.isArray(messages)) return false;
  if (textOf(info.id).startsWith("ses_") || typeof info.projectID === "string") return true;
  return messages.some((message) => isObject(message) && isMessage(message));
}

function isMessage({ info, parts }: JsonObject): boolean {
  if (!isObject(info) || !Array.isArray(parts)) return false;
  return (
    (info.role === "user" || info.role === "assistant") && (typeof info.sessionID === "string" || isObject(info.time))
  );
}

const KNOWN_FIELDS: KnownUsageFields = new Set(["input", "output", "reasoning", "cache.read", "cache.write", "total"]);

/**
 * Usage as recorded with an answer (of its last step): the input without the cached part. Reasoning is part of the output up to 1.2 and separate from
 * it later; the record's total shows which. `undefined` if no input is recorded.
 */
function usageOf({ tokens, cost }: JsonObject, numbers: RecordNumbers): Usage | undefined {
  if (!isObject(tokens)) return undefined;
  numbers.unknownUsage(tokens, KNOWN_FIELDS);
  const cache = objectOf(tokens.cache);
  const input = numbers.tokens(tokens.input, "input");
  const output = numbers.tokens(tokens.output, "output");
  const reasoning = numbers.tokens(tokens.reasoning, "reasoning");
  const read = numbers.tokens(cache.read, "cache.read");
  const write = numbers.tokens(cache.write, "cache.write");
  const total = numbers.sum(tokens.total, "total");
  const ownCost = numbers.dollars(cost, "cost");
  if (input === undefined && read === undefined && write === undefined) return undefined;
  const sent = (input ?? 0) + (read ?? 0) + (write ?? 0);
  const beside = (reasoning ?? 0) > 0 && total === sent + (output ?? 0) + (reasoning ?? 0);
  return {
    input: input ?? 0,
    cacheRead: read,
    cacheWrite: write,
    ...(output === undefined ? {} : { output: output + (beside ? (reasoning ?? 0) : 0) }),
    reasoning,
    ownCost,
  };
}
