import type { RecordingSource } from "@/verify/support/recording-sources";

/** A session of OpenClaw's whose results hold images, results within results, and several texts, of many lengths. */
export const resultsWithImages: RecordingSource = {
  name: "results with images",
  format: "openclaw",
  bytes: () =>
    new TextEncoder().encode(
      records()
        .map((record) => JSON.stringify(record))
        .join("\n"),
    ),
};

const TEXTS = [0, 1, 9, 83, 250, 5001, 12_002].map((chars) => "some output\n".repeat(chars / 12 + 1).slice(0, chars));
const IMAGE = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };

function records(): readonly object[] {
  const records: object[] = [{ type: "session", version: 3, id: "s1", timestamp: timeOf(0), cwd: "/home/mia" }];
  const add = (message: object) => {
    const at = records.length;
    const parentId = at === 1 ? null : `e${at - 1}`;
    records.push({ type: "message", id: `e${at}`, parentId, timestamp: timeOf(at), message });
  };
  const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 110 };
  for (const [turn, text] of TEXTS.entries()) {
    add({ role: "user", content: `Look at ${turn}.` });
    for (const [at, content] of contentsOf(text).entries()) {
      const id = `c${turn}-${at}`;
      const call = { type: "toolCall", id, name: "browser", arguments: { action: "screenshot" } };
      add({ role: "assistant", content: [call], usage, stopReason: "toolUse" });
      add({ role: "toolResult", toolCallId: id, toolName: "browser", content, isError: false });
    }
    add({ role: "assistant", content: [{ type: "text", text: "Seen." }], usage, stopReason: "stop" });
  }
  return records;
}

/** What a result may hold beside a text. */
function contentsOf(text: string): readonly (readonly object[])[] {
  const own = { type: "text", text };
  const nested = { type: "tool_result", content: "nested text" };
  return [[own], [own, IMAGE], [own, nested], [own, IMAGE, nested, IMAGE]];
}

function timeOf(minute: number): string {
  return new Date(Date.UTC(2026, 1, 3, 8, minute)).toISOString();
}
