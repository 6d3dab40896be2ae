import { expect, it } from "vitest";
import { LocalRunner } from "../tasks";
import { assistantLine, put, temporaryFolder, userLine } from "../testing/files";

const folder = temporaryFolder();

async function searched(...lines: string[]): Promise<string> {
  const path = put(folder, "session.jsonl", lines.join("\n"));
  const { facts } = await new LocalRunner().ingest({ path, summaryOnly: true, indexed: true });
  return facts?.text ?? "";
}

it("a session is found by its prompts, tools and files, and not by its answers", async () => {
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

it("what is kept of a session of any size is bounded: in one message as in many", async () => {
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
