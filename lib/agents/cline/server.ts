/*
 * Task of Cline: `api_conversation_history.json`, a list of messages. Invented and shortened:
 *
 * [{"role":"user","content":[{"type":"text","text":"<task>\nWhich port?\n</task>"},{"type":"text","text":"<environment_details>…</environment_details>"}],"ts":1772352000000},
 *  {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read_file","input":{"path":"a.ts"}}],"ts":1772352004000,
 *   "modelInfo":{"modelId":"claude-sonnet-4-6","providerId":"anthropic","mode":"act"},"metrics":{"tokens":{"prompt":9000,"completion":40,"cached":0}}},
 *  {"role":"user","content":[{"type":"text","text":"[read_file for 'a.ts'] Result:\nport = 3000"}],"ts":1772352005000}]
 */

import { type JsonObject, objectOf } from "@/lib/agents/shared/json";
import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { withStandIns } from "@/lib/agents/shared/stand-ins";
import { isRooMessage, isTaskMessage, isTextCall, TaskParser, taskTexts } from "@/lib/agents/shared/task-history";
import { TASK_SCREEN, TaskScreen } from "@/lib/agents/shared/task-screen";
import type { Usage } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";
import { MISSING_RESULT } from "./base/constants";

/** Reads Cline's tasks. README.md describes the format. */
const clineReader: Reader = {
  format: "cline",
  sniff: (head) => head.some(isTaskMessage) && !head.some(isRooMessage),
  companion: TASK_SCREEN,
  parse: (builder, screen) => new TaskParser(builder, new TaskScreen(screen, true), usageOf),
  texts: taskTexts,
};

const KNOWN_FIELDS: KnownUsageFields = new Set(["prompt", "completion", "cached"]);

/** `prompt` excludes the cached part, which is the sum of cache reads and writes. A response that was broken off has zeros: its usage is unknown. */
function usageOf({ metrics }: JsonObject, numbers: RecordNumbers): Usage | undefined {
  const { tokens, cost } = objectOf(metrics);
  numbers.unknownUsage(tokens, KNOWN_FIELDS);
  const { prompt, completion, cached } = objectOf(tokens);
  const input = numbers.tokens(prompt, "prompt");
  const output = numbers.tokens(completion, "completion");
  const cacheRead = numbers.tokens(cached, "cached");
  const ownCost = numbers.dollars(cost, "cost");
  if (input === undefined || input + (output ?? 0) + (cacheRead ?? 0) === 0) return undefined;
  return { input, cacheRead, output, ownCost };
}

export const server: ServerProfile = {
  reader: clineReader,
  // A call in a response's text is not one of the API, so it needs no result.
  sentTexts: async () => () => ({
    paired: (messages) => withStandIns(messages, MISSING_RESULT, (id) => !isTextCall(id)),
  }),
  measures: async () => (message) => ({
    "cline.textCall": message.blocks.map(({ kind, callId }) => (kind === "tool_call" && isTextCall(callId) ? 1 : 0)),
  }),
};
