import type { RecordingSource } from "@/verify/support/recording-sources";

/** A session of OpenClaw's whose results hold images, results within results, and several texts, of many lengths. */
export const resultsWithImages: RecordingSource = {
  name: "results with images",
  format: "openclaw",
  bytes: () => bytesOf(records()),
};

/** Sessions with calls without a result, and results that come late, twice, after other messages or without a call: for Anthropic and OpenAI. */
export const unpairedResults: readonly RecordingSource[] = ["anthropic-messages", "openai-responses"].map((api) => ({
  name: `calls and results without each other, ${api}`,
  format: "openclaw",
  bytes: () => bytesOf(unpairedRecords(api)),
}));

function bytesOf(records: readonly object[]): Uint8Array {
  return new TextEncoder().encode(records.map((record) => JSON.stringify(record)).join("\n"));
}

const TEXTS = [0, 1, 9, 83, 250, 5001, 12_002].map((chars) => "some output\n".repeat(chars / 12 + 1).slice(0, chars));
const IMAGE = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };

/** A session to which messages are added. */
function session() {
  const records: object[] = [{ type: "session", version: 3, id: "s1", timestamp: timeOf(0), cwd: "/home/mia" }];
  const add = (message: object) => {
    const at = records.length;
    const parentId = at === 1 ? null : `e${at - 1}`;
    records.push({ type: "message", id: `e${at}`, parentId, timestamp: timeOf(at), message });
  };
  return { records, add };
}

/** Every turn has one response with calls; a number is a result with the id of that call, `u` a user message. */
const TURNS = [
  { calls: ["a", "b"], follows: "b" },
  { calls: ["c"], follows: "u c" },
  { calls: ["d"], follows: "d d x" },
  { calls: ["e", "f"], follows: "f u e" },
  { calls: ["g"], follows: "" },
  { calls: ["h"], follows: "h", isFailed: true },
  { calls: ["i"], follows: "", isFailed: true },
  { calls: [], follows: "x" },
  { calls: ["j", "k"], follows: "" },
];

function unpairedRecords(api: string): readonly object[] {
  const { records, add } = session();
  const result = (id: string, at: number) =>
    add({
      role: "toolResult",
      toolCallId: id,
      toolName: "exec",
      content: [{ type: "text", text: id.repeat(at * 37) }],
    });
  for (const [turn, { calls, follows, isFailed }] of TURNS.entries()) {
    add({ role: "user", content: `Look at ${turn}.` });
    const blocks = calls.map((id) => ({ type: "toolCall", id, name: "exec", arguments: { command: id } }));
    const content = [{ type: "text", text: "I look. ".repeat(turn) }, ...blocks];
    add({ role: "assistant", api, content, stopReason: isFailed === true ? "error" : "toolUse" });
    for (const [at, id] of follows.split(" ").entries()) {
      if (id === "u") add({ role: "user", content: "Wait." });
      else if (id !== "") result(id, at + turn + 1);
    }
    add({ role: "assistant", api, content: [{ type: "text", text: "Seen." }], stopReason: "stop" });
  }
  add({ role: "user", content: "Go on." });
  add({ role: "assistant", api, content: [{ type: "text", text: "Done." }], stopReason: "stop" });
  return records;
}

function records(): readonly object[] {
  const { records, add } = session();
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

/** Other content of a result in addition to a text. */
function contentsOf(text: string): readonly (readonly object[])[] {
  const own = { type: "text", text };
  const nested = { type: "tool_result", content: "nested text" };
  return [[own], [own, IMAGE], [own, nested], [own, IMAGE, nested, IMAGE]];
}

function timeOf(minute: number): string {
  return new Date(Date.UTC(2026, 1, 3, 8, minute)).toISOString();
}
