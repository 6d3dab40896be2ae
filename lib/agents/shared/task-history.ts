import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, objectOf, textOf, textOrJson, timeOf } from "@/lib/agents/shared/json";
import { promptTitle } from "@/lib/agents/shared/title";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { DraftBlock } from "@/lib/core/transcript/draft";
import type { Block, Boundary, Message, Usage } from "@/lib/core/transcript/model";
import type { RecordParser } from "@/lib/core/transcript/reader";
import type { RecordNumbers } from "@/lib/core/transcript/record-numbers";
import { callBlock, contentBlocks, payloadBlock, resultBlocks, thinkingBlock } from "./api-parts";
import type { TaskScreen } from "./task-screen";
import { textAction } from "./text-action";

/** The file `api_conversation_history.json` of a task, which Cline began and its forks write too: a list of messages as the model received them. */

/** Tools of Cline and Roo Code whose calls are in the text of a response, in releases that do not use the API's own calls. */
const TEXT_TOOLS = [
  ...[
    "read_file",
    "write_to_file",
    "replace_in_file",
    "apply_diff",
    "insert_content",
    "search_and_replace",
    "edit_file",
  ],
  ...[
    "execute_command",
    "search_files",
    "list_files",
    "list_code_definition_names",
    "codebase_search",
    "browser_action",
  ],
  ...["use_mcp_tool", "access_mcp_resource", "ask_followup_question", "attempt_completion", "new_task", "switch_mode"],
  ...["plan_mode_respond", "plan_mode_response", "update_todo_list", "fetch_instructions", "web_fetch", "condense"],
];
/** One alternative per tool, without repetition. */
const TEXT_CALL = new RegExp(`<(${TEXT_TOOLS.join("|")})>`);
const TEXT_CALL_ID = "call ";
const FILE_TAG = /<path>([^<]+)<\/path>/;

/** Beginning of a result as text: `[read_file for 'a.ts'] Result:`. */
const TEXT_RESULT = /^\[[a-z_][^\n]*\] Result:/;
/** Beginnings of texts that the program itself adds to a user message. */
const INSERTED = ["<environment_details>", "# task_progress", "# TODO LIST", "[ERROR]", "[TASK RESUMPTION]"];
/** Tags around the user's own text. */
const TYPED = /^\s*<(?:task|user_message|feedback|answer)>\s*/;

/** True if a record is a user message of such a list: the program adds the state of the editor to each. */
export function isTaskMessage({ role, content }: JsonObject): boolean {
  return role === "user" && textsIn(content).some((text) => text.includes("<environment_details>"));
}

/** Fields that only Roo Code and its forks write. */
const ROO_FIELDS = ["condenseId", "condenseParent", "truncationId", "truncationParent"];

/** True if a message is Roo Code's: it names the mode by a slug, or belongs to a summary or a truncation. */
export function isRooMessage(record: JsonObject): boolean {
  if (ROO_FIELDS.some((key) => key in record)) return true;
  return record.role === "user" && textsIn(record.content).some((text) => ROO_MODE.test(text));
}

const ROO_MODE = /<environment_details>[\s\S]*<slug>[\w-]+<\/slug>/;

/** True for the id of a call in a response's text: providers' ids hold no space. */
export function isTextCall(callId: string | undefined): boolean {
  return callId?.startsWith(TEXT_CALL_ID) === true;
}

/** The texts of a message's content. */
function textsIn(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  return Array.isArray(content) ? content.map((part) => textOf(objectOf(part).text)) : [];
}

/** A block, and the source of the message that it belongs to. */
interface TaskBlock {
  readonly origin: Message["origin"];
  readonly block: DraftBlock;
}

/** The texts of a record's blocks, in their order. */
export function taskTexts(record: JsonObject): readonly string[] {
  return blocksOf(record).map(({ block }) => block.text);
}

function blocksOf(record: JsonObject): readonly TaskBlock[] {
  if (record.type === "reasoning") return reasoningBlocks(record).map(ofResponse);
  if (record.role === "assistant" && record.isSummary !== true) return responseBlocks(record).map(ofResponse);
  if (record.role !== "user" && record.role !== "assistant") return [];
  if (record.isSummary === true)
    return partsOf(record.content)
      .flatMap(plainBlocks)
      .map((block) => ({ origin: "summary", block }));
  if (record.isTruncationMarker === true)
    return partsOf(record.content)
      .flatMap(plainBlocks)
      .map((block) => ({ origin: "context", block }));
  return userBlocks(record.content);
}

const ofResponse = (block: DraftBlock): TaskBlock => ({ origin: "response", block });

function partsOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : content === undefined || content === null ? [] : [content];
}

function plainBlocks(part: unknown): readonly DraftBlock[] {
  return contentBlocks(isObject(part) ? [part] : part);
}

/** Reasoning of the Responses API, which Roo Code keeps as a record of its own. */
function reasoningBlocks({ summary, encrypted_content }: JsonObject): readonly DraftBlock[] {
  const texts = partsOf(summary).map((part) => thinkingBlock(isObject(part) ? part.text : part));
  return encrypted_content === undefined ? texts : [...texts, payloadBlock("thinking", encrypted_content)];
}

function responseBlocks({ content, reasoning_content }: JsonObject): readonly DraftBlock[] {
  const thinking = textOf(reasoning_content) === "" ? [] : [thinkingBlock(reasoning_content)];
  const blocks = partsOf(content).flatMap(responsePart);
  const all = [...thinking, ...blocks];
  return all.length === 0 ? [{ kind: "text", text: "" }] : all;
}

function responsePart(part: unknown): readonly DraftBlock[] {
  if (!isObject(part)) return textParts(textOrJson(part));
  switch (part.type) {
    case "text":
      return textParts(textOrJson(part.text));
    case "thinking":
    case "reasoning":
      return [thinkingBlock(part.thinking ?? part.text)];
    case "redacted_thinking":
      return [payloadBlock("thinking", part.data)];
    case "tool_use":
      return [callBlock(part.id, part.name, part.input)];
    default:
      return plainBlocks(part);
  }
}

/** A text with a call in it, from the tool's tag on. */
function textParts(text: string): readonly DraftBlock[] {
  const call = TEXT_CALL.exec(text);
  if (call === null) return [{ kind: "text", text }];
  const file = nameOf(FILE_TAG.exec(text.slice(call.index))?.[1]?.trim());
  return textAction(text, call.index, "", call[1] ?? "").map((block) =>
    block.kind === "tool_call" ? { ...block, callId: undefined, file } : block,
  );
}

function userBlocks(content: unknown): readonly TaskBlock[] {
  let isHeading = false;
  return partsOf(content).flatMap((part): readonly TaskBlock[] => {
    const value = objectOf(part);
    if (value.type === "tool_result") {
      return resultBlocks(value.tool_use_id, value.content, value.is_error === true).map((block) => ({
        origin: "tool",
        block,
      }));
    }
    return plainBlocks(part).map((block) => {
      const begins = block.kind === "text" && TEXT_RESULT.test(block.text);
      // Earlier releases write the heading and the output as two texts.
      const isResult = begins || (isHeading && block.kind === "text" && !isInserted(block.text));
      isHeading = begins && block.text.trimEnd().endsWith("] Result:");
      if (isResult) return { origin: "tool", block: { ...block, kind: "tool_result" } };
      return { origin: isInserted(block.text) ? "context" : "typed", block };
    });
  });
}

function isInserted(text: string): boolean {
  const start = text.slice(0, 200).trimStart();
  return INSERTED.some((mark) => start.startsWith(mark));
}

/** A message in the context, with the record that it came from and the record's position in the list. */
interface LiveMessage {
  readonly message: number;
  readonly record: JsonObject;
  readonly index: number;
}

interface When {
  readonly line: number;
  readonly at?: number | undefined;
}

/** Messages that a truncation hid, and the size of the context at which it happened. */
interface Truncation {
  readonly id: string;
  readonly line: number;
  readonly visible: number;
}

/** Reads the list, and what the screen shows about it. */
export class TaskParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #usageOf: (record: JsonObject, numbers: RecordNumbers) => Usage | undefined;
  #title: string | undefined;
  /** Calls of the last response without a result yet: their ids, oldest first. */
  #open: string[] = [];
  #madeUp = 0;
  readonly #screen: TaskScreen;
  #index = -1;
  /** Position of the newest message that a truncation removed. */
  #deletedTo = -1;
  #live: LiveMessage[] = [];
  #truncations: Truncation[] = [];
  #reasoning: { readonly blocks: readonly Block[]; readonly when: When } | undefined;

  /** @param usageOf usage of a response from its record, if the screen shows none; `undefined` if the format keeps none there */
  constructor(
    builder: TranscriptBuilder,
    screen: TaskScreen,
    usageOf: (record: JsonObject, numbers: RecordNumbers) => Usage | undefined,
  ) {
    this.#builder = builder;
    this.#screen = screen;
    this.#usageOf = usageOf;
  }

  record(record: SourceRecord): void {
    const { value, line } = record;
    this.#index += 1;
    const isReasoning = value.type === "reasoning";
    const role = textOf(value.role);
    const type = isReasoning ? "reasoning" : role || "(no role)";
    this.#builder.countRecord(type);
    const at = this.#builder.time(timeOf(value.ts), line);
    const when = { line, at };
    if (!isReasoning && role !== "user" && role !== "assistant") {
      this.#builder.unknownRecord(type, line);
      return;
    }
    if (isReasoning) this.#hold(record, when);
    else if (value.isSummary === true) this.#summary(record, when);
    else if (role === "assistant") this.#response(record, when);
    else this.#user(record, when);
  }

  /** Writes truncations after which nothing was sent, and reasoning without a response. Both are kept, since further records may follow. */
  end(): void {
    const live = [...this.#live];
    for (const truncation of this.#truncations) this.#truncate(truncation);
    this.#live = live;
    if (this.#reasoning !== undefined) {
      const { blocks, when } = this.#reasoning;
      this.#builder.request({ ...when });
      this.#builder.message({ role: "assistant", origin: "response", ...when, blocks });
    }
    this.#builder.facts({ title: this.#title });
  }

  #hold(record: SourceRecord, when: When): void {
    const blocks = this.#builder.blocks(
      blocksOf(record.value).map(({ block }) => block),
      record,
    );
    this.#reasoning = { blocks: [...(this.#reasoning?.blocks ?? []), ...blocks], when };
  }

  #response(record: SourceRecord, when: When): void {
    this.#due();
    const drafts = blocksOf(record.value).map(({ block }) => this.#withId(block));
    this.#open = drafts.flatMap(({ kind, callId }) => (kind === "tool_call" && callId !== undefined ? [callId] : []));
    const blocks = [...(this.#reasoning?.blocks ?? []), ...this.#builder.blocks(drafts, record)];
    this.#reasoning = undefined;
    const numbers = this.#builder.numbers(when.line);
    const shown = this.#screen.request({ index: this.#index, at: when.at });
    if (shown?.deleted !== undefined) this.#remove(shown.deleted, when);
    const own = this.#usageOf(record.value, numbers);
    const usage = (shown === undefined ? undefined : this.#screen.usageOf(shown, numbers)) ?? own;
    const model = nameOf(objectOf(record.value.modelInfo).modelId);
    if (model !== undefined) this.#builder.model(model);
    this.#builder.request({ ...when, model, usage });
    this.#enter({ role: "assistant", origin: "response", ...when }, blocks, record.value);
  }

  /** A truncation that only the screen shows: it removed messages by their positions. */
  #remove([from, to]: readonly [number, number], when: When): void {
    if (to <= this.#deletedTo) return;
    this.#deletedTo = to;
    const all = this.#live.length;
    this.#live = this.#live.filter(({ index }) => index < from || index > to);
    if (this.#live.length < all) this.#boundary(when);
  }

  /** A call in a response's text has no id: its place in the list serves as one. */
  #withId(block: DraftBlock): DraftBlock {
    if (block.kind !== "tool_call" || block.callId !== undefined || !TEXT_TOOLS.includes(block.tool ?? ""))
      return block;
    this.#madeUp += 1;
    return { ...block, callId: `${TEXT_CALL_ID}${this.#madeUp}` };
  }

  #user(record: SourceRecord, when: When): void {
    if (record.value.isTruncationMarker === true) this.#marker(record.value, when);
    const made = this.#builder.blocks(this.#answered(blocksOf(record.value)), record);
    let group: { origin: Message["origin"]; blocks: Block[] } | undefined;
    const enter = () => {
      if (group !== undefined) this.#enter({ role: "user", origin: group.origin, ...when }, group.blocks, record.value);
    };
    for (const [index, { origin, block }] of blocksOf(record.value).entries()) {
      const one = made[index];
      if (one === undefined) continue;
      if (origin === "typed") this.#title = promptTitle(this.#title, block.text.replace(TYPED, ""));
      if (group !== undefined && group.origin === origin && !startsResult(block)) group.blocks.push(one);
      else {
        enter();
        group = { origin, blocks: [one] };
      }
    }
    enter();
  }

  /** Gives results that are texts the ids of the calls that they answer, in order. */
  #answered(blocks: readonly TaskBlock[]): readonly DraftBlock[] {
    let current: string | undefined;
    return blocks.map(({ block }) => {
      if (block.kind !== "tool_result") return block;
      if (block.callId !== undefined) {
        this.#open = this.#open.filter((id) => id !== block.callId);
        return block;
      }
      if (TEXT_RESULT.test(block.text)) current = this.#open.shift();
      return { ...block, callId: current };
    });
  }

  #enter(facts: Omit<Message, "blocks">, blocks: readonly Block[], record: JsonObject): void {
    const message = this.#builder.message({ ...facts, blocks });
    this.#live.push({ message, record, index: this.#index });
  }

  /** A summary replaces the messages that name it as their parent. */
  #summary(record: SourceRecord, when: When): void {
    this.#live = this.#live.filter(({ record: { condenseParent } }) => idOf(condenseParent) === undefined);
    this.#boundary(when, { summaryLine: when.line, ...this.#sizesOf(record.value.condenseId, when) });
    const blocks = this.#builder.blocks(
      blocksOf(record.value).map(({ block }) => block),
      record,
    );
    this.#builder.message({ role: "user", origin: "summary", ...when, blocks, recordedOnly: true });
  }

  /** The marker is before the first kept message, but the truncation happened later, when twice as many messages were visible. */
  #marker(record: JsonObject, when: When): void {
    const id = idOf(record.truncationId);
    if (id === undefined) return;
    const hidden = this.#records(({ truncationParent }) => truncationParent === id);
    // A marker whose messages were removed from the list hides nothing.
    if (hidden > 0) this.#truncations.push({ id, line: when.line, visible: 2 * hidden + 1 });
  }

  #records(test: (record: JsonObject) => boolean): number {
    return new Set(this.#live.map(({ record }) => record).filter(test)).size;
  }

  /** Writes the truncations that happened before the next request. */
  #due(): void {
    const visible = this.#records(({ isTruncationMarker }) => isTruncationMarker !== true);
    const due = this.#truncations.filter((one) => visible >= one.visible);
    this.#truncations = this.#truncations.filter((one) => !due.includes(one));
    for (const truncation of due) this.#truncate(truncation);
  }

  #truncate({ id, line }: Truncation): void {
    this.#live = this.#live.filter(({ record: { truncationParent } }) => truncationParent !== id);
    this.#boundary({ line }, this.#sizesOf(id, { line }));
  }

  #sizesOf(id: unknown, { line }: When) {
    return this.#screen.sizesOf(idOf(id), this.#builder.numbers(line));
  }

  #boundary(when: When, facts: Partial<Pick<Boundary, "summaryLine" | "tokensBefore" | "tokensAfter">> = {}): void {
    this.#builder.boundary({
      kind: "compaction",
      ...when,
      ...facts,
      kept: this.#live.map(({ message }) => message),
    });
  }
}

function startsResult({ kind, callId, text }: DraftBlock): boolean {
  return kind === "tool_result" && (callId !== undefined || TEXT_RESULT.test(text));
}
