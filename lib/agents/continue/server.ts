/*
 * Session of Continue: one JSON document. Invented and shortened:
 *
 * {"sessionId":"02044b99-…","title":"Fix the cart","workspaceDirectory":"file:///work/shop","history":[
 *   {"message":{"role":"user","content":"Fix it."},"contextItems":[{"name":"cart.ts","content":"…"}]},
 *   {"message":{"role":"thinking","content":"Read it first."},"contextItems":[]},
 *   {"message":{"role":"assistant","content":"","toolCalls":[{"id":"c1","type":"function","function":{"name":"Read","arguments":"{…}"}}],"usage":{"promptTokens":900,"completionTokens":12}},
 *    "toolCallStates":[{"toolCallId":"c1","status":"done","output":[{"content":"…"}]}]},
 *   {"message":{"role":"assistant","content":"The cart is fixed."},"contextItems":[],"conversationSummary":"The cart is fixed."}]}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import {
  argumentsOf,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  objectsOf,
  textOf,
  textOrJson,
} from "@/lib/agents/shared/json";
import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { promptTitle, titleOf } from "@/lib/agents/shared/title";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { DraftBlock, DraftMessage } from "@/lib/core/transcript/draft";
import type { Usage } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";

/** Reads the sessions of Continue. README.md describes the format. */
const continueReader: Reader = {
  format: "continue",
  sniff: (head) => head.some(isContinueSession),
  parse: (builder) => new ContinueParser(builder),
  texts: (record) => messagesOf(record).flatMap(({ blocks }) => blocks.map(({ text }) => text)),
  sessionMarks:
    () =>
    ({ value }) => ({ session: idOf(value.sessionId), begins: true }),
};

/** True for a document with a history of messages that have context items. */
function isContinueSession({ sessionId, history }: JsonObject): boolean {
  return (
    typeof sessionId === "string" &&
    objectsOf(history).some((item) => isObject(item.message) && Array.isArray(item.contextItems))
  );
}

class ContinueParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  #title: string | undefined;
  #prompt: string | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const { value, line } = record;
    const isSession = Array.isArray(value.history);
    this.#builder.countRecord(isSession ? "session" : "(no history)");
    if (!isSession) this.#builder.unknownRecord("(no history)", line);
    // The session's usage is the sum of its calls, including those for summaries and titles.
    this.#builder.numbers(line).unknownUsage(value.usage, KNOWN_FIELDS);
    const title = titleOf(value.title);
    if (title !== UNTITLED) this.#title = title ?? this.#title;
    this.#builder.facts({ sessionId: idOf(value.sessionId), project: folderOf(value.workspaceDirectory) });
    let part = 0;
    for (const message of messagesOf(value)) {
      this.#message(message, record, part, nameOf(value.chatModelTitle));
      part += message.blocks.length;
    }
  }

  end(): void {
    this.#builder.facts({ title: this.#title ?? this.#prompt });
  }

  #message(draft: HistoryMessage, record: SourceRecord, from: number, chosen: string | undefined): void {
    const { line } = record;
    const { role, origin } = draft;
    const blocks = this.#builder.blocks(draft.blocks, record, from);
    if (draft.followsThinking) {
      this.#builder.extendMessage(blocks);
      this.#respond(draft, line, chosen, true);
      return;
    }
    const isFollowing = origin === "summary" && this.#builder.messageCount > 0;
    if (origin === "summary") this.#builder.boundary({ kind: "compaction", line, summaryLine: line });
    const message = this.#builder.message({ ...{ role, origin, line, blocks }, recordedOnly: isFollowing });
    if (origin === "typed") this.#prompt = promptTitle(this.#prompt, draft.blocks.at(-1)?.text ?? "");
    if (origin !== "response") return;
    this.#builder.request({ message, line });
    this.#respond(draft, line, chosen, false);
  }

  /** Adds the facts of a response, whose thinking may have been an entry of its own. */
  #respond(
    { usage: stated, model: own }: HistoryMessage,
    line: number,
    chosen: string | undefined,
    followsThinking: boolean,
  ): void {
    const model = own ?? chosen;
    const numbers = this.#builder.numbers(line);
    numbers.unknownUsage(stated, KNOWN_FIELDS);
    const usage = usageOf(objectOf(stated), numbers);
    if (model !== undefined) this.#builder.model(model);
    if (followsThinking && usage === undefined && own === undefined) return;
    this.#builder.amendRequest({
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
    });
  }
}

/** Title of a session without one. */
const UNTITLED = "Untitled Session";

/** The folder of a `file:` address or a path. */
function folderOf(value: unknown): string | undefined {
  const name = nameOf(value);
  if (name?.startsWith("file://") !== true) return name;
  const path = name.slice("file://".length);
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // A path with a lone `%` cannot be decoded, so the address is used as written.
  }
}

/** Known fields of a usage. No total uses `totalCost` or the audio and prediction parts. */
const KNOWN_FIELDS: KnownUsageFields = new Set([
  ...["promptTokens", "completionTokens", "totalCost", "promptTokensDetails.cachedTokens"],
  ...["promptTokensDetails.cacheWriteTokens", "completionTokensDetails.reasoningTokens"],
]);

/** The usage of a response. If a record states the cached part, `promptTokens` excludes it (Anthropic's models). */
function usageOf(stated: JsonObject, numbers: RecordNumbers): Usage | undefined {
  const { cachedTokens, cacheWriteTokens } = objectOf(stated.promptTokensDetails);
  const input = numbers.tokens(stated.promptTokens, "promptTokens");
  const cacheRead = numbers.tokens(cachedTokens, "cachedTokens");
  const cacheWrite = numbers.tokens(cacheWriteTokens, "cacheWriteTokens");
  const output = numbers.tokens(stated.completionTokens, "completionTokens");
  const reasoning = numbers.tokens(objectOf(stated.completionTokensDetails).reasoningTokens, "reasoningTokens");
  if (input === undefined) return undefined;
  return { input, cacheRead, cacheWrite, output, reasoning };
}

/** A message of the history before it is measured. */
interface HistoryMessage extends DraftMessage {
  readonly usage?: unknown;
  readonly model?: string | undefined;
  /** True for a response whose thinking is the message before it. */
  readonly followsThinking?: boolean;
}

/** All messages of a document, in order, with the results of calls after the message that made them. */
function messagesOf({ history }: JsonObject): readonly HistoryMessage[] {
  const items = objectsOf(history);
  const stated = new Set(items.flatMap((item) => objectsOf(item.toolCallStates).map(({ toolCallId }) => toolCallId)));
  const messages: HistoryMessage[] = [];
  let isThinking = false;
  for (const item of items) {
    const message = objectOf(item.message);
    if (message.role === "tool" && stated.has(message.toolCallId)) continue;
    messages.push(...itemMessages(item, message, isThinking));
    isThinking = message.role === "thinking";
  }
  return messages;
}

function itemMessages(item: JsonObject, message: JsonObject, afterThinking: boolean): readonly HistoryMessage[] {
  const summary = textOf(item.conversationSummary);
  const text = textOf(message.content);
  // The command line replaces the history by its summary; the editor notes the summary at the last message that it covers.
  const isSummary = summary !== "" && summary === text;
  const own = isSummary ? [] : ownMessages(item, message, afterThinking);
  if (summary === "") return own;
  return [...own, { role: isSummary ? "assistant" : "user", origin: "summary", blocks: [textBlock(summary)] }];
}

function ownMessages(item: JsonObject, message: JsonObject, afterThinking: boolean): readonly HistoryMessage[] {
  const blocks = contentBlocks(message.content);
  switch (message.role) {
    case "user":
      return [{ role: "user", origin: "typed", blocks: [...contextBlocks(item), ...blocks] }];
    case "thinking":
      return [
        { role: "assistant", origin: "response", blocks: blocks.map(asThinking), followsThinking: afterThinking },
      ];
    case "assistant":
      return [responseOf(item, message, blocks, afterThinking), ...resultsOf(item)];
    case "tool":
      return [{ role: "user", origin: "tool", blocks: blocks.map((block) => asResult(block, message.toolCallId)) }];
    default:
      return [{ role: "system", origin: "context", blocks }];
  }
}

function responseOf(
  item: JsonObject,
  message: JsonObject,
  blocks: readonly DraftBlock[],
  followsThinking: boolean,
): HistoryMessage {
  const calls = objectsOf(message.toolCalls).map(callBlock);
  const texts = calls.length > 0 ? blocks.filter(({ text }) => text !== "") : blocks;
  const model = nameOf(objectsOf(item.promptLogs).at(-1)?.modelTitle);
  return {
    role: "assistant",
    origin: "response",
    blocks: [...texts, ...calls],
    usage: message.usage,
    model,
    followsThinking,
  };
}

/** The outputs of the calls of a message, in one message as the API takes them. */
function resultsOf(item: JsonObject): readonly HistoryMessage[] {
  const states = objectsOf(item.toolCallStates).filter(({ output }) => Array.isArray(output));
  const blocks = states.map(({ toolCallId, output, status }): DraftBlock => {
    const text = objectsOf(output).map(({ content }) => textOrJson(content));
    const isError = status === "errored";
    return { kind: "tool_result", text: text.join("\n\n"), callId: idOf(toolCallId), isError };
  });
  return blocks.length === 0 ? [] : [{ role: "user", origin: "tool", blocks }];
}

/** Files and other things that the user attached: they are sent before the prompt. */
function contextBlocks(item: JsonObject): readonly DraftBlock[] {
  return objectsOf(item.contextItems)
    .map(({ content }) => textOf(content))
    .filter((text) => text.trim() !== "")
    .map(textBlock);
}

function contentBlocks(content: unknown): readonly DraftBlock[] {
  if (!Array.isArray(content)) return [textBlock(textOrJson(content))];
  const blocks = listOf(content).map(partBlock);
  return blocks.length === 0 ? [textBlock("")] : blocks;
}

function partBlock(part: unknown): DraftBlock {
  if (!isObject(part)) return textBlock(textOrJson(part));
  if (part.type === "text") return textBlock(textOf(part.text));
  if (part.type === "imageUrl") return { kind: "image", text: textOrJson(part.imageUrl), payload: true };
  return { ...textBlock(textOrJson(part)), odd: `content ${textOf(part.type) || "part"}` };
}

function callBlock({ id, function: called }: JsonObject): DraftBlock {
  const { name, arguments: given } = objectOf(called);
  const { filepath, path } = argumentsOf(textOf(given));
  const file = nameOf(filepath) ?? nameOf(path);
  return { kind: "tool_call", text: textOrJson(given), callId: idOf(id), tool: nameOf(name), file };
}

function asThinking(block: DraftBlock): DraftBlock {
  return { ...block, kind: block.kind === "text" ? "thinking" : block.kind };
}

function asResult(block: DraftBlock, call: unknown): DraftBlock {
  return { ...block, kind: block.kind === "text" ? "tool_result" : block.kind, callId: idOf(call) };
}

function textBlock(text: string): DraftBlock {
  return { kind: "text", text };
}

export const server: ServerProfile = {
  reader: continueReader,
};
