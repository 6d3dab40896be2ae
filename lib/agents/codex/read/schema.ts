import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, objectField, textField } from "@/lib/core/records/fields";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";

/**
 * Checks of the record kinds that we read. They are loose on purpose: the format is Codex's own and grows with every release. A record must have the
 * fields needed to understand it, or the result is `undefined`; everything else is optional, and unknown fields pass. The checks are written by hand,
 * since a schema library takes longer than parsing such a record.
 */

/** A text that may be absent or `null`. */
function isOptionalText(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === "string";
}

/** True for an absent field or a text, but not for `null`. */
function isAbsentOrText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** First line of the bare format, before September 2025. */
export interface BareHeader {
  readonly id: string | undefined;
  readonly branch: string | undefined;
}

export function bareHeaderOf(value: JsonObject): BareHeader | undefined {
  const { id, timestamp, instructions, git } = value;
  if (typeof id !== "string" || typeof timestamp !== "string" || !isOptionalText(instructions)) return undefined;
  const branch = branchOf(git);
  return branch === null ? undefined : { id: idOf(id), branch };
}

/** The branch in an optional `git` field; `null` if the field is malformed. */
function branchOf(git: unknown): string | undefined | null {
  if (git === undefined || git === null) return undefined;
  return isObject(git) && isOptionalText(git.branch) ? (git.branch ?? undefined) : null;
}

export interface SessionMeta {
  readonly id: string | undefined;
  readonly version: string | undefined;
  readonly cwd: string | undefined;
  readonly branch: string | undefined;
  readonly baseInstructions: string | undefined;
  readonly forkedFrom: string | undefined;
  /** The thread whose history this one continues without repeating it: only that thread's file holds the earlier part. */
  readonly historyBase: string | undefined;
  /** The thread that started this one as a subagent. */
  readonly parentThread: string | undefined;
}

export function sessionMetaOf(payload: JsonObject): SessionMeta | undefined {
  const { id, session_id: sessionId, cwd, cli_version: version, base_instructions: base, git } = payload;
  if (!isAbsentOrText(id) || !isAbsentOrText(sessionId)) return undefined;
  if (!isOptionalText(cwd) || !isOptionalText(version)) return undefined;
  const branch = branchOf(git);
  const instructions = instructionsOf(base);
  if (branch === null || instructions === null) return undefined;
  return {
    id: idOf(id) ?? idOf(sessionId),
    version: version ?? undefined,
    cwd: nameOf(cwd),
    branch,
    baseInstructions: instructions,
    forkedFrom: idOf(payload.forked_from_id),
    historyBase: textField(objectField(payload.history_base)?.thread_id),
    parentThread: idOf(payload.parent_thread_id) ?? spawningThread(payload.source),
  };
}

/** The thread that started this one as its subagent: `source.subagent.thread_spawn.parent_thread_id`. Source: README.md, "Formats". */
function spawningThread(source: unknown): string | undefined {
  const spawn = objectField(objectField(objectField(source)?.subagent)?.thread_spawn);
  return idOf(spawn?.parent_thread_id);
}

function instructionsOf(base: unknown): string | undefined | null {
  const text = isObject(base) ? base.text : (base ?? undefined);
  return typeof text === "string" || (text === undefined && !isObject(base)) ? text : null;
}

export interface TurnContext {
  readonly model: string | undefined;
  readonly effort: string | undefined;
  readonly cwd: string | undefined;
}

export function turnContextOf(payload: JsonObject): TurnContext | undefined {
  const { model, cwd } = payload;
  if (!isOptionalText(model) || !isOptionalText(cwd)) return undefined;
  return { model: model ?? undefined, effort: textField(payload.effort), cwd: cwd ?? undefined };
}

export interface TokenUsage {
  readonly input_tokens: number;
  readonly cached_input_tokens?: number | undefined;
  readonly cache_write_input_tokens?: number | undefined;
  readonly output_tokens?: number | undefined;
  readonly reasoning_output_tokens?: number | undefined;
  readonly total_tokens?: number | undefined;
}

/** Fields of a usage that are read. */
export const KNOWN_USAGE: KnownUsageFields = new Set([
  "input_tokens",
  "cached_input_tokens",
  "cache_write_input_tokens",
  "output_tokens",
  "reasoning_output_tokens",
  "total_tokens",
]);
/** Fields next to the usages, which are checked separately. */
const KNOWN_INFO: KnownUsageFields = new Set(["total_token_usage", "last_token_usage", "model_context_window"]);

/**
 * Usage as recorded; `undefined` if it does not state the input.
 * @param number reads one field
 */
export function tokenUsageOf(
  value: unknown,
  number: (value: unknown, field: string) => number | undefined,
): TokenUsage | undefined {
  if (!isObject(value)) return undefined;
  const read = (field: keyof TokenUsage) => number(value[field], field);
  const input = read("input_tokens");
  if (input === undefined) return undefined;
  return {
    input_tokens: input,
    cached_input_tokens: read("cached_input_tokens"),
    cache_write_input_tokens: read("cache_write_input_tokens"),
    output_tokens: read("output_tokens"),
    reasoning_output_tokens: read("reasoning_output_tokens"),
    total_tokens: read("total_tokens"),
  };
}

export interface UsageRecord {
  /** Id of the response. */
  readonly id?: string | undefined;
  readonly last: TokenUsage;
  /** The thread's running total. */
  readonly total: TokenUsage | undefined;
  /** The service tier of this response. */
  readonly tier?: string | undefined;
}

interface TokenCount {
  /** Absent or `null` in the first count of a session. */
  readonly info: (UsageRecord & { readonly total: TokenUsage; readonly window: number | undefined }) | null;
}

export function tokenCountOf({ info, service_tier: tier }: JsonObject, numbers: RecordNumbers): TokenCount | undefined {
  if (info === undefined || info === null) return { info: null };
  if (!isObject(info)) return undefined;
  numbers.unknownUsage(info, KNOWN_INFO);
  numbers.unknownUsage(info.total_token_usage, KNOWN_USAGE);
  numbers.unknownUsage(info.last_token_usage, KNOWN_USAGE);
  // The running total sums over the session, so it may have any size.
  const total = tokenUsageOf(info.total_token_usage, (value, field) => numbers.sum(value, `total ${field}`));
  const last = tokenUsageOf(info.last_token_usage, (value, field) => numbers.tokens(value, field));
  if (total === undefined || last === undefined) return undefined;
  const window = numbers.tokens(info.model_context_window, "model_context_window");
  return { info: { total, last, window, tier: textField(tier) ?? textField(info.service_tier) } };
}

/** A `token_usage_record`. */
export function usageRecordOf(payload: JsonObject, numbers: RecordNumbers): UsageRecord | undefined {
  const { usage, thread_token_usage: thread } = payload;
  numbers.unknownUsage(usage, KNOWN_USAGE);
  const last = tokenUsageOf(usage, (value, field) => numbers.tokens(value, field));
  if (last === undefined) return undefined;
  const total = tokenUsageOf(thread, (value, field) => numbers.sum(value, `total ${field}`));
  return { id: idOf(payload.response_id), last, total, tier: textField(payload.service_tier) };
}

interface Compacted {
  readonly message: string | undefined;
  /** The response that made the summary. */
  readonly response: string | undefined;
}

export function compactedOf(payload: JsonObject): Compacted | undefined {
  const { message, replacement_history: history } = payload;
  const isHistory = history === undefined || history === null || Array.isArray(history);
  if (!isOptionalText(message) || !isHistory) return undefined;
  return { message: message ?? undefined, response: idOf(payload.compaction_response_id) };
}

interface RolledBack {
  readonly turns: number;
}

export function rolledBackOf({ num_turns: turns }: JsonObject): RolledBack | undefined {
  return isCount(turns) ? { turns } : undefined;
}
