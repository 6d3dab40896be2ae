import { type Content, callOf, type Part, partsOf, responseOf } from "@/lib/agents/qwen-code/messages/content";
import { isConversationKind, isEcho, isRecordType, walkChain } from "@/lib/agents/qwen-code/read/chain";
import { commandEcho, plainUserText } from "@/lib/agents/qwen-code/read/session-replay";
import { isObject, type JsonObject, objectOf, textOf } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";
import { outputTokens } from "./estimates";

/** History that 0.24.4 rebuilds from a session file when it resumes the session. Source: README.md, "Resuming". */

interface ReplayedSession {
  readonly uuids: readonly string[];
  readonly gaps: readonly { readonly childUuid: string; readonly missingParentUuid: string }[];
  readonly apiHistory: readonly Content[];
  readonly trailingSystemNotifications: number;
  readonly resume: ResumeCounts | null;
}

interface ResumeCounts {
  readonly promptTokenCount: Tokens;
  readonly outputTokenCount: Tokens;
  readonly isEstimated: boolean;
}

/** A record whose identity was checked, without malformed fields. */
interface SessionRecord {
  readonly raw: JsonObject;
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly type: string;
  readonly subtype: string | undefined;
  readonly message: { readonly role?: string; readonly parts: readonly Part[] } | undefined;
}

/** Selects the records of one chain and rebuilds the history. Throws a `TypeError` if the program does. */
export function replaySession(values: unknown, leafUuid?: string): ReplayedSession {
  const { records, gaps } = selectRecords(values, leafUuid);
  const history = new ApiHistory();
  for (const record of records) history.add(record);
  return {
    uuids: records.map(({ uuid }) => uuid),
    gaps,
    apiHistory: history.contents(),
    trailingSystemNotifications: history.trailingNotifications(),
    resume: resumeCounts(records),
  };
}

/** The history without thoughts; contents that held nothing else are dropped. Source: as above. */
export function withoutThoughts(history: readonly Content[]): readonly Content[] {
  return history.flatMap((content) => {
    if (!Array.isArray(content.parts)) return [content];
    const parts = partsOf(content).filter((part) => !part.thought);
    return parts.length === 0 ? [] : [{ ...content, parts }];
  });
}

function selectRecords(
  values: unknown,
  leafUuid: string | undefined,
): Pick<ReplayedSession, "gaps"> & {
  readonly records: readonly SessionRecord[];
} {
  if (!Array.isArray(values)) throw new TypeError("Transcript records must be an array.");
  const valid = values.flatMap((value) => checkedRecord(value) ?? []);
  if (new Set(valid.map(({ raw }) => raw.sessionId)).size > 1) {
    throw new TypeError("Transcript records contain multiple session ids.");
  }
  const conversation = valid.filter(({ type, subtype }) => isConversationKind(type, subtype));
  const leaf =
    leafUuid === undefined ? conversation.at(-1)?.uuid : conversation.find(({ uuid }) => uuid === leafUuid)?.uuid;
  if (leafUuid !== undefined && leaf === undefined) {
    throw new TypeError("The requested transcript leaf was not found.");
  }
  if (leaf === undefined) return { records: [], gaps: [] };
  const fragments = new Map<string, SessionRecord[]>();
  for (const record of conversation) {
    const known = fragments.get(record.uuid);
    if (known === undefined) fragments.set(record.uuid, [record]);
    else known.push(record);
  }
  const chain = walkChain(leaf, (uuid) => parentOf(uuid, fragments));
  const records = chain.keys.flatMap((uuid) => mergedFragments(fragments.get(uuid) ?? []) ?? []);
  const first = records[0];
  const gap =
    chain.end === "missing" && first !== undefined
      ? [{ childUuid: first.uuid, missingParentUuid: first.parentUuid ?? "" }]
      : [];
  return { records, gaps: gap };
}

function parentOf(uuid: string, fragments: ReadonlyMap<string, readonly SessionRecord[]>): string | null | undefined {
  const parent = fragments.get(uuid)?.[0]?.parentUuid ?? null;
  if (parent === null || parent === "") return null;
  return fragments.has(parent) ? parent : undefined;
}

function checkedRecord(value: unknown): SessionRecord | undefined {
  if (!isObject(value)) return undefined;
  const { uuid, parentUuid, sessionId, type, subtype } = value;
  if (textOf(uuid) === "" || textOf(sessionId) === "" || !isRecordType(type)) return undefined;
  if (typeof parentUuid !== "string" && parentUuid !== null) return undefined;
  return {
    raw: value,
    uuid: textOf(uuid),
    parentUuid,
    type,
    subtype: typeof subtype === "string" ? subtype : undefined,
    message: isObject(value.message) ? messageOf(value.message) : undefined,
  };
}

function messageOf(message: JsonObject) {
  return { ...(typeof message.role === "string" ? { role: message.role } : {}), parts: partsOf(message) };
}

/** Merges records with the same uuid: their parts in order, the last usage, the first model. */
function mergedFragments(fragments: readonly SessionRecord[]): SessionRecord | undefined {
  const [first, ...further] = fragments;
  if (first === undefined) return undefined;
  let merged = first;
  for (const { raw, message } of further) {
    const parts = [...(merged.message?.parts ?? []), ...(message?.parts ?? [])];
    merged = {
      ...merged,
      raw: {
        ...merged.raw,
        ...(raw.usageMetadata ? { usageMetadata: raw.usageMetadata } : {}),
        ...(raw.model && !merged.raw.model ? { model: raw.model } : {}),
      },
      message: message === undefined ? merged.message : { ...(merged.message ?? message), parts },
    };
  }
  return merged;
}

interface Entry {
  content: Content;
  readonly notification: boolean;
}

/** Rebuilds the history from a chain of records. */
class ApiHistory {
  #entries: Entry[] = [];
  #completedCalls = new Set<string>();
  /** The last record that added content, unless a later record made the program forget it. */
  #last: SessionRecord | undefined;

  contents(): readonly Content[] {
    return this.#entries.map(({ content }) => content);
  }

  trailingNotifications(): number {
    const last = this.#entries.findLastIndex(({ notification }) => !notification);
    return this.#entries.length - 1 - last;
  }

  add(record: SessionRecord): void {
    if (record.type === "system") this.#addSystem(record);
    else if (record.message !== undefined && record.subtype !== "realtime_message") {
      this.#addMessage(record, record.message);
      this.#last = record;
    }
  }

  #addSystem(record: SessionRecord): void {
    const payload = objectOf(record.raw.systemPayload);
    if (record.subtype === "slash_command") this.#addCommand(payload);
    else if (record.subtype === "goal_turn_end") this.#addGoalEnd(record, payload);
    else if (record.subtype === "chat_compression") this.#addCompression(payload);
  }

  #addCommand(payload: JsonObject): void {
    const last = this.#last;
    if (last === undefined || last.type !== "user") return;
    if (isEcho(commandEcho(payload), plainUserText(last.subtype, last.message))) this.#entries.pop();
    this.#last = undefined;
  }

  #addGoalEnd(record: SessionRecord, payload: JsonObject): void {
    const call = textOf(payload.toolCallId);
    const answered = this.#last?.message?.parts.some((part) => call !== "" && responseOf(part)?.id === call) === true;
    if (this.#last?.type !== "tool_result" || !answered || !isSameGoalTurn(record.raw, this.#last.raw)) return;
    if (this.#isAnsweredOnce(call)) this.#completedCalls.add(call);
  }

  #addCompression(payload: JsonObject): void {
    if (!Array.isArray(payload.compressedHistory)) return;
    this.#entries = payload.compressedHistory.filter(isObject).map((content) => ({ content, notification: false }));
    const completed = Array.isArray(payload.completedToolCallIds) ? payload.completedToolCallIds.map(textOf) : [];
    this.#completedCalls = new Set(completed.filter((id) => this.#isAnsweredOnce(id)));
    this.#last = undefined;
  }

  #addMessage(record: SessionRecord, message: JsonObject & { readonly parts: readonly Part[] }): void {
    for (const part of message.parts) {
      this.#completedCalls.delete(textOf(callOf(part)?.id));
      this.#completedCalls.delete(textOf(responseOf(part)?.id));
    }
    const previous = this.#entries.at(-1);
    if (record.subtype === "mid_turn_user_message" && previous !== undefined && this.#takesMore(previous.content)) {
      previous.content = { ...previous.content, parts: [...partsOf(previous.content), ...message.parts] };
      return;
    }
    const notification = record.raw.provenance === "system" && record.subtype === "notification";
    this.#entries.push({ content: message, notification });
  }

  #takesMore(content: Content): boolean {
    const ended = partsOf(content).some((part) => this.#completedCalls.has(textOf(responseOf(part)?.id)));
    return content.role === "user" && !ended;
  }

  #isAnsweredOnce(id: string): boolean {
    if (id === "") return false;
    const parts = this.#entries.flatMap(({ content }) => partsOf(content));
    const calls = parts.filter((part) => callOf(part)?.id === id).length;
    return calls === 1 && parts.filter((part) => responseOf(part)?.id === id).length === 1;
  }
}

function isSameGoalTurn(end: JsonObject, result: JsonObject): boolean {
  const [permit, owner] = [objectOf(end.goalContext), objectOf(result.goalContext)];
  if (textOf(permit.goalId) === "" || textOf(permit.turnId) === "" || !Number.isInteger(permit.revision)) return false;
  return permit.goalId === owner.goalId && permit.turnId === owner.turnId && permit.revision === owner.revision;
}

/** The initial counts of a resumed session: the last usage, or the size after the last compaction. */
function resumeCounts(records: readonly SessionRecord[]): ResumeCounts | null {
  let counts: ResumeCounts | null = null;
  for (const { type, subtype, raw } of records) {
    if (type === "assistant") counts = countsOfUsage(objectOf(raw.usageMetadata)) ?? counts;
    else if (type === "system" && subtype === "chat_compression") counts = countsOfCompression(raw) ?? counts;
  }
  return counts;
}

function countsOfUsage(usage: JsonObject): ResumeCounts | undefined {
  const prompt = usage.promptTokenCount ?? usage.totalTokenCount;
  if (typeof prompt !== "number" || prompt === 0) return undefined;
  return { promptTokenCount: prompt, outputTokenCount: outputTokens(usage), isEstimated: false };
}

function countsOfCompression(raw: JsonObject): ResumeCounts | undefined {
  const info = objectOf(raw.systemPayload).info;
  if (!isObject(info)) return undefined;
  const isEstimated = typeof info.newTokenCountIsEstimated === "boolean" ? info.newTokenCountIsEstimated : true;
  // The program takes any recorded value unchecked.
  return { promptTokenCount: info.newTokenCount as Tokens, outputTokenCount: 0, isEstimated };
}
