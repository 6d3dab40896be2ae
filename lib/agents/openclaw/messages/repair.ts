import { PAIRED } from "../base/constants";
import type { OpenClawPreset } from "../base/presets";
import {
  type AgentMessage,
  isFailed,
  isMissingResult,
  MISSING_RESULT_OPENAI,
  missingResult,
  resultIdOf,
  type ToolCall,
  toolCallsOf,
} from "./message";
import { repairFrames } from "./pairing-frames";
import { isObject, type JsonObject } from "./value";

/**
 * Repair of a history before it is sent, in releases before 2026.9.6: every call is followed by its result, and there are no other results. Source:
 * README.md, "Pairs"; openclaw@2026.2.1 and @2026.5.7, agents/session-transcript-repair.
 */
interface RepairedHistory {
  /** The given list itself if nothing changed. */
  readonly messages: readonly unknown[];
  readonly added: readonly JsonObject[];
  readonly duplicates: number;
  readonly orphans: number;
  /** True if anything changed at all. */
  readonly changed: boolean;
}

/**
 * Moves results after their calls, adds stand-ins for missing ones, and drops all other results. Entries may be anything.
 * @param skipsFailed true if calls of a response that failed get no stand-in, as in 2026.5.7
 */
export function repairPairing(messages: readonly unknown[], skipsFailed = false): RepairedHistory {
  const repair = new Repair(skipsFailed);
  for (let at = 0; at < messages.length; ) at = repair.take(messages, at);
  return repair.result(messages);
}

class Repair {
  constructor(private readonly skipsFailed: boolean) {}

  readonly #out: unknown[] = [];
  readonly #added: JsonObject[] = [];
  readonly #emitted = new Set<string>();
  #duplicates = 0;
  #orphans = 0;
  #moved = false;

  /** Takes the message at a position with its results, and returns the position of the next. */
  take(messages: readonly unknown[], at: number): number {
    const message = messages[at];
    const calls = isObject(message) && message.role === "assistant" ? toolCallsOf(message) : [];
    if (calls.length > 0) return this.#takeCalls(messages, at, calls);
    if (isObject(message) && message.role === "toolResult") this.#orphans += 1;
    else this.#out.push(message);
    return at + 1;
  }

  #takeCalls(messages: readonly unknown[], at: number, calls: readonly ToolCall[]): number {
    const ids = new Set(calls.map((call) => call.id));
    const results = new Map<string, JsonObject>();
    const rest: unknown[] = [];
    let next = at + 1;
    for (; next < messages.length; next++) {
      const message = messages[next];
      if (isObject(message) && message.role === "assistant") break;
      if (isObject(message) && message.role === "toolResult") this.#takeResult(message, ids, results);
      else rest.push(message);
    }
    this.#out.push(messages[at]);
    // Without a result a stand-in is added, which is a change too.
    if (rest.length > 0) this.#moved = true;
    const message = messages[at];
    const isSkipped = this.skipsFailed && isObject(message) && isFailed(message);
    for (const call of calls) if (!isSkipped || results.has(call.id)) this.#emit(call, results.get(call.id));
    this.#out.push(...rest);
    return next;
  }

  /** Takes a result within reach of the calls; a repeated one is dropped without being counted. */
  #takeResult(result: JsonObject, ids: ReadonlySet<string>, results: Map<string, JsonObject>): void {
    const id = resultIdOf(result);
    if (id === undefined || !ids.has(id)) this.#orphans += 1;
    else if (this.#emitted.has(id)) this.#duplicates += 1;
    else if (!results.has(id)) results.set(id, result);
  }

  #emit(call: ToolCall, found: JsonObject | undefined): void {
    const result = found ?? missingResult(call);
    if (found === undefined) this.#added.push(result);
    if (this.#emitted.has(call.id)) {
      this.#duplicates += 1;
      return;
    }
    this.#emitted.add(call.id);
    this.#out.push(result);
  }

  result(given: readonly unknown[]): RepairedHistory {
    const changed = this.#added.length > 0 || this.#duplicates > 0 || this.#orphans > 0 || this.#moved;
    return {
      messages: changed ? this.#out : given,
      added: this.#added,
      duplicates: this.#duplicates,
      orphans: this.#orphans,
      changed,
    };
  }
}

const RESPONSES_APIS: ReadonlySet<unknown> = new Set([
  ...["openai-responses", "azure-openai-responses", "openai-codex-responses", "openai-chatgpt-responses"],
]);
const FIRST_REPAIRED_APIS: ReadonlySet<unknown> = new Set([
  ...["anthropic-messages", "google-gemini-cli", "google-generative-ai", "google-antigravity"],
]);

/**
 * Pairing rule for a response's calls. 2026.2.1 repairs only histories for Anthropic and Google; later releases repair all histories. OpenAI's
 * Responses API gets another stand-in. A response without an API counts as Anthropic's or Google's. Source: openclaw@2026.2.1, agents/transcript-policy;
 * openclaw@2026.5.7, pi-embedded-runner/run/attempt.
 */
export function callPairing({ api, provider }: AgentMessage): number {
  if (typeof api !== "string") return PAIRED.ALWAYS;
  if (RESPONSES_APIS.has(api)) return PAIRED.OPENAI;
  return FIRST_REPAIRED_APIS.has(api) || provider === "anthropic" ? PAIRED.ALWAYS : PAIRED.LATER;
}

/** The messages of a session as a release repairs them before they are sent. */
export function repairedMessages(messages: readonly AgentMessage[], preset: OpenClawPreset): readonly AgentMessage[] {
  if (preset === "current") return withOpenAiTexts(repairFrames(messages).messages, new Set(messages));
  const isLater = preset === "release-2026-05";
  const first = messages.find((message) => message.role === "assistant" && toolCallsOf(message).length > 0) ?? {};
  if (!isLater && callPairing(first) !== PAIRED.ALWAYS) return messages;
  const repaired = repairPairing(messages, isLater).messages.filter(isObject);
  return isLater ? withOpenAiTexts(repaired, new Set(messages)) : repaired;
}

/** The stand-ins that a repair added, with the text that OpenAI's Responses API gets. */
function withOpenAiTexts(repaired: readonly AgentMessage[], given: ReadonlySet<AgentMessage>): readonly AgentMessage[] {
  let response: AgentMessage = {};
  return repaired.map((message) => {
    if (message.role === "assistant") response = message;
    if (given.has(message) || !isMissingResult(message) || callPairing(response) !== PAIRED.OPENAI) return message;
    return { ...message, content: [{ type: "text", text: MISSING_RESULT_OPENAI }] };
  });
}
