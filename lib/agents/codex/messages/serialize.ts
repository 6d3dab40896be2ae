import { entryOf, isObject } from "@/lib/core/records/fields";
import { type CodexPreset, undocumentedRules } from "../base/presets";
import { contentItems, type ResponseItem } from "./item";

/**
 * Writes the JSON that Codex's estimator measures: in its own field order, without the fields that it does not write. Order and escaping follow
 * serde_json, which for well-formed text gives the same bytes as `JSON.stringify`. Source: README.md, "JSON of an item".
 */

/** A field that is written when present, or always (then as `null` when unset). */
type Field = string | readonly [name: string, always: true];

const ALWAYS = true;
const META = "internal_chat_message_metadata_passthrough";

const RELEASE_FIELDS: Readonly<Record<string, readonly Field[]>> = {
  message: ["role", "content", "end_turn"],
  reasoning: ["summary", "content", ["encrypted_content", ALWAYS]],
  function_call: ["name", "arguments", "call_id"],
  function_call_output: ["call_id", "output"],
  custom_tool_call: ["status", "call_id", "name", "input"],
  custom_tool_call_output: ["call_id", "output"],
  local_shell_call: [["call_id", ALWAYS], "status", "action"],
  web_search_call: ["status", "action"],
  ghost_snapshot: ["ghost_commit"],
  compaction: ["encrypted_content"],
};

const CURRENT_FIELDS: Readonly<Record<string, readonly Field[]>> = {
  message: ["id", "role", "content", "phase", META],
  reasoning: ["id", "summary", "content", ["encrypted_content", ALWAYS], META],
  function_call: ["id", "name", "namespace", "arguments", "encrypted_function_args", "call_id", META],
  function_call_output: ["id", "call_id", "output", META],
  custom_tool_call: ["id", "status", "call_id", "name", "namespace", "input", META],
  custom_tool_call_output: ["id", "call_id", "name", "output", META],
  local_shell_call: ["id", ["call_id", ALWAYS], "status", "action", META],
  web_search_call: ["id", "status", "action", META],
  compaction: ["id", "encrypted_content", META],
  context_compaction: ["id", "encrypted_content", META],
  tool_search_call: ["id", ["call_id", ALWAYS], "status", "execution", "arguments", META],
  tool_search_output: ["id", ["call_id", ALWAYS], "status", "execution", "tools", META],
  image_generation_call: ["id", "status", "revised_prompt", "result", META],
  agent_message: ["id", "author", "recipient", "content"],
};

const CONTENT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  input_text: ["text"],
  output_text: ["text"],
  summary_text: ["text"],
  reasoning_text: ["text"],
  text: ["text"],
  input_image: ["image_url", "detail"],
  input_audio: ["audio_url"],
  encrypted_content: ["encrypted_content"],
};

/** Fields whose entries are content items. */
const CONTENT_LISTS = new Set(["content", "output", "summary"]);

/** The fields of an item's kind; `undefined` for a kind that the preset does not know. */
function fieldsOf({ type }: ResponseItem, preset: CodexPreset): readonly Field[] | undefined {
  const kinds = undocumentedRules(preset) === "current" ? CURRENT_FIELDS : RELEASE_FIELDS;
  const name = type === "compaction_summary" ? "compaction" : type;
  return entryOf(kinds, name);
}

/** True if a preset knows an item's kind. It reads unknown kinds as `other`, without any field. */
export function isKnownKind(item: ResponseItem, preset: CodexPreset): boolean {
  return fieldsOf(item, preset) !== undefined;
}

/** The item's JSON as Codex writes it under a preset. */
export function serializeItem(item: ResponseItem, preset: CodexPreset): string {
  const fields = fieldsOf(item, preset);
  if (fields === undefined) return JSON.stringify({ type: "other" });
  const type = item.type === "compaction_summary" ? "compaction" : item.type;
  const out: Record<string, unknown> = { type };
  for (const field of fields) {
    const name = typeof field === "string" ? field : field[0];
    const value = type === "reasoning" && name === "content" ? reasoningContent(item.content) : item[name];
    if (value === null && !(typeof field !== "string" || name === "content")) continue;
    if (value !== undefined) out[name] = CONTENT_LISTS.has(name) ? orderedContent(value) : value;
    else if (typeof field !== "string") out[name] = null;
  }
  return JSON.stringify(out);
}

/** `null` if the content is absent; omitted if it is present without raw reasoning text. */
function reasoningContent(content: unknown): unknown {
  if (!Array.isArray(content)) return null;
  return contentItems(content).some((entry) => entry.type === "reasoning_text") ? content : undefined;
}

function orderedContent(value: unknown): unknown {
  return Array.isArray(value) ? value.map((entry: unknown) => orderedEntry(entry)) : value;
}

function orderedEntry(entry: unknown): unknown {
  if (!isObject(entry) || typeof entry.type !== "string") return entry;
  const fields = entryOf(CONTENT_FIELDS, entry.type);
  if (fields === undefined) return entry;
  const present = fields.flatMap((name) =>
    entry[name] === undefined || entry[name] === null ? [] : [[name, entry[name]]],
  );
  return { type: entry.type, ...Object.fromEntries(present) };
}
