import { promptTitle } from "@/lib/agents/shared/title";
import type { OverheadCategoryId } from "@/lib/core/base/categories";
import { utf8Length } from "@/lib/core/base/characters";
import type { Milliseconds } from "@/lib/core/base/units";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { block } from "@/lib/core/transcript/draft";
import type { Block, Message, Origin, Role } from "@/lib/core/transcript/model";
import type { CodexPreset } from "../base/presets";
import { isContextual, isSummaryText, isTurnAborted } from "../messages/contextual";
import {
  isCompactionItem,
  isMessage,
  isModelGenerated,
  messageTexts,
  type ResponseItem,
  typedTexts,
} from "../messages/item";
import { hiddenBytes, isMaskedReasoning } from "../messages/masked";
import { itemsOfRecord } from "../messages/record-contents";
import { isKnownKind } from "../messages/serialize";
import { BYTES_PER_TOKEN } from "../messages/tokens";
import { blocksOf, type CodexBlock } from "./blocks";
import { type HistoryEntry, historyKey, keptByRule, matchHistory, withoutLastTurns } from "./history";
import type { ResponseWriter } from "./responses";

/** Budget for the user messages that a local compaction keeps. Source: README.md, "Local compaction". */
const KEPT_USER_TOKENS = 20_000;
/** The desktop application and the editors put the typed text below this heading. */
const REQUEST_HEADING = "## My request for Codex:";
/** Kinds that are never sent, or that are not part of the history. */
const UNSENT = new Set(["ghost_snapshot", "compaction_trigger", "other", "additional_tools"]);

/** Writes messages and boundaries, and has each request point written before the first of its items. */
export class ConversationWriter {
  readonly #builder: TranscriptBuilder;
  readonly #responses: ResponseWriter;
  #conversationBegan = false;
  #title: string | undefined;
  #compactions = 0;
  /** Content of the current task so far. */
  #task: "nothing" | "compaction" | "turn" | undefined;
  #history: readonly HistoryEntry[] = [];
  #pending: HistoryEntry[] = [];

  constructor(builder: TranscriptBuilder, responses: ResponseWriter) {
    this.#builder = builder;
    this.#responses = responses;
  }

  /**
   * Adds a response item, wrapped or bare. `name` is the record's kind, reported if unknown.
   * @param part number of the item's first block within the record
   * @returns number of blocks in the item
   */
  item(item: ResponseItem, record: SourceRecord, at: Milliseconds | undefined, name: string, part = 0): number {
    const drafts = blocksOf(item);
    if (drafts.length === 0) {
      if (!UNSENT.has(item.type)) this.#builder.unknownRecord(name, record.line);
      return 0;
    }
    if (!isRecorded(item, "current")) return drafts.length;
    const origin = originOf(item);
    this.#follow(item, origin, record, at);
    const message = this.#builder.message(this.#message(item, origin, drafts, { record, at, part, copy: false }));
    if (item.type === "reasoning") this.#reasoning(item, message, record);
    this.#remember(item, origin, message);
    if (origin === "typed") this.#nameAfter(item);
    return drafts.length;
  }

  /** Opens or ends the response that an item belongs to. */
  #follow(item: ResponseItem, origin: Origin, record: SourceRecord, at: Milliseconds | undefined): void {
    const isResponse = origin === "response" && isModelGenerated(item);
    if (isResponse) this.#responses.item(record, at);
    else if (origin === "typed") this.#responses.end();
    else this.#responses.between();
    if (!isResponse && origin !== "typed") return;
    this.#conversationBegan = true;
    this.turnBegins();
  }

  #reasoning(item: ResponseItem, message: number, record: SourceRecord): void {
    const isMasked = isMaskedReasoning(item);
    if (isMasked) this.#builder.problem("masked-text", record.line, "encrypted_content");
    this.#responses.reasoning(message, isMasked ? undefined : hiddenBytes(item) / BYTES_PER_TOKEN);
  }

  /** Starts a task: a turn, or a command. */
  taskBegins(): void {
    this.#responses.end();
    this.#task = "nothing";
  }

  /** Marks the task as a turn, since it has a context or a message. */
  turnBegins(): void {
    if (this.#task !== undefined) this.#task = "turn";
  }

  /** Ends the task. A task that only compacted was a `/compact`, so the user requested it. */
  taskEnds(completed: boolean): void {
    this.#responses.end();
    if (completed && this.#task === "compaction") this.#builder.setInferredTrigger("manual");
    this.#task = undefined;
  }

  /** Writes a `compacted` record: a boundary, the kept messages before it, and the added ones. */
  compacted(record: SourceRecord, message: string | undefined, at: Milliseconds | undefined): void {
    this.#responses.end();
    const history = this.#historyNow();
    const items = itemsOfRecord(record.value);
    const isReplaced = Array.isArray(replacementHistory(record));
    const matches = matchHistory(history, items.map(historyKey));
    const kept = isReplaced ? matches.flatMap((index) => history[index] ?? []) : keptByRule(history, KEPT_USER_TOKENS);
    const hasOwnSummary = message !== undefined && message !== "" && !isReplaced;
    const isSummarised = hasOwnSummary || items.some((item) => originOf(item) === "summary");
    this.#builder.boundary({
      kind: "compaction",
      line: record.line,
      at,
      ...(isSummarised ? { summaryLine: record.line } : {}),
      kept: kept.map((entry) => entry.message).sort((a, b) => a - b),
    });
    this.#compactions += 1;
    if (this.#task === "nothing") this.#task = "compaction";
    this.#history = kept;
    let part = 0;
    for (const [index, item] of items.entries()) {
      const drafts = blocksOf(item);
      if (drafts.length > 0 && (matches[index] === -1 || !isReplaced)) {
        const origin = isReplaced ? originOf(item) : "summary";
        const copy = this.#message(item, origin, drafts, { record, at, part, copy: true });
        this.#remember(item, origin, this.#builder.message(copy));
      }
      part += drafts.length;
    }
  }

  /** Rolls back turns: they leave the context, but their cost remains. */
  rollBack(turns: number, record: SourceRecord): void {
    this.#responses.end();
    const kept = withoutLastTurns(this.#historyNow(), turns);
    this.#history = kept;
    this.#builder.problem("left-behind-branch", record.line, "thread_rolled_back");
    this.#builder.boundary({
      kind: "rollback",
      line: record.line,
      trigger: "manual",
      kept: kept.map((entry) => entry.message),
    });
  }

  #historyNow(): readonly HistoryEntry[] {
    if (this.#pending.length > 0) this.#history = [...this.#history, ...this.#pending];
    this.#pending = [];
    return this.#history;
  }

  #remember(item: ResponseItem, origin: Origin, message: number): void {
    const kept = origin === "typed" || (isMessage(item, "user") && isTurnAborted(item));
    const tokens = kept ? Math.ceil(utf8Length(typedTexts(item).join("")) / BYTES_PER_TOKEN) : undefined;
    this.#pending.push({
      message,
      key: historyKey(item),
      turnStart: origin === "typed" || item.type === "agent_message",
      initial: origin === "context" && !this.#conversationBegan,
      userTokens: tokens,
    });
  }

  /** Names the session after its first meaningful prompt. */
  #nameAfter(item: ResponseItem): void {
    const text = typedTexts(item).join("\n");
    const request = text.split(REQUEST_HEADING).at(-1) ?? text;
    const title = promptTitle(this.#title, request);
    if (title === this.#title) return;
    this.#title = title;
    this.#builder.facts({ title });
  }

  #message(item: ResponseItem, origin: Origin, drafts: readonly CodexBlock[], place: Place): Message {
    const recordedOnly = place.copy || isCompactionItem(item) || (origin === "summary" && this.#compactions > 0);
    const isContextMessage = origin === "context" && item.type === "message";
    const developer = isMessage(item, "developer");
    const categoryOf = ({ kind, text }: CodexBlock) =>
      isContextMessage && kind === "text" ? contextCategory(text, developer) : undefined;
    return {
      role: roleOf(item, origin),
      origin,
      line: place.record.line,
      at: place.at,
      blocks: drafts.map((draft, index) => this.#block(draft, categoryOf(draft), place, index)),
      recordedOnly,
      ...(origin === "context" && !this.#conversationBegan ? { initialContext: true } : {}),
    };
  }

  #block(draft: CodexBlock, category: Block["category"] | undefined, place: Place, index: number): Block {
    const { line, offset, length } = place.record;
    const drafted = category === undefined ? draft : { ...draft, category };
    const source = { line, offset, length, part: place.part + index };
    const hidden = draft.hiddenBytes;
    return hidden === undefined
      ? this.#builder.block(drafted, source)
      : block(draft.kind, { chars: hidden, bytes: hidden }, source, drafted);
  }
}

interface Place {
  readonly record: SourceRecord;
  readonly at: Milliseconds | undefined;
  /** Number of its first block within the record. */
  readonly part: number;
  /** True if a compaction restored it. */
  readonly copy: boolean;
}

/** The new history that a `compacted` record states, in any format. */
function replacementHistory(record: SourceRecord): unknown {
  const payload = record.value.payload;
  return typeof payload === "object" && payload !== null && "replacement_history" in payload
    ? payload.replacement_history
    : undefined;
}

/** The origin of an item. A user message is typed unless a version's rule says that the agent inserted it. */
function originOf(item: ResponseItem): Origin {
  if (isCompactionItem(item)) return "summary";
  if (item.type === "message") {
    if (item.role === "assistant") return "response";
    if (item.role !== "user" || isContextual(item)) return "context";
    return messageTexts(item).some(isSummaryText) ? "summary" : "typed";
  }
  if (item.type === "agent_message") return "context";
  return isModelGenerated(item) ? "response" : "tool";
}

function roleOf(item: ResponseItem, origin: Origin): Role {
  if (origin === "response" || isCompactionItem(item)) return "assistant";
  return isMessage(item, "developer") ? "system" : "user";
}

/**
 * Category of the texts that Codex inserts, by their beginning. Codex has no breakdown of its own; these are the sections Built-in and User of a
 * branch that was not merged, in our categories. Source: README.md, "Breakdown".
 */
const BY_BEGINNING: readonly (readonly [string, OverheadCategoryId])[] = [
  ["# agents.md instructions", "memoryFiles"],
  ["<user_instructions>", "memoryFiles"],
  ["<environment_context>", "startupContext"],
  ["<environments_instructions>", "startupContext"],
  ["<skill", "skills"],
  ["<apps_instructions>", "mcpTools"],
  ["<plugins_instructions>", "mcpTools"],
];
/** Texts about one moment and not the whole session: they stay among the messages. */
const OF_THE_MOMENT = [
  "<turn_aborted>",
  "<user_shell_command>",
  "<subagent_notification>",
  "<hook_prompt",
  "<goal_context>",
];
const HEAD_CHARS = 64;

/**
 * The category of a context text; `undefined` for text that stays an attachment.
 * @param developer true in a developer message, which holds permissions, collaboration, personality and the user's own developer instructions
 */
function contextCategory(text: string, developer: boolean): OverheadCategoryId | undefined {
  const head = text
    .slice(0, HEAD_CHARS * 2)
    .trimStart()
    .slice(0, HEAD_CHARS)
    .toLowerCase();
  const found = BY_BEGINNING.find(([beginning]) => head.startsWith(beginning));
  if (found !== undefined) return found[1];
  if (OF_THE_MOMENT.some((beginning) => head.startsWith(beginning))) return undefined;
  return developer ? "systemPrompt" : undefined;
}

/** True if an item enters the history: system messages and kinds unknown to the preset do not. */
export function isRecorded(item: ResponseItem, preset: CodexPreset): boolean {
  return isKnownKind(item, preset) && !isMessage(item, "system");
}
