/*
 * Session of DeepSeek Harness: a header, then one event a line. Invented and shortened:
 *
 * {"type":"session","version":0,"id":"e1…","createdAt":1783352050748,"cwd":"/work/shop","delegationDepth":0}
 * {"type":"user/message","seq":0,"time":1783352050800,"data":{"role":"user","content":[{"type":"text","text":"Fix it."}],"source":{"kind":"user"},"id":"m1"},"surfaceOp":"append"}
 * {"type":"request/context","seq":1,"time":…,"data":{"provider":"deepseek-official","model":"deepseek-v4-flash","contextWindow":128000}}
 * {"type":"assistant/message","seq":2,"time":…,"data":{"turn":1,"step":1,"message":{"role":"assistant","content":[{"type":"tool-call","id":"c1","name":"bash","arguments":"{…}"}],"source":{"model":"deepseek-v4-flash"}},"usage":{"inputTokens":168,"outputTokens":25,"cacheReadTokens":2816}},"surfaceOp":"append"}
 * {"type":"tool/result","seq":3,"time":…,"data":{"message":{"content":[{"type":"tool-result","toolCallId":"c1","content":[…],"isError":false}]}},"surfaceOp":"append"}
 * {"type":"compaction/summary","seq":5,"time":…,"data":{"summary":[…],"shadowedSeqs":[0],"model":"deepseek-v4-flash","usage":{…}}}
 * {"type":"user/message","seq":6,"time":…,"data":{…},"surfaceOp":{"op":"replace","start":0,"end":0}}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import {
  argumentsOf,
  countOf,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  objectsOf,
  textOf,
  textOrJson,
  timeOf,
} from "@/lib/agents/shared/json";
import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { promptTitle, titleOf } from "@/lib/agents/shared/title";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { DraftBlock, DraftMessage, DraftOverhead } from "@/lib/core/transcript/draft";
import type { Usage } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";

/** Reads the sessions of DeepSeek Harness. README.md describes the format. */
const dshReader: Reader = {
  format: "dsh",
  sniff: (head) => head.some(isDshRecord),
  parse: (builder) => new DshParser(builder),
  texts: (record) => [...overheadOf(record), ...(draftOf(record)?.blocks ?? [])].map(({ text }) => text),
  sessionMarks:
    () =>
    ({ value }) =>
      value.type === "session" ? { session: idOf(value.id), begins: true } : {},
};

/** Kinds of events by the part before their slash. Source: the catalogue that the notes name. */
const EVENT =
  /^(?:agent(?:-preset)?|approval|assistant|command|compaction|feedback|goal|hook|llm|permission|plan|request|sandbox|schedule|session|step|subagent|team|todo|tool(?:-workflow)?|turn|user|web)\//;
/** Runs of parts of a streamed answer, which its message repeats. */
const PACKED_CHUNKS = new Set(["text-chunks", "reasoning-chunks", "tool-call-chunks"]);

/** True for a header or an event that only this program writes. */
function isDshRecord({ type, createdAt, delegationDepth, seq, time, data }: JsonObject): boolean {
  if (type === "session") return typeof createdAt === "number" && typeof delegationDepth === "number";
  return typeof seq === "number" && typeof time === "number" && isObject(data) && EVENT.test(textOf(type));
}

/** A message of the conversation as sent: the number of its event, and its index. */
interface SurfaceNode {
  readonly seq: number;
  readonly message: number;
}

type When = { readonly line: number; readonly at?: number | undefined };

class DshParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  /** The conversation in its own order: a replacement takes the place of the replaced messages. */
  #surface: readonly SurfaceNode[] = [];
  #title: string | undefined;
  #prompt: string | undefined;
  /** Events below this number are a copy of the parent's. */
  #seedLength = 0;
  #hasHeader = false;
  #start: { readonly at?: number | undefined; readonly isManual: boolean } | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const { value, line } = record;
    const type = textOf(value.type) || "(no type)";
    this.#builder.countRecord(type);
    const at = this.#builder.time(timeOf(value.time ?? value.createdAt), line);
    const when = { line, at };
    if (type === "session") this.#session(value);
    else if (type === "request/header") this.#header(record);
    else if (!this.#event(type, objectOf(value.data), when)) this.#surfaceEvent(record, type, when);
  }

  end(): void {
    this.#builder.facts({ title: this.#title ?? this.#prompt });
  }

  #session({ id, cwd, version, parentSession, seedLength, origin }: JsonObject): void {
    this.#builder.facts({ sessionId: idOf(id), project: nameOf(cwd), formatVersion: countOf(version) });
    const parent = idOf(parentSession);
    const own = idOf(id);
    if (parent === undefined) return;
    this.#builder.parent(parent, origin === "subagent" ? "subagent" : "fork");
    if (origin === "subagent" && own !== undefined) this.#builder.ownAgent(own);
    this.#seedLength = countOf(seedLength) ?? 0;
  }

  /** The prompt and the tools of the first request; later headers repeat them. */
  #header(record: SourceRecord): void {
    const drafts = this.#hasHeader ? [] : overheadOf(record.value);
    this.#hasHeader ||= drafts.length > 0;
    const { line, offset, length } = record;
    drafts.forEach(({ text, ...entry }, part) => {
      this.#builder.overhead({ ...entry, text: this.#builder.text(text), source: { line, offset, length, part } });
    });
  }

  /** Handles events about a request or a compaction; returns false for any other. */
  #event(type: string, data: JsonObject, { line, at }: When): boolean {
    switch (type) {
      case "request/context":
        this.#builder.facts({
          recordedWindow: this.#builder.numbers(line).tokens(data.contextWindow, "contextWindow"),
        });
        return true;
      case "session/title":
        this.#title = titleOf(data.title) ?? this.#title;
        return true;
      case "compaction/start":
        this.#start = { at, isManual: data.turn === null };
        return true;
      case "compaction/end":
        this.#start = undefined;
        return true;
      case "compaction/summary":
        this.#summaryCall(data, { line, at });
        return true;
      default:
        return false;
    }
  }

  #summaryCall(data: JsonObject, when: When): void {
    const numbers = this.#builder.numbers(when.line);
    numbers.unknownUsage(data.usage, KNOWN_FIELDS);
    const usage = usageOf(objectOf(data.usage), numbers);
    const model = nameOf(data.model);
    if (usage === undefined) return;
    this.#builder.extraRequest({ kind: "compaction", ...when, usage, model });
  }

  /** Adds a message to the conversation, or replaces a part of it. */
  #surfaceEvent(record: SourceRecord, type: string, when: When): void {
    const { value } = record;
    const draft = draftOf(value);
    if (draft === undefined) {
      const isKnown = PACKED_CHUNKS.has(type) || EVENT.test(type) || value.ignorable === true;
      if (!isKnown) this.#builder.unknownRecord(type, when.line);
      return;
    }
    const seq = countOf(value.seq) ?? -1;
    const replaced = this.#replaced(objectOf(value.surfaceOp), this.#builder.numbers(when.line));
    if (replaced !== undefined && draft.origin === "tool") this.#pruned(draft, seq, replaced, when);
    else this.#message(draft, record, seq, replaced, when);
  }

  /** Positions of the replaced part of the conversation; `undefined` for an event that adds to its end. */
  #replaced({ op, start, end }: JsonObject, numbers: RecordNumbers): readonly [from: number, to: number] | undefined {
    if (op !== "replace") return undefined;
    const [first, last] = [numbers.tokens(start, "surfaceOp.start"), numbers.tokens(end, "surfaceOp.end")];
    const from = this.#surface.findIndex(({ seq }) => seq === first);
    const to = this.#surface.findIndex(({ seq }) => seq === last);
    return from < 0 || to < from ? undefined : [from, to + 1];
  }

  /** A result that was shortened to its beginning and end. The shortened copy is not another message. */
  #pruned({ blocks }: DraftMessage, seq: number, [from, to]: readonly [number, number], when: When): void {
    const call = blocks[0]?.callId;
    const nodes = this.#surface.slice(from, to).map(({ message }) => ({ seq, message }));
    this.#surface = [...this.#surface.slice(0, from), ...nodes, ...this.#surface.slice(to)];
    this.#builder.boundary({
      kind: "clearing",
      ...when,
      trigger: "auto",
      clearedCalls: call === undefined ? [] : [call],
    });
  }

  #message(
    { role, origin, blocks: drafts }: DraftMessage,
    record: SourceRecord,
    seq: number,
    replaced: readonly [number, number] | undefined,
    when: When,
  ): void {
    const [from, to] = replaced ?? [this.#surface.length, this.#surface.length];
    const before = this.#surface.slice(0, from);
    const after = this.#surface.slice(to);
    if (replaced !== undefined) this.#compaction([...before, ...after], when);
    const blocks = this.#builder.blocks(drafts, record);
    const message = this.#builder.message({
      ...{ role, ...when, blocks },
      ...(replaced === undefined ? { origin } : { origin: "summary", recordedOnly: true }),
    });
    this.#surface = [...before, { seq, message }, ...after];
    if (origin === "typed") this.#prompt = promptTitle(this.#prompt, drafts[0]?.text ?? "");
    if (origin === "response") this.#response(objectOf(record.value.data), message, seq, when);
  }

  #compaction(kept: readonly SurfaceNode[], { line, at }: When): void {
    const began = this.#start?.at;
    this.#builder.boundary({
      kind: "compaction",
      line,
      summaryLine: line,
      at,
      ...(at === undefined || began === undefined || began > at ? {} : { took: at - began }),
      trigger: this.#start === undefined ? "unknown" : this.#start.isManual ? "manual" : "auto",
      kept: kept.map(({ message }) => message).toSorted((a, b) => a - b),
    });
  }

  #response({ message: own, usage: stated }: JsonObject, message: number, seq: number, when: When): void {
    const model = nameOf(objectOf(objectOf(own).source).model);
    const numbers = this.#builder.numbers(when.line);
    numbers.unknownUsage(stated, KNOWN_FIELDS);
    const usage = usageOf(objectOf(stated), numbers);
    if (model !== undefined) this.#builder.model(model);
    this.#builder.request({
      ...{ message, ...when },
      model,
      usage,
      ...(seq < this.#seedLength ? { inherited: true } : {}),
    });
  }
}

/** `totalTokens` is the sum of the others, which some adapters add. */
const KNOWN_FIELDS: KnownUsageFields = new Set([
  ...["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens", "totalTokens"],
]);

/** `inputTokens` excludes the cached part; `outputTokens` includes the reasoning. */
function usageOf(stated: JsonObject, numbers: RecordNumbers): Usage | undefined {
  const input = numbers.tokens(stated.inputTokens, "inputTokens");
  const cacheRead = numbers.tokens(stated.cacheReadTokens, "cacheReadTokens");
  const cacheWrite = numbers.tokens(stated.cacheWriteTokens, "cacheWriteTokens");
  const output = numbers.tokens(stated.outputTokens, "outputTokens");
  const reasoning = numbers.tokens(stated.reasoningTokens, "reasoningTokens");
  if (input === undefined) return undefined;
  return { input, cacheRead, cacheWrite, output, reasoning };
}

/** The system prompt and the tools of a request's header; empty for any other record. */
function overheadOf({ type, data }: JsonObject): readonly DraftOverhead[] {
  if (type !== "request/header") return [];
  const { system, tools } = objectOf(objectOf(data).header);
  const prompt = typeof system === "string" && system !== "" ? [system] : [];
  return [
    ...prompt.map((text): DraftOverhead => ({ category: "systemPrompt", name: "system prompt", text })),
    ...objectsOf(tools).map((tool): DraftOverhead => {
      const name = nameOf(tool.name) ?? "tool";
      return { category: name.startsWith("mcp__") ? "mcpTools" : "builtinTools", name, text: textOrJson(tool) };
    }),
  ];
}

/** Content of an event that the model read; `undefined` for an event that is not part of the conversation. */
function draftOf({ type, data }: JsonObject): DraftMessage | undefined {
  const own = objectOf(data);
  switch (type) {
    case "user/message":
      return { role: "user", origin: userOrigin(own), blocks: blocksOf(own.content) };
    case "assistant/message":
      return { role: "assistant", origin: "response", blocks: blocksOf(objectOf(own.message).content) };
    case "tool/result":
      return { role: "user", origin: "tool", blocks: blocksOf(objectOf(own.message).content) };
    default:
      return undefined;
  }
}

function userOrigin({ source }: JsonObject): "typed" | "context" {
  return objectOf(source).kind === "user" ? "typed" : "context";
}

function blocksOf(content: unknown): readonly DraftBlock[] {
  const blocks = listOf(content).map(blockOf);
  return blocks.length === 0 ? [{ kind: "text", text: textOf(content) }] : blocks;
}

function blockOf(part: unknown): DraftBlock {
  if (!isObject(part)) return { kind: "text", text: textOrJson(part) };
  switch (part.type) {
    case "text":
      return { kind: "text", text: textOf(part.text) };
    case "reasoning":
      return { kind: "thinking", text: textOf(part.text) };
    case "tool-call":
      return callBlock(part);
    case "tool-result":
      return resultBlock(part);
    case "image":
      return { kind: "image", text: textOrJson(part), payload: true };
    default:
      return { kind: "text", text: textOrJson(part), odd: `content ${textOf(part.type) || "part"}` };
  }
}

function callBlock({ id, name, arguments: given }: JsonObject): DraftBlock {
  const { path, file_path } = argumentsOf(textOf(given));
  const file = nameOf(path) ?? nameOf(file_path);
  return { kind: "tool_call", text: textOrJson(given), callId: idOf(id), tool: nameOf(name), file };
}

function resultBlock({ toolCallId, content, isError }: JsonObject): DraftBlock {
  const texts = listOf(content).map((part) =>
    isObject(part) && part.type === "text" ? textOf(part.text) : textOrJson(part),
  );
  return { kind: "tool_result", text: texts.join("\n"), callId: idOf(toolCallId), isError: isError === true };
}

export const server: ServerProfile = {
  reader: dshReader,
};
