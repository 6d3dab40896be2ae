/*
 * Session of Gemini CLI: a log, one JSON line each, that builds a list of messages. Invented and shortened:
 *
 * {"sessionId":"3f1c…","projectHash":"9b1d…","startTime":"2026-03-02T09:00:00.000Z","lastUpdated":"…","kind":"main"}
 * {"id":"u1","timestamp":"…","type":"user","content":[{"text":"Fix it"}]}
 * {"id":"g1","timestamp":"…","type":"gemini","content":"Reading.","thoughts":[{"subject":"Plan","description":"…"}],"model":"gemini-3-pro"}
 * {"id":"g1","type":"gemini","content":"Reading.","toolCalls":[{"id":"c1","name":"read_file","args":{…},"result":[{"functionResponse":{…}}]}]}
 * {"id":"i1","type":"info","content":"Only for the screen."}
 * {"id":"g2","type":"gemini","content":"Done.","tokens":{"input":8900,"output":22,"cached":8800,"thoughts":0,"tool":0,"total":8922}}
 * {"$set":{"summary":"Fix a bug","lastUpdated":"…"}}
 * {"$rewindTo":"u1"}
 * {"$set":{"messages":[{"id":"u3","type":"user","content":[{"text":"<state_snapshot>…"}]}]}}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { subjectTitle, titleOf } from "@/lib/agents/shared/title";
import { isoTime } from "@/lib/core/base/iso-time";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import type { RecordNumbers } from "@/lib/core/transcript/record-numbers";
import { MASKED_TAG, SNAPSHOT_TAG } from "../base/constants";
import { isObject, type JsonObject, objectsOf } from "../messages/content";
import { type SessionLine, sessionLine } from "../messages/lines";
import { isCommand, plainText } from "../messages/message";
import { contentsOf, type DraftContent, draftsOf, type PartBlock } from "./blocks";
import { History } from "./history";
import type { CallResult, MeasuredContent, Node } from "./nodes";
import { writeTrajectory } from "./trajectory";
import { toolPromptOf, usageOf } from "./usage";

const TYPES = new Set(["user", "gemini", "info", "error", "warning"]);

/**
 * True if the first records are Gemini CLI's: a session's line or document has a `sessionId` and a `projectHash`. If the first line is missing,
 * messages and updates identify the file. Source: README.md, "Formats".
 */
function sniffGemini(head: readonly JsonObject[]): boolean {
  return head.some(isSession) || (head.some(isGeminiMessage) && head.every(isOwn));
}

function isSession(record: JsonObject): boolean {
  return typeof record.sessionId === "string" && typeof record.projectHash === "string" && record.uuid === undefined;
}

function isGeminiMessage(record: JsonObject): boolean {
  return record.type === "gemini" && typeof record.id === "string" && "content" in record;
}

function isOwn(record: JsonObject): boolean {
  if (isObject(record.$set) || typeof record.$rewindTo === "string") return true;
  return (
    typeof record.id === "string" &&
    typeof record.type === "string" &&
    TYPES.has(record.type) &&
    record.uuid === undefined
  );
}

/** Collects a file's facts about its session as a whole; later lines win. */
class Facts {
  /** The first id, and those set by updates: a resume continues under them. */
  readonly #own = new Set<string>();
  #sessionId: string | undefined;
  #isSubagent = false;
  #title: string | undefined;
  #project: string | undefined;

  /** Adds the fields of a session's line or of an update. */
  add(fields: JsonObject, isUpdate: boolean): void {
    const id = idOf(fields.sessionId);
    if (id !== undefined && (isUpdate || this.#own.size === 0)) this.#own.add(id);
    this.#sessionId = id ?? this.#sessionId;
    this.#isSubagent ||= fields.kind === "subagent";
    this.#title = titleOf(fields.summary) ?? this.#title;
    const folder: unknown = Array.isArray(fields.directories) ? fields.directories[0] : undefined;
    this.#project = nameOf(folder) ?? this.#project;
  }

  /** The id of another session, if a session's line names one. */
  another(fields: JsonObject): string | undefined {
    const id = idOf(fields.sessionId);
    return id === undefined || this.#own.size === 0 || this.#own.has(id) ? undefined : id;
  }

  /** @param prompt the title that the prompts give, for a session without a summary */
  write(builder: TranscriptBuilder, prompt: string | undefined): void {
    if (this.#isSubagent && this.#sessionId !== undefined) builder.ownAgent(this.#sessionId);
    builder.facts({ sessionId: this.#sessionId, title: subjectTitle([this.#title, prompt]), project: this.#project });
  }
}

/**
 * Reads Gemini CLI's sessions (`~/.gemini/tmp/<project>/chats/session-*.jsonl`, before 0.40 one JSON object in `.json`): a log that builds a list
 * of messages. The traps: a repeated id replaces a message, calls and results are in one message, and updates may replace the whole list. Source:
 * README.md, "Formats" and "Traps".
 */
export const geminiReader: Reader = {
  format: "gemini-cli",
  sniff: sniffGemini,
  parse: (builder) => new GeminiParser(builder),
  texts: (record) =>
    draftsOf(record).flatMap((contents) => contents.flatMap(({ blocks }) => blocks.map(({ text }) => text))),
  // A resume sets the id in an update and continues; only a session's own line begins another session.
  sessionMarks:
    () =>
    ({ value }) => {
      const line = sessionLine(value);
      return line.kind === "metadata" ? { session: idOf(line.fields.sessionId) } : {};
    },
};

/** Maximum characters of a prompt to search for a title. */
const TITLE_SOURCE_CHARS = 2000;

const NOTICES = new Set(["info", "error", "warning"]);

class GeminiParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #facts = new Facts();
  readonly #history = new History();
  /** The session of the last session line, if that is not the first one. */
  #another: string | undefined;
  /** Number of messages with masked ids so far. */
  #nameless = 0;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const line = sessionLine(record.value);
    if (line.kind === "metadata") this.#another = this.#facts.another(line.fields);
    this.#read(line, record);
    if (this.#another !== undefined) {
      const records = line.kind === "metadata" ? Math.max(1, line.messages.length) : 1;
      this.#builder.problem("several-sessions", record.line, this.#another, records);
    }
  }

  #read(line: SessionLine, record: SourceRecord): void {
    switch (line.kind) {
      case "message":
        this.#messages([line.message], record);
        return;
      case "rewind":
        this.#builder.countRecord("$rewindTo");
        if (!this.#rewind(line.to, record.line)) this.#builder.problem("missing-parent", record.line, "$rewindTo");
        return;
      case "update":
        this.#builder.countRecord("$set");
        this.#metadata(line.fields, record, true);
        if (line.messages !== undefined) this.#history.replace(this.#nodes(line.messages, record), record.line);
        return;
      case "metadata":
        this.#session(line.fields, line.messages, record);
        return;
      case "other":
        this.#builder.countRecord("(other)");
        this.#builder.unknownRecord("(other)", record.line);
    }
  }

  /** An unknown id drops everything, as in the program. The target of a masked id is unknown, so nothing is dropped. */
  #rewind(to: string, line: number): boolean {
    return idOf(to) !== undefined && this.#history.rewind(to, line);
  }

  end(): void {
    const first = writeTrajectory(this.#builder, this.#history);
    this.#facts.write(this.#builder, first);
  }

  /** Reads a session's line, which is one record, or a document, which is not a record: its messages are. */
  #session(fields: JsonObject, messages: readonly JsonObject[], record: SourceRecord): void {
    this.#metadata(fields, record, false);
    if (!Array.isArray(fields.messages)) this.#builder.countRecord("metadata");
    this.#messages(messages, record);
  }

  #messages(messages: readonly JsonObject[], record: SourceRecord): void {
    for (const message of messages) this.#count(message, record);
    for (const node of this.#nodes(messages, record)) {
      this.#builder.time(node.at, record.line);
      this.#history.message(node);
    }
  }

  #metadata(fields: JsonObject, { line }: SourceRecord, isUpdate: boolean): void {
    this.#builder.time(isoTime(fields.startTime), line);
    this.#builder.time(isoTime(fields.lastUpdated), line);
    this.#facts.add(fields, isUpdate);
  }

  #count(message: JsonObject, record: SourceRecord): void {
    const type = typeof message.type === "string" ? message.type : "(no type)";
    this.#builder.countRecord(type);
    if (type !== "user" && type !== "gemini" && !NOTICES.has(type)) this.#builder.unknownRecord(type, record.line);
  }

  /** All messages of a record, measured. Notices keep their index in the list, since a rewind may name them. */
  #nodes(messages: readonly JsonObject[], record: SourceRecord): readonly Node[] {
    let part = 0;
    return messages.map((message) => {
      const id = this.#idOf(message);
      const drafts = contentsOf(message).map((draft) => linked(draft, id));
      const contents = drafts.map((draft) => {
        const measured = this.#measured(draft, record, part);
        part += draft.blocks.length;
        return measured;
      });
      return { ...nodeOf(message, contents, drafts, record, this.#builder.numbers(record.line)), id };
    });
  }

  /** A message with a masked id replaces no other message, and none replaces it. */
  #idOf(message: JsonObject): string {
    return idOf(message.id) ?? `message ${this.#nameless++}`;
  }

  #measured(draft: DraftContent, record: SourceRecord, firstPart: number): MeasuredContent {
    const { role, origin, blocks } = draft;
    const start = origin === "typed" ? textStart(blocks) : "";
    const initialContext = start.startsWith("<session_context>");
    const context = initialContext || start.startsWith("<hook_context>");
    return {
      role: role === "model" ? "assistant" : "user",
      origin: context ? "context" : start.startsWith("<state_snapshot>") ? "summary" : origin,
      initialContext,
      blocks: this.#builder.blocks(blocks, record, firstPart),
    };
  }
}

/** The content with every call and its results under one id: their own, or that of the entry that holds both. */
function linked(draft: DraftContent, message: string): DraftContent {
  const blocks = draft.blocks.map((block) =>
    block.entry === undefined ? block : { ...block, callId: block.callId ?? `${message} call ${block.entry}` },
  );
  return { ...draft, blocks };
}

/** The first text of some blocks, without leading blanks. */
function textStart(blocks: readonly PartBlock[]): string {
  return blocks.find(({ kind }) => kind === "text")?.text.trimStart() ?? "";
}

function nodeOf(
  message: JsonObject,
  contents: readonly MeasuredContent[],
  drafts: readonly DraftContent[],
  record: SourceRecord,
  numbers: RecordNumbers,
): Omit<Node, "id"> {
  const calls = objectsOf(message.toolCalls);
  const type = typeof message.type === "string" ? message.type : "";
  const typed = contents[0]?.origin === "typed";
  const text = plainText(message.content);
  return {
    type,
    line: record.line,
    at: numbers.time(isoTime(message.timestamp), "timestamp"),
    model: nameOf(message.model),
    usage: usageOf(message.tokens, numbers),
    toolPrompt: toolPromptOf(message.tokens, numbers),
    title: typed && !isCommand(message) ? text.slice(0, TITLE_SOURCE_CHARS) : undefined,
    contents,
    fingerprint: digest([type, text, ...calls.map((call) => idOf(call.id) ?? "")]),
    notResumed: isCommand(message),
    isSnapshot: type === "user" && text.includes(SNAPSHOT_TAG),
    results: resultsOf(drafts),
  };
}

function resultsOf(drafts: readonly DraftContent[]): readonly CallResult[] {
  return drafts.flatMap(({ blocks }) =>
    blocks.flatMap(({ kind, callId, text }) =>
      kind === "tool_result" && callId !== undefined ? [{ callId, isPreview: text.startsWith(MASKED_TAG) }] : [],
    ),
  );
}

/**
 * A 53-bit digest of some texts, for comparing them without keeping them. It distinguishes the texts of one session, but gives no protection against
 * deliberate collisions.
 */
function digest(texts: readonly string[]): number {
  let [low, high] = [0x811c9dc5, 0x9e3779b9];
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      low = Math.imul(low ^ unit, 0x01000193);
      high = Math.imul(high ^ unit, 0x85ebca6b) + 1;
    }
    low = Math.imul(low ^ 0x10000, 0x01000193);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
