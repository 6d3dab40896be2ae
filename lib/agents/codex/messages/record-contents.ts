import { isObject } from "@/lib/core/records/fields";
import { isExecEvent, itemsOfExecEvent } from "./exec-events";
import { type ResponseItem, toItem, userMessage } from "./item";

/**
 * The response items of a record, in order: the item of a `response_item` or of a bare line; the replacement history of a `compacted` record (or its
 * summary, as the message that it became); those of an event of `codex exec --json`; none for any other record. Parts of a record are numbered across
 * these items, so reading a record and loading its texts agree on their order.
 */
export function itemsOfRecord(value: Readonly<Record<string, unknown>>): readonly ResponseItem[] {
  const payload = value.payload;
  if (isObject(payload)) {
    if (value.type === "response_item") return [payload].flatMap((entry) => toItem(entry) ?? []);
    if (value.type === "session_meta") return baseInstructions(payload);
    return value.type === "compacted" ? itemsOfCompaction(payload) : [];
  }
  if (isExecEvent(value)) return itemsOfExecEvent(value);
  return [value].flatMap((entry) => toItem(entry) ?? []);
}

function itemsOfCompaction(payload: Readonly<Record<string, unknown>>): readonly ResponseItem[] {
  const history = payload.replacement_history;
  if (Array.isArray(history)) return history.flatMap((entry) => toItem(entry) ?? []);
  return typeof payload.message === "string" ? [userMessage(payload.message)] : [];
}

/** The base instructions as a system message, so that their text can be loaded like any other. */
function baseInstructions(payload: Readonly<Record<string, unknown>>): readonly ResponseItem[] {
  const base = payload.base_instructions;
  const text = typeof base === "string" ? base : isObject(base) ? base.text : undefined;
  return typeof text === "string" ? [{ type: "message", role: "system", content: [{ type: "input_text", text }] }] : [];
}
