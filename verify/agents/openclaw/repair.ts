import { missingResult, resultIdOf, type ToolCall, toolCallsOf } from "@/lib/agents/openclaw/messages/message";
import { isObject, type JsonObject } from "@/lib/agents/openclaw/messages/value";

/**
 * How release 2026.2.1 repairs a history before it is sent: every call is followed by its result, and there are no other results. Source:
 * README.md, "Pairs"; openclaw@2026.2.1, agents/session-transcript-repair.
 */
interface RepairedHistory {
  /** The given list itself where nothing changed. */
  readonly messages: readonly unknown[];
  readonly added: readonly JsonObject[];
  readonly duplicates: number;
  readonly orphans: number;
  /** Whether anything changed at all. */
  readonly changed: boolean;
}

/** Moves results after their calls, adds stand-ins where one is missing, and drops all other results. Entries may be anything. */
export function repairPairing(messages: readonly unknown[]): RepairedHistory {
  const repair = new Repair();
  for (let at = 0; at < messages.length; ) at = repair.take(messages, at);
  return repair.result(messages);
}

class Repair {
  readonly #out: unknown[] = [];
  readonly #added: JsonObject[] = [];
  readonly #emitted = new Set<string>();
  #duplicates = 0;
  #orphans = 0;
  #moved = false;

  /** Takes the message at a position and what belongs to it, and returns the position of the next. */
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
    // Where no result was found, a stand-in is added, which is a change too.
    if (rest.length > 0) this.#moved = true;
    for (const call of calls) this.#emit(call, results.get(call.id));
    this.#out.push(...rest);
    return next;
  }

  /** Takes a result within reach of the calls; a result that is repeated there is dropped without being counted. */
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
