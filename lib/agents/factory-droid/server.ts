/*
 * Session of Factory Droid: one JSON record a line. Invented and shortened:
 *
 * {"type":"session_start","id":"8f3c…","title":"Fix the cart","owner":"ada","version":2,"cwd":"/work/shop"}
 * {"type":"message","id":"context-m1","timestamp":"…","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>…"}],"visibility":"llm_only"}}
 * {"type":"message","id":"m1","parentId":"context-m1","timestamp":"…","message":{"role":"user","content":[{"type":"text","text":"Fix the cart."}]}}
 * {"type":"message","id":"m2","parentId":"m1","timestamp":"…","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"cart.ts"}}],"modelId":"claude-sonnet-5"}}
 * {"type":"message","id":"m3","parentId":"m2","timestamp":"…","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":false,"content":"…"}]}}
 * {"type":"compaction_state","id":"s1","timestamp":"…","summaryText":"…","summaryTokens":6,"summaryKind":"llm_summary","anchorMessage":{"id":"m1","index":1},"removedCount":2}
 */

import { isDroidRecord } from "@/lib/agents/entry-tree/sniff";
import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, objectOf, textOf, textOrJson, timeOf } from "@/lib/agents/shared/json";
import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { promptTitle, titleOf } from "@/lib/agents/shared/title";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { DraftBlock, DraftMessage } from "@/lib/core/transcript/draft";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import { type KnownUsageFields, possibleTime } from "@/lib/core/transcript/record-numbers";

/** Reads Factory Droid's sessions. README.md describes the format. */
const droidReader: Reader = {
  format: "factory-droid",
  sniff: (head) => head.some(isDroidRecord),
  parse: (builder) => new DroidParser(builder),
  texts: (record) => draftOf(record)?.blocks.map(({ text }) => text) ?? [],
  sessionMarks:
    () =>
    ({ value }) =>
      value.type === "session_start" ? { session: idOf(value.id), begins: true } : {},
};

/** Records that the model does not read. */
const NOT_SENT = new Set(["session_start", "session_end", "todo_state"]);
/** Messages state no usage: the settings file next to the session has its sums. */
const NO_USAGE: KnownUsageFields = new Set();

class DroidParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  /** Messages of the file by their ids, for the anchors of compactions. */
  readonly #messages = new Map<string, number>();
  #title: string | undefined;
  #prompt: string | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const { value, line } = record;
    const type = textOf(value.type) || "(no type)";
    this.#builder.countRecord(type);
    this.#builder.time(timeOf(value.timestamp), line);
    this.#builder.numbers(line).unknownUsage(value.usage, NO_USAGE);
    const draft = draftOf(value);
    if (draft !== undefined) this.#message(draft, record);
    else if (type === "session_start") this.#session(value);
    else if (!NOT_SENT.has(type) && type !== "message") this.#builder.unknownRecord(type, line);
  }

  end(): void {
    this.#builder.facts({ title: this.#title ?? this.#prompt });
  }

  #session({ id, cwd, version, title, sessionTitle, parent, callingSessionId }: JsonObject): void {
    this.#title = titleOf(sessionTitle) ?? titleOf(title) ?? this.#title;
    this.#builder.facts({ sessionId: idOf(id), project: nameOf(cwd), agentVersion: nameOf(version) });
    const caller = idOf(callingSessionId);
    if (caller !== undefined) {
      this.#builder.parent(caller, "subagent");
      const own = idOf(id);
      if (own !== undefined) this.#builder.ownAgent(own);
    }
    const before = idOf(parent);
    if (before !== undefined) this.#builder.parent(before, "resume");
  }

  #message({ role, origin, blocks: drafts }: DraftMessage, record: SourceRecord): void {
    const { value, line } = record;
    const at = possibleTime(timeOf(value.timestamp));
    const when = { line, at };
    const isFollowing = origin === "summary" && this.#builder.messageCount > 0;
    if (origin === "summary") this.#compaction(value, when);
    const blocks = this.#builder.blocks(drafts, record);
    const message = this.#builder.message({ ...{ role, origin, ...when, blocks }, recordedOnly: isFollowing });
    const id = idOf(value.id);
    if (id !== undefined) this.#messages.set(id, message);
    if (origin === "typed") this.#prompt = promptTitle(this.#prompt, drafts.find(isPrompt)?.text ?? "");
    if (origin !== "response") return;
    const { modelId, reasoningEffort } = objectOf(value.message);
    const model = nameOf(modelId);
    const effort = nameOf(reasoningEffort);
    if (model !== undefined) this.#builder.model(model);
    this.#builder.request({ ...{ message, ...when }, model, ...(effort === undefined ? {} : { terms: { effort } }) });
  }

  /** Keeps the messages after the anchor; without an anchor, keeps none of the file. */
  #compaction({ anchorMessage }: JsonObject, when: { readonly line: number; readonly at?: number | undefined }): void {
    const message = this.#builder.messageCount;
    const anchor = this.#messages.get(textOf(objectOf(anchorMessage).id));
    const kept =
      anchor === undefined ? [] : Array.from({ length: message - anchor - 1 }, (_, index) => anchor + 1 + index);
    this.#builder.boundary({ kind: "compaction", ...when, summaryLine: when.line, kept });
  }
}

/** Content of a record that the model read; `undefined` for a record that was not sent. */
function draftOf(record: JsonObject): DraftMessage | undefined {
  if (record.type === "compaction_state") return summaryDraft(record);
  const message = record.message;
  if (record.type !== "message" || !isObject(message) || message.visibility === "user_only") return undefined;
  const parts = Array.isArray(message.content) ? message.content : [message.content ?? ""];
  const blocks = parts.length === 0 ? [textBlock("")] : parts.map(blockOf);
  switch (message.role) {
    case "user":
      return { role: "user", origin: userOrigin(message, blocks), blocks };
    case "assistant":
      return { role: "assistant", origin: "response", blocks: [...reasoning(message), ...blocks] };
    case "system":
      return { role: "system", origin: "context", blocks };
    default:
      return undefined;
  }
}

/** The summary, and the environment that is sent after it. */
function summaryDraft({ summaryText, systemInfoText }: JsonObject): DraftMessage {
  const texts = [textOf(summaryText), textOf(systemInfoText)];
  const blocks = texts.filter((text, index) => index === 0 || text !== "").map(textBlock);
  return { role: "user", origin: "summary", blocks };
}

function userOrigin({ visibility }: JsonObject, blocks: readonly DraftBlock[]): "typed" | "context" | "tool" {
  if (blocks.some(({ kind }) => kind === "tool_result")) return "tool";
  return visibility === "llm_only" || !blocks.some(isPrompt) ? "context" : "typed";
}

/** True for anything but a reminder, which older versions put into the message of a prompt. */
function isPrompt({ kind, text }: DraftBlock): boolean {
  return kind === "image" || (kind === "text" && text !== "" && !text.startsWith("<system-reminder>"));
}

/** Reasoning of models of the Chat Completions API, which is in a separate field. */
function reasoning({ chatCompletionReasoningContent: text }: JsonObject): readonly DraftBlock[] {
  return typeof text === "string" && text !== "" ? [{ kind: "thinking", text }] : [];
}

function blockOf(part: unknown): DraftBlock {
  if (!isObject(part)) return textBlock(textOrJson(part));
  switch (part.type) {
    case "text":
      return textBlock(textOf(part.text));
    case "thinking":
      return { kind: "thinking", text: textOf(part.thinking) };
    case "redacted_thinking":
      return { kind: "thinking", text: textOf(part.data), payload: true };
    case "tool_use":
      return callBlock(part);
    case "tool_result":
      return resultBlock(part);
    case "image":
      return { kind: "image", text: textOf(objectOf(part.source).data), payload: true };
    default:
      return { ...textBlock(textOrJson(part)), odd: `content ${textOf(part.type) || "part"}` };
  }
}

function callBlock({ id, name, input }: JsonObject): DraftBlock {
  const { file_path, path } = objectOf(input);
  const file = nameOf(file_path) ?? nameOf(path);
  return { kind: "tool_call", text: textOrJson(input), callId: idOf(id), tool: nameOf(name), file };
}

/** A result's content is a text, or a list of parts. */
function resultBlock({ tool_use_id, content, is_error }: JsonObject): DraftBlock {
  const parts = Array.isArray(content) ? content : [content];
  const text = parts.map((part) => (isObject(part) && part.type === "text" ? textOf(part.text) : textOrJson(part)));
  return { kind: "tool_result", text: text.join("\n"), callId: idOf(tool_use_id), isError: is_error === true };
}

function textBlock(text: string): DraftBlock {
  return { kind: "text", text };
}

export const server: ServerProfile = {
  reader: droidReader,
};
