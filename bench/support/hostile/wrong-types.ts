import { hostileCodex } from "./markup";
import { claude, type Json, prompt, response, text, time } from "./records";

/** Records whose fields have wrong types. */

/** Values of every type but the right one. */
const WRONG: readonly unknown[] = [null, true, 0, -1, 1.5, "", "text", [], [[]], {}, { type: 1 }];

const FIELDS =
  "type message uuid parentUuid isSidechain timestamp sessionId version requestId cwd compactMetadata subtype content attachment data toolUseResult".split(
    " ",
  );
const MESSAGE_FIELDS = ["id", "model", "role", "content", "usage", "stop_reason"];
const USAGE_FIELDS = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "cache_creation",
];

export function* wrongTypes(): Iterable<Json> {
  yield prompt(0, "The fields of the next records have other types than they should.");
  let step = 1;
  for (const value of WRONG) {
    for (const field of FIELDS) yield { ...response(step++, [text("answer")]), [field]: value };
    for (const field of MESSAGE_FIELDS) {
      const message = {
        id: `m-${step}`,
        model: "claude-opus-4-6",
        role: "assistant",
        content: [text("answer")],
        [field]: value,
      };
      yield claude(step++, "assistant", message);
    }
    for (const field of USAGE_FIELDS)
      yield response(step++, [text("answer")], { input_tokens: 5, output_tokens: 5, [field]: value });
    for (const field of ["type", "text", "id", "name", "input", "tool_use_id", "content", "source"]) {
      const block = { type: "tool_use", id: `t-${step}`, name: "Read", input: {}, [field]: value };
      yield response(step++, [block, { type: "tool_result", tool_use_id: `t-${step}`, content: "", [field]: value }]);
    }
  }
  yield prompt(step, "That was all.");
}

/** The same as `wrongTypes`, for a rollout. */
export function* wrongCodexTypes(): Iterable<Json> {
  yield* hostileCodex("plain");
  let step = 10;
  for (const value of WRONG) {
    for (const type of ["session_meta", "turn_context", "compacted", "event_msg", "response_item"]) {
      yield { timestamp: time(step++), type, payload: value };
    }
    for (const field of [
      "type",
      "role",
      "content",
      "summary",
      "encrypted_content",
      "name",
      "arguments",
      "call_id",
      "output",
      "info",
    ]) {
      for (const type of ["message", "reasoning", "function_call", "function_call_output"]) {
        yield { timestamp: time(step++), type: "response_item", payload: { type, role: "user", [field]: value } };
      }
      yield { timestamp: value, type: "event_msg", payload: { type: "token_count", [field]: value } };
    }
    yield {
      timestamp: time(step++),
      type: "event_msg",
      payload: {
        type: "token_count",
        info: { total_token_usage: value, last_token_usage: value, model_context_window: value },
      },
    };
    yield { timestamp: time(step++), type: "compacted", payload: { message: value, replacement_history: value } };
    yield { timestamp: time(step++), type: "event_msg", payload: { type: "thread_rolled_back", num_turns: value } };
  }
}
