import { idOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject } from "@/lib/core/records/fields";
import { sessionRecord } from "./captured";

/**
 * Makes a function that takes a file's records in order and returns the id of the subagent that each belongs to; `undefined` for none. Versions from
 * 2.0 on write that id; before, everything after one root is one subagent, named by the root's uuid. Source: README.md, "Subagents".
 */
export function subagentMarks(): (record: JsonObject) => string | undefined {
  const roots = new Map<string, string>();
  return (record) => {
    const { isSidechain, agentId, uuid, parentUuid } = sessionRecord(record);
    if (isSidechain !== true) return undefined;
    const named = idOf(agentId);
    if (named !== undefined) return named;
    const own = idOf(uuid);
    if (own === undefined) return undefined;
    const root = roots.get(idOf(parentUuid) ?? "") ?? own;
    roots.set(own, root);
    return root;
  };
}

/** Calls that start subagents, matched by a subagent's first prompt: before 2.0 nothing else links the two. */
export class SubagentCalls {
  readonly #waiting = new Map<string, string[]>();

  /** Adds the calls of a record outside any subagent. */
  add({ message }: JsonObject): void {
    if (!isObject(message) || !Array.isArray(message.content)) return;
    for (const part of message.content) {
      if (!isObject(part) || part.type !== "tool_use" || !isObject(part.input)) continue;
      const id = idOf(part.id);
      if (id === undefined || typeof part.input.prompt !== "string") continue;
      const { prompt } = part.input;
      this.#waiting.set(prompt, [...(this.#waiting.get(prompt) ?? []), id]);
    }
  }

  /** The first call with the prompt of a subagent's first record that started no other subagent. */
  startedBy({ message }: JsonObject): string | undefined {
    const prompt = isObject(message) ? textOf(message.content) : undefined;
    return prompt === undefined ? undefined : this.#waiting.get(prompt)?.shift();
  }
}

function textOf(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  const part: unknown = Array.isArray(content)
    ? content.find((one) => isObject(one) && one.type === "text")
    : undefined;
  return isObject(part) && typeof part.text === "string" ? part.text : undefined;
}
