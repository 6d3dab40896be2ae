/*
 * Session of ClawdCode: one JSON row a line, with `uuid`, `sessionId`, `timestamp`, `cwd` and `version`. Invented and shortened:
 *
 * {"uuid":"1","sessionId":"V1St…","type":"user","cwd":"/src","version":"1.8.0","message":{"role":"user","content":"Fix it"}}
 * {"uuid":"2","type":"assistant","message":{"role":"assistant","content":"Reading.","model":"gpt-4o","usage":{"input_tokens":5200,"output_tokens":30}}}
 * {"uuid":"3","type":"tool_use","message":{"role":"assistant","content":""},"tool":{"id":"t1","name":"Read","input":{"file_path":"a.ts"}}}
 * {"uuid":"4","type":"tool_result","message":{"role":"assistant","content":""},"toolResult":{"id":"t1","output":"let a"}}
 * {"uuid":"5","type":"assistant","message":{"role":"assistant","content":"Fixed."}}
 * {"uuid":"6","type":"system","subtype":"compact_boundary","message":{"role":"system","content":"=== 上下文压缩边界 ==="},"compactMetadata":{…}}
 * {"uuid":"7","parentUuid":"6","type":"user","isCompactSummary":true,"message":{"role":"user","content":"…"},"compactMetadata":{"trigger":"auto",…}}
 * {"uuid":"8","type":"user","message":{"role":"user","content":"Go on."}}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, textOrAnyJson } from "@/lib/agents/shared/json";
import { isoTime } from "@/lib/core/base/iso-time";
import type { LineNumber } from "@/lib/core/base/units";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { type Draft, type DraftBlock, NO_DRAFT } from "@/lib/core/transcript/draft";
import type { Block, Boundary, Message, Usage } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import { possibleTime } from "@/lib/core/transcript/record-numbers";
import { RETAIN_SHARE } from "../base/constants";
import { type ClawdMessage, callsOf } from "../messages/message";
import { retained } from "../summary/retain";
import { type Entry, entryOf } from "./schema";
import { SessionFacts } from "./session";
import { sniffClawdcode } from "./sniff";

/** One of the program's messages: an index of ours, and the fields that the retention rule reads. */
interface Held extends ClawdMessage {
  readonly index: number;
}

/**
 * The program's memory while it writes a file, after its own compactions. A compaction writes its summary but not the messages it keeps; those follow
 * from its rule: the newest fifth without orphans. Source: README.md, "Kept messages".
 */
class RecordedHistory {
  #held: Held[] = [];

  /** Adds the next message. A summary goes before the messages that its compaction kept. */
  add(index: number, message: Message): void {
    const held = heldOf(index, message);
    if (message.origin === "summary") this.#held.unshift(held);
    else this.#held.push(held);
  }

  /** Indices of the messages that a compaction would keep at this point. */
  kept(): readonly number[] {
    // `retained` returns entries of the given list.
    const kept = retained(this.#held, RETAIN_SHARE) as readonly Held[];
    return kept.map((held) => held.index).sort((a, b) => a - b);
  }

  /** Reduces memory to the kept messages. */
  compacted(kept: readonly number[]): void {
    const stays = new Set(kept);
    this.#held = this.#held.filter((held) => stays.has(held.index));
  }
}

/** A response may still get calls after it was added, so its calls are read only when it is compacted. */
function heldOf(index: number, { origin, role, blocks }: Message): Held {
  if (origin === "tool") return { index, role: "tool", tool_call_id: blocks[0]?.callId };
  return {
    index,
    role,
    get tool_calls() {
      return blocks.flatMap(({ kind, callId }) => (kind === "tool_call" ? [{ id: callId }] : []));
    },
  };
}

/**
 * Reads ClawdCode's sessions (`~/.clawdcode/projects/<project>/<session>.jsonl`): rows of text, of calls and of results, in order. There are no
 * branches; where the program writes `parentUuid`, it is null.
 */
export const clawdcodeReader: Reader = {
  format: "clawdcode",
  sniff: sniffClawdcode,
  parse: (builder) => new ClawdcodeParser(builder),
  texts: (record) => draftOf(record).blocks.map((draft) => draft.text),
  sessionMarks:
    () =>
    ({ value }) => {
      const { sessionId, uuid } = entryOf(value);
      return { session: idOf(sessionId), id: idOf(uuid) };
    },
};

const KNOWN_TYPES = new Set(["user", "assistant", "system", "tool_use", "tool_result"]);
const NO_TYPE = "(no type)";

class ClawdcodeParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #facts = new SessionFacts();
  readonly #history = new RecordedHistory();
  readonly #uuids = new Set<string>();
  /** The response that the next call belongs to; any other row ends it. */
  #response: { readonly message: Message; readonly blocks: Block[] } | undefined;
  /** The compaction whose summary comes next. */
  #boundary: Boundary | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const entry = entryOf(record.value, this.#builder.numbers(record.line));
    const type = entry.type ?? NO_TYPE;
    const isBoundary = type === "system" && entry.subtype === "compact_boundary";
    this.#builder.countRecord(isBoundary ? `${type}/${entry.subtype}` : type);
    this.#builder.time(isoTime(entry.timestamp), record.line);
    this.#facts.add(entry, record.line);
    if (!KNOWN_TYPES.has(type)) this.#builder.unknownRecord(type, record.line);
    else if (this.#isCopy(entry)) this.#builder.problem("duplicate-record", record.line);
    else if (isBoundary) this.#openBoundary(entry, record.line);
    else this.#addRow(type, entry, record);
  }

  #isCopy(entry: Entry): boolean {
    const uuid = idOf(entry.uuid);
    if (uuid === undefined) return false;
    const known = this.#uuids.has(uuid);
    this.#uuids.add(uuid);
    return known;
  }

  #addRow(type: string, entry: Entry, record: SourceRecord): void {
    const draft = draftOf(record.value);
    for (const name of draft.odd) this.#builder.problem("unexpected-field", record.line, name);
    const blocks = this.#builder.blocks(draft.blocks, record);
    if (entry.isCompactSummary) this.#addSummary(entry, record, blocks);
    else if (type === "assistant" || type === "tool_use") this.#addResponse(type, entry, record, blocks);
    else if (blocks.length > 0) {
      const origin = type === "tool_result" ? "tool" : type === "system" ? "context" : "typed";
      if (origin === "typed") this.#facts.prompt(draft.blocks[0]?.text ?? "");
      this.#push({ role: type === "system" ? "system" : "user", origin, ...placeOf(entry, record), blocks });
    }
  }

  /** A call belongs to the text or the call before it; every text is a response of its own. */
  #addResponse(type: string, entry: Entry, record: SourceRecord, blocks: readonly Block[]): void {
    if (type === "tool_use" && this.#response !== undefined) {
      this.#response.blocks.push(...blocks);
      this.#builder.extendMessage(blocks);
      return;
    }
    const grown = [...blocks];
    const message = this.#push({ role: "assistant", origin: "response", ...placeOf(entry, record), blocks: grown });
    this.#response = { message, blocks: grown };
    const usage = usageOf(entry);
    const model = nameOf(entry.model);
    if (model !== undefined) this.#builder.model(model);
    if (entry.inputTokens === 0) this.#builder.problem("pseudo-usage", record.line);
    this.#builder.request({ message: this.#builder.messageCount - 1, ...placeOf(entry, record), model, usage });
  }

  #openBoundary(entry: Entry, line: LineNumber): void {
    this.#closeBoundary();
    this.#response = undefined;
    this.#boundary = this.#boundaryOf(entry, line);
  }

  #boundaryOf(entry: Entry, line: LineNumber): Boundary {
    const { trigger, preTokens, postTokens, filesIncluded, parentUuid } = entry;
    const at = possibleTime(isoTime(entry.timestamp));
    return {
      kind: "compaction",
      line,
      trigger: trigger === "auto" || trigger === "manual" ? trigger : "unknown",
      ...(at === undefined ? {} : { at }),
      ...(preTokens === undefined ? {} : { tokensBefore: preTokens }),
      ...(postTokens === undefined ? {} : { tokensAfter: postTokens }),
      message: this.#builder.messageCount,
      kept: this.#history.kept(),
      clearedCalls: [],
      ...(filesIncluded === undefined ? {} : { filesIncluded }),
      ...(parentUuid === undefined ? {} : { parentUuid }),
    };
  }

  /** The second row of a compaction holds the summary and repeats the numbers, so it supplies those missing from the first row. */
  #addSummary(entry: Entry, record: SourceRecord, blocks: readonly Block[]): void {
    this.#response = undefined;
    const own = this.#boundaryOf(entry, record.line);
    const { trigger } = this.#boundary ?? own;
    this.#boundary = {
      ...own,
      ...this.#boundary,
      trigger: trigger === "unknown" ? own.trigger : trigger,
      summaryLine: record.line,
    };
    this.#closeBoundary();
    this.#push({ role: "user", origin: "summary", recordedOnly: true, ...placeOf(entry, record), blocks });
  }

  #closeBoundary(): void {
    if (this.#boundary === undefined) return;
    this.#builder.boundary(this.#boundary);
    this.#history.compacted(this.#boundary.kept);
    this.#boundary = undefined;
  }

  #push(message: Message): Message {
    this.#closeBoundary();
    this.#response = undefined;
    this.#history.add(this.#builder.message(message), message);
    return message;
  }

  end(): void {
    // A boundary without a summary stays open: the file may grow.
    if (this.#boundary !== undefined) this.#builder.boundary(this.#boundary);
    this.#facts.write(this.#builder);
  }
}

function placeOf(entry: Entry, { line }: SourceRecord) {
  const at = possibleTime(isoTime(entry.timestamp));
  return { line, at };
}

/** Usage as recorded: the input is everything sent, and its cached part is not recorded. Zeros mean that nothing is recorded. */
function usageOf(entry: Entry): Usage | undefined {
  const { inputTokens, outputTokens } = entry;
  if (inputTokens === undefined || inputTokens === 0) return undefined;
  return { input: inputTokens, output: outputTokens };
}

/**
 * The content blocks of one row, in order. The only place that decides which parts of a row the model reads. A row of a call or a result has no other
 * content, or an empty one.
 */
function draftOf(record: JsonObject): Draft {
  switch (record.type) {
    case "user":
    case "assistant":
      return textDraft(record.message);
    case "system":
      return record.subtype === "compact_boundary" ? NO_DRAFT : textDraft(record.message);
    case "tool_use":
      return withText(record.message, isObject(record.tool) ? callBlock(record.tool) : "tool");
    case "tool_result":
      return withText(record.message, isObject(record.toolResult) ? resultBlock(record.toolResult) : "toolResult");
    default:
      return NO_DRAFT;
  }
}

/** A message outside rows of calls: its text, then the calls that it may hold itself. */
function textDraft(message: unknown): Draft {
  if (!isObject(message)) return { blocks: [], odd: ["message"] };
  const { content } = message;
  const calls = nestedCalls(message);
  const absent = content === undefined || content === null;
  if (absent) return { blocks: calls, odd: calls.length > 0 ? [] : ["content"] };
  const empty = content === "" && calls.length > 0;
  return { blocks: [...(empty ? [] : [{ kind: "text", text: textOrAnyJson(content) } as const]), ...calls], odd: [] };
}

/** Calls in OpenAI's format within a message: no release writes them, but they are part of its format in memory. */
function nestedCalls(message: ClawdMessage): readonly DraftBlock[] {
  return callsOf(message).map((call) => ({
    kind: "tool_call",
    text: call.arguments ?? "",
    callId: idOf(call.id),
    tool: call.name,
    file: undefined,
  }));
}

function withText(message: unknown, block: DraftBlock | string): Draft {
  const content = isObject(message) ? message.content : undefined;
  const beside: DraftBlock[] = content ? [{ kind: "text", text: textOrAnyJson(content) }] : [];
  return typeof block === "string" ? { blocks: beside, odd: [block] } : { blocks: [...beside, block], odd: [] };
}

function callBlock(tool: JsonObject): DraftBlock {
  const input = isObject(tool.input) ? tool.input : {};
  const file = [input.file_path, input.path, input.notebook_path, input.filePath].find(
    (value) => typeof value === "string" && value !== "",
  );
  return {
    kind: "tool_call",
    text: textOrAnyJson(tool.input ?? {}),
    callId: idOf(tool.id),
    tool: typeof tool.name === "string" ? tool.name : undefined,
    // `find` does not narrow the type of the element, so it is checked again.
    file: typeof file === "string" ? file : undefined,
  };
}

/** A result's output; its error if there is no output, and both if there are both. */
function resultBlock(result: JsonObject): DraftBlock {
  const texts = [result.output, result.error].filter((value) => value !== undefined && value !== null && value !== "");
  return {
    kind: "tool_result",
    text: texts.map(textOrAnyJson).join("\n"),
    callId: idOf(result.id),
    isError: Boolean(result.error),
  };
}
