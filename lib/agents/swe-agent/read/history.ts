import { callBlock, contentBlocks, textBlock } from "@/lib/agents/shared/api-parts";
import { idOf } from "@/lib/agents/shared/ids";
import { type JsonObject, listOf, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import { textAction } from "@/lib/agents/shared/text-action";
import type { DraftBlock, DraftMessage } from "@/lib/core/transcript/draft";

/** An entry of a run's history before it is measured. `demo`: part of a recorded demonstration, which no request of this run wrote. */
export interface HistoryEntry extends DraftMessage {
  readonly value: JsonObject;
  readonly kind: "prompt" | "response" | "demo" | "other" | "unknown";
}

/**
 * The run's history in order, followed by the last step's response and observation if the run ended before they were added to the history. Source:
 * sweagent/agent/agents.py, `add_step_to_history`.
 */
export function entriesOf(run: JsonObject): readonly HistoryEntry[] {
  const history = objectsOf(run.history);
  const first = history.findIndex(({ role }) => role !== "system");
  const promptEnd = first < 0 ? history.length : first;
  let task = false;
  let open: string | undefined;
  const entries = history.map((value, index) => {
    const entry = entryOf(value, index, { isPrompt: index < promptEnd, isTask: !task, open });
    if (entry.origin === "typed") task = true;
    const call = entry.kind === "response" ? entry.blocks.find(({ kind }) => kind === "tool_call") : undefined;
    open = call?.callId;
    return entry;
  });
  return [...entries, ...lastStep(run, entries)];
}

interface Place {
  readonly isPrompt: boolean;
  readonly isTask: boolean;
  /** The call that a result without an id answers. */
  readonly open: string | undefined;
}

function entryOf(value: JsonObject, index: number, { isPrompt, isTask, open }: Place): HistoryEntry {
  const content = contentBlocks(value.content);
  if (value.is_demo === true) return { role: roleOf(value), origin: "context", blocks: content, value, kind: "demo" };
  switch (value.role) {
    case "system":
      return { role: "system", origin: "context", blocks: content, value, kind: isPrompt ? "prompt" : "other" };
    case "assistant":
      return { ...response(value, index), value, kind: "response" };
    case "user":
    case "tool": {
      if (isTask && value.role === "user")
        return { role: "user", origin: "typed", blocks: content, value, kind: "other" };
      const [result = textBlock(""), ...rest] = content;
      const callId = idOf(listOf(value.tool_call_ids)[0]) ?? (value.role === "user" ? open : undefined);
      const blocks: readonly DraftBlock[] = [{ ...result, kind: "tool_result", callId }, ...rest];
      return { role: "user", origin: "tool", blocks, value, kind: "other" };
    }
    default:
      return { role: "system", origin: "context", blocks: content, value, kind: "unknown" };
  }
}

function roleOf({ role }: JsonObject): DraftMessage["role"] {
  return role === "assistant" || role === "system" ? role : "user";
}

/** A response: its thinking, its text, and its call, which a model without tools wrote into the text. */
function response(value: JsonObject, index: number): DraftMessage {
  const thinking = objectsOf(value.thinking_blocks).map(
    ({ thinking: text }): DraftBlock => ({ kind: "thinking", text: textOf(text) }),
  );
  const calls = objectsOf(value.tool_calls).map((call) => {
    const { name, arguments: given } = objectOf(call.function);
    return callBlock(call.id, name, given);
  });
  const content = contentBlocks(value.content === "" ? undefined : value.content);
  const [only] = content;
  const start = calls.length === 0 && content.length === 1 && only?.kind === "text" ? actionIn(only.text, value) : -1;
  const texts =
    start < 0 || only === undefined ? content : textAction(only.text, start, `step ${index}`, toolOf(value));
  const blocks = [...thinking, ...texts, ...calls];
  return { role: "assistant", origin: "response", blocks: blocks.length === 0 ? [textBlock("")] : blocks };
}

/** Start of the action in a response's text, with the fence before it; -1 if the text does not hold it. */
function actionIn(text: string, { action }: JsonObject): number {
  const sought = textOf(action).trim();
  const at = sought === "" ? -1 : text.lastIndexOf(sought);
  if (at < 0) return -1;
  const fence = text.lastIndexOf("```", at);
  return fence >= 0 && /^```\w*\s*$/.test(text.slice(fence, Math.min(at, fence + 40))) ? fence : at;
}

/** The first word of an action is its command, of the shell or of the program's own. */
function toolOf({ action }: JsonObject): string {
  const [word = "bash"] = textOf(action).trim().split(/\s/, 1);
  return /^[\w.-]{1,40}$/.test(word) ? word : "bash";
}

function lastStep(run: JsonObject, entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const steps = objectsOf(run.trajectory);
  const responses = entries.filter(({ kind }) => kind === "response");
  const [step, last] = [steps.at(-1), responses.at(-1)?.value];
  if (step === undefined || steps.length <= responses.length) return [];
  const text = textOf(step.response);
  if (last !== undefined && textOf(last.content) === text && textOf(last.action) === textOf(step.action)) return [];
  const value = { role: "assistant", content: text, action: step.action };
  return [{ ...response(value, entries.length), value, kind: "response" }];
}
