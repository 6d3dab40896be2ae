/*
 * Task of Roo Code: `api_conversation_history.json`, a list of messages. Invented and shortened:
 *
 * [{"role":"user","content":[{"type":"text","text":"<user_message>\nWhich port?\n</user_message>"},
 *   {"type":"text","text":"<environment_details>\n…<slug>code</slug>…</environment_details>"}],"ts":1772352000000,"condenseParent":"k1"},
 *  {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read_file","input":{"path":"a.ts"}}],"ts":1772352004000,"condenseParent":"k1"},
 *  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"port = 3000"}],"ts":1772352005000,"condenseParent":"k1"},
 *  {"role":"user","content":[{"type":"text","text":"## Conversation Summary\n…"}],"ts":1772352005001,"isSummary":true,"condenseId":"k1"}]
 */

import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { isRooMessage, isTaskMessage, TaskParser, taskTexts } from "@/lib/agents/shared/task-history";
import { TASK_SCREEN, TaskScreen } from "@/lib/agents/shared/task-screen";
import type { Reader } from "@/lib/core/transcript/reader";
import type { KnownUsageFields } from "@/lib/core/transcript/record-numbers";

/** The messages hold no usage, so no usage field is read. */
const NO_USAGE: KnownUsageFields = new Set();

/** Reads tasks of Roo Code and of Kilo Code before its rewrite. README.md describes the format. */
const rooReader: Reader = {
  format: "roo-code",
  sniff: (head) => head.some(isTaskMessage) && head.some(isRooMessage),
  companion: TASK_SCREEN,
  parse: (builder, screen) =>
    new TaskParser(builder, new TaskScreen(screen, false), ({ usage }, numbers) => {
      numbers.unknownUsage(usage, NO_USAGE);
      return undefined;
    }),
  texts: taskTexts,
};

export const server: ServerProfile = {
  reader: rooReader,
};
