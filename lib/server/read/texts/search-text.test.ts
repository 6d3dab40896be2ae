import { expect, it } from "vitest";
import type { IndexedText } from "../../base/config";
import { assistantLine, put, temporaryFolder, userLine } from "../../testing/files";
import { LocalRunner } from "../../threads/local-runner";

const folder = temporaryFolder();

async function searchedBy(indexed: IndexedText, lines: readonly string[]): Promise<string> {
  const path = put(folder, "session.jsonl", lines.join("\n"));
  const { facts } = await new LocalRunner().ingest({ path, summaryOnly: true, indexed });
  return facts?.text ?? "";
}
const searched = (...lines: string[]) => searchedBy("prompts", lines);

it("the search text contains prompts, tools and files, but no answers", async () => {
  const call = JSON.parse(assistantLine("", "a1", "u1"));
  call.message.content = [{ type: "tool_use", id: "t1", name: "Read", input: { file_path: "/src/pelican.ts" } }];
  const text = await searched(
    userLine("Where is the nest?", "u1"),
    JSON.stringify(call),
    assistantLine("Here.", "a2", "a1"),
  );
  for (const word of ["Where is the nest?", "Read", "/src/pelican.ts"]) expect(text).toContain(word);
  expect(text).not.toContain("Here.");
});

it("on request, the search text contains all messages, but no results or thinking", async () => {
  const call = JSON.parse(assistantLine("", "a1", "u1"));
  call.message.content = [
    { type: "thinking", thinking: "A heron?", signature: "" },
    { type: "text", text: "I look for it." },
    { type: "tool_use", id: "t1", name: "Read", input: { file_path: "/src/pelican.ts" } },
  ];
  const result = JSON.parse(userLine("", "u2", "a1"));
  result.message.content = [{ type: "tool_result", tool_use_id: "t1", content: "A stork." }];
  const lines = [userLine("Where is the nest?", "u1"), ...[call, result].map((line) => JSON.stringify(line))];
  const text = await searchedBy("messages", [...lines, assistantLine("Here: 在这里.", "a2", "u2")]);
  const words = [
    "Where is the nest?",
    "I look for it.",
    "Here: 在这里.",
    "Read",
    "/src/pelican.ts",
    "A heron?",
    "A stork.",
  ];
  expect(words.map((word) => text.includes(word))).toEqual([true, true, true, true, true, false, false]);
});

it("the search text of all messages is bounded, too", async () => {
  const lines = Array.from({ length: 200 }, (_, at) =>
    userLine("word ".repeat(5000), `u${at}`, at === 0 ? null : `u${at - 1}`),
  );
  const { length } = await searchedBy("messages", lines);
  expect(length).toBeGreaterThan(300_000);
  expect(length).toBeLessThan(450_000);
});

it("the search text is bounded, for one long message as for many", async () => {
  const many = JSON.parse(userLine("", "u1"));
  many.message.content = Array.from({ length: 5000 }, (_, at) => ({
    type: "text",
    text: `${at} ${"word ".repeat(100)}`,
  }));
  expect((await searched(JSON.stringify(many), assistantLine("Two.", "a1", "u1"))).length).toBeLessThan(10_000);
  const prompts = Array.from({ length: 500 }, (_, at) =>
    userLine("word ".repeat(5000), `u${at}`, at === 0 ? null : `u${at - 1}`),
  );
  expect((await searched(...prompts)).length).toBeLessThan(10_000);
});
