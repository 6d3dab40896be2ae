/*
 * Trajectory in the Agent Trajectory Interchange Format: one JSON document. Invented and shortened:
 *
 * {"schema_version":"ATIF-v1.7","session_id":"025B","agent":{"name":"harbor-agent","version":"1.0.0","model_name":"gemini-2.5-flash",
 *   "tool_definitions":[{"type":"function","function":{"name":"read_file"}}]},
 *  "steps":[
 *   {"step_id":1,"timestamp":"2026-05-02T09:00:00Z","source":"system","message":"You are careful."},
 *   {"step_id":2,"source":"user","message":"Which port?"},
 *   {"step_id":3,"source":"agent","message":"Reading.","reasoning_content":"…",
 *    "tool_calls":[{"tool_call_id":"c1","function_name":"read_file","arguments":{"path":"a.ts"}}],
 *    "observation":{"results":[{"source_call_id":"c1","content":"port = 3000"}]},
 *    "metrics":{"prompt_tokens":900,"completion_tokens":40,"cached_tokens":0}}]}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import {
  isObject,
  type JsonObject,
  jsonOf,
  objectOf,
  objectsOf,
  textOf,
  textOrJson,
  timeOf,
} from "@/lib/agents/shared/json";
import { promptTitle } from "@/lib/agents/shared/title";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { DraftBlock, DraftMessage, DraftOverhead } from "@/lib/core/transcript/draft";
import type { BlockSource } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import { usageOf } from "./usage";

/** Reads trajectories of the Agent Trajectory Interchange Format: one document, or one on each line. README.md describes the format. */
export const atifReader: Reader = {
  format: "atif",
  sniff: sniffAtif,
  parse: (builder) => new AtifParser(builder),
  texts: (record) => textsOf(draftOf(record)),
  sessionMarks:
    () =>
    ({ value }) => ({ session: sessionOf(value), begins: Array.isArray(value.steps) }),
};

/** The known versions; a later one is read too, and reported. */
const KNOWN = /^ATIF-v1\.[0-7]$/;

const SOURCES = new Set(["system", "user", "agent"]);

function sessionOf(value: JsonObject): string | undefined {
  return idOf(value.session_id) ?? idOf(value.trajectory_id);
}

class AtifParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  #title: string | undefined;
  #trajectories = 0;
  #sidechains = 0;
  /** The model of steps that name none. */
  #model: string | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const { value, line } = record;
    if (!Array.isArray(value.steps)) {
      this.#builder.countRecord("(no steps)");
      this.#builder.unknownRecord("(no steps)", line);
      return;
    }
    if (!KNOWN.test(textOf(value.schema_version))) this.#builder.problem("unexpected-field", line, "schema_version");
    this.#begin(value, line);
    const { tools, steps } = draftOf(value);
    let part = 0;
    const next = (): BlockSource => ({ line, offset: record.offset, length: record.length, part: part++ });
    this.#overhead(tools, next);
    for (const step of steps) this.#step(step, line, next);
  }

  end(): void {
    this.#builder.facts({ title: this.#title });
    this.#builder.sidechains(this.#sidechains);
  }

  /** A further trajectory is a session of its own: its context holds nothing from the previous one. */
  #begin(value: JsonObject, line: number): void {
    const agent = objectOf(value.agent);
    const version = [nameOf(agent.name), nameOf(agent.version)].filter((part) => part !== undefined).join(" ");
    this.#model = nameOf(agent.model_name);
    this.#sidechains += objectsOf(value.subagent_trajectories).length;
    this.#trajectories += 1;
    const sessionId = sessionOf(value);
    this.#builder.facts({ agentVersion: nameOf(version), sessionId });
    if (this.#trajectories > 1)
      this.#builder.furtherSession(line, sessionId, Math.max(1, objectsOf(value.steps).length));
  }

  #step({ value, overhead, messages }: DraftStep, line: number, next: () => BlockSource): void {
    const source = textOf(value.source) || "(no source)";
    this.#builder.countRecord(source);
    if (!SOURCES.has(source)) this.#builder.unknownRecord(source, line);
    const at = this.#builder.time(timeOf(value.timestamp), line);
    const when = { line, at };
    if (isCompaction(value)) this.#compaction(value, when, messages.length > 0);
    this.#overhead(overhead, next);
    if (source === "agent") this.#request(value, when);
    for (const message of messages) this.#message(message, when, next);
  }

  #overhead(entries: readonly DraftOverhead[], next: () => BlockSource): void {
    for (const { category, name, text } of entries) {
      this.#builder.overhead({ category, name, text: this.#builder.text(text), source: next() });
    }
  }

  #message({ role, origin, blocks }: DraftMessage, when: When, next: () => BlockSource): void {
    if (blocks.length === 0) return;
    const measured = blocks.map((one) => this.#builder.block(one, next()));
    this.#builder.message({ role, origin, ...when, blocks: measured, recordedOnly: origin === "summary" });
    if (origin === "typed") this.#title = promptTitle(this.#title, blocks[0]?.text ?? "");
  }

  /**
   * A step of the agent is a request, unless it was copied from an earlier trajectory (and is counted there) or no model was called. Usages of
   * several calls in one step are sums, and do not give the size of a context.
   */
  #request(step: JsonObject, when: When): void {
    const numbers = this.#builder.numbers(when.line);
    const calls = numbers.sum(step.llm_call_count, "llm_call_count") ?? 1;
    if (step.is_copied_context === true || calls === 0) return;
    const model = nameOf(step.model_name) ?? this.#model;
    const usage = usageOf(step.metrics, numbers);
    const sums = calls > 1 && usage !== undefined;
    if (sums) this.#builder.problem("pseudo-usage", when.line, "llm_call_count");
    if (model !== undefined) this.#builder.model(model);
    this.#builder.request({ ...when, model, ...(usage === undefined || sums ? {} : { usage }) });
  }

  #compaction(step: JsonObject, when: When, hasSummary: boolean): void {
    const management = objectOf(objectOf(step.extra).context_management);
    const numbers = this.#builder.numbers(when.line);
    const tokensBefore = numbers.tokens(management.tokens_before, "tokens_before");
    const tokensAfter = numbers.tokens(management.tokens_after, "tokens_after");
    this.#builder.boundary({
      kind: "compaction",
      ...when,
      tokensBefore,
      tokensAfter,
      ...(hasSummary ? { summaryLine: when.line } : {}),
    });
  }
}

interface When {
  readonly line: number;
  readonly at?: number | undefined;
}

/** A step, with the content that the model read. */
interface DraftStep {
  readonly value: JsonObject;
  readonly overhead: readonly DraftOverhead[];
  readonly messages: readonly DraftMessage[];
}

/** The content of one trajectory: first its declared tools, then its steps. */
interface Draft {
  readonly tools: readonly DraftOverhead[];
  readonly steps: readonly DraftStep[];
}

/** The trajectory's texts in the order of their parts. */
function textsOf({ tools, steps }: Draft): readonly string[] {
  const inSteps = steps.flatMap(({ overhead, messages }) => [...overhead, ...messages.flatMap(({ blocks }) => blocks)]);
  return [...tools, ...inSteps].map(({ text }) => text);
}

function draftOf(trajectory: JsonObject): Draft {
  const steps = objectsOf(trajectory.steps);
  const first = steps.findIndex(({ source }) => source !== "system");
  const promptEnd = first < 0 ? steps.length : first;
  const tools = objectsOf(objectOf(trajectory.agent).tool_definitions).map(toolDeclaration);
  return { tools, steps: steps.map((step, index) => stepDraft(step, index < promptEnd)) };
}

/** A tool's declaration in the format of OpenAI's APIs. */
function toolDeclaration(tool: JsonObject): DraftOverhead {
  const name = nameOf(objectOf(tool.function).name) ?? nameOf(tool.name) ?? "tool without a name";
  return { category: name.startsWith("mcp__") ? "mcpTools" : "builtinTools", name, text: jsonOf(tool) };
}

/** @param isPrompt true before the first message: a system step is then the system prompt */
function stepDraft(value: JsonObject, isPrompt: boolean): DraftStep {
  const results = objectsOf(objectOf(value.observation).results);
  if (isCompaction(value)) return { value, overhead: [], messages: summaryMessages(results) };
  const content = contentBlocks(value.message);
  if (value.source === "system" && isPrompt) {
    const overhead = content.map(({ text }) => ({ category: "systemPrompt" as const, name: "system prompt", text }));
    return { value, overhead, messages: results.map(contextMessage) };
  }
  const first = spokenMessage(value, content);
  const isSystem = value.source === "system";
  const rest = results.map((result) => (isSystem ? contextMessage(result) : resultMessage(result)));
  return { value, overhead: [], messages: first === undefined ? rest : [first, ...rest] };
}

function spokenMessage(step: JsonObject, content: readonly DraftBlock[]): DraftMessage | undefined {
  if (step.source === "agent") return { role: "assistant", origin: "response", blocks: responseBlocks(step, content) };
  if (content.length === 0) return undefined;
  return step.source === "user"
    ? { role: "user", origin: "typed", blocks: content }
    : { role: "system", origin: "context", blocks: content };
}

/** True for a system step saying that everything before it was replaced. Source: RFC v1.7, §VII, `context_management`. */
function isCompaction({ source, extra }: JsonObject): boolean {
  const { type, boundary } = objectOf(objectOf(extra).context_management);
  return source === "system" && (type === "compaction" || boundary === "replace");
}

/** The summary is in the step's observation; the step's message describes what happened, and no model reads it. */
function summaryMessages(results: readonly JsonObject[]): readonly DraftMessage[] {
  const blocks = results.flatMap(({ content }) => contentBlocks(content));
  return blocks.length === 0 ? [] : [{ role: "user", origin: "summary", blocks }];
}

function responseBlocks(step: JsonObject, content: readonly DraftBlock[]): readonly DraftBlock[] {
  const thinking = textOf(step.reasoning_content);
  const calls = objectsOf(step.tool_calls).map(callBlock);
  const blocks = [...(thinking === "" ? [] : [{ kind: "thinking" as const, text: thinking }]), ...content, ...calls];
  return blocks.length === 0 ? [{ kind: "text", text: "" }] : blocks;
}

function callBlock({ tool_call_id, function_name, arguments: given }: JsonObject): DraftBlock {
  const { path, file_path } = objectOf(given);
  return {
    kind: "tool_call",
    text: textOrJson(given),
    callId: idOf(tool_call_id),
    tool: nameOf(function_name),
    file: nameOf(file_path) ?? nameOf(path),
  };
}

/** The result of a call, or of an action that is not a call and so has no link. A subagent's reference is not text. */
function resultMessage(result: JsonObject): DraftMessage {
  const [first = { kind: "text", text: "" } as const, ...rest] = contentBlocks(result.content);
  const isError = objectOf(result.extra).is_error === true;
  const callId = idOf(result.source_call_id);
  return { role: "user", origin: "tool", blocks: [asResult(first, callId, isError), ...rest] };
}

function asResult(block: DraftBlock, callId: string | undefined, isError: boolean): DraftBlock {
  return block.kind === "text" ? { ...block, kind: "tool_result", callId, isError } : block;
}

function contextMessage(result: JsonObject): DraftMessage {
  return { role: "system", origin: "context", blocks: contentBlocks(result.content) };
}

/** The blocks of content that is a text, or since v1.6 a list of texts and images. */
function contentBlocks(content: unknown): readonly DraftBlock[] {
  if (content === undefined || content === null || content === "") return [];
  return (Array.isArray(content) ? content : [content]).map((part): DraftBlock => {
    if (!isObject(part)) return { kind: "text", text: textOrJson(part) };
    if (part.type === "text") return { kind: "text", text: textOf(part.text) };
    if (part.type === "image") return { kind: "image", text: textOrJson(part.source), payload: true };
    return { kind: "text", text: jsonOf(part), odd: `content ${textOf(part.type) || "part"}` };
  });
}

/** True if the first records are trajectories: these name the version of the schema, as no other format does. */
function sniffAtif(head: readonly JsonObject[]): boolean {
  return head.some(({ schema_version, steps }) => textOf(schema_version).startsWith("ATIF-v") && Array.isArray(steps));
}
