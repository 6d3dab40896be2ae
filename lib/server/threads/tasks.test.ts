import { appendFileSync, utimesSync } from "node:fs";
import { expect, it } from "vitest";
import { counters } from "../base/counters";
import { OpenedSession } from "../sessions/opened-session";
import { assistantLine, put, temporaryFolder, userLine } from "../testing/files";
import { shownItems } from "../testing/items";
import { LocalRunner } from "./local-runner";

const folder = temporaryFolder();
const ONE = `${userLine("One.", "u1")}\n`;
const TWO = `${assistantLine("Two.", "a1", "u1")}\n`;

async function readTwice(path: string) {
  const runner = new LocalRunner();
  const first = await runner.ingest({ path });
  const before = { ...counters };
  appendFileSync(path, TWO);
  const second = await runner.ingest({ path });
  const work = { parsed: counters.filesParsed - before.filesParsed, tails: counters.tailsRead - before.tailsRead };
  return { runner, first, second, work };
}

it("a growing file is read on from its previous end, and its earlier states stay available", async () => {
  const path = put(folder, "growing.jsonl", ONE);
  const { runner, first, second, work } = await readTwice(path);
  expect(work).toEqual({ parsed: 0, tails: 1 });
  expect([first.summary.messages.assistant, second.summary.messages.assistant]).toEqual([0, 1]);
  expect(second).toEqual(await new LocalRunner().ingest({ path }));
  const items = await new OpenedSession(path, first, runner).items({ from: 0, to: 9, maxChars: 99 });
  expect(shownItems(items).map((item) => item.text)).toEqual(["", "One."]);
});

it("an incomplete last record counts as damage, unless the file was seen to grow", async () => {
  const path = put(folder, "half.jsonl", `${ONE}${TWO.slice(0, 40)}`);
  const runner = new LocalRunner();
  const first = await runner.ingest({ path });
  appendFileSync(path, `${TWO.slice(40)}${TWO.slice(0, 40)}`);
  const second = await runner.ingest({ path });
  expect([first.summary.records.damagedTotal, second.summary.records.damagedTotal]).toEqual([1, 0]);
  expect(second.summary.problems).toContainEqual({ code: "unfinished-line", line: 3, detail: null, count: 1 });
});

it("the state for continued reading is kept only for recently changed files", async () => {
  const path = put(folder, "old.jsonl", ONE);
  utimesSync(path, 1000, 1000);
  expect((await readTwice(path)).work).toEqual({ parsed: 1, tails: 0 });
});

it("the head of a large file is recognised without reading the rest", async () => {
  const path = put(folder, "large.jsonl", `${ONE}${TWO}${`${userLine("x".repeat(1000), "u2", "a1")}\n`.repeat(2000)}`);
  const before = { ...counters };
  const head = await new LocalRunner().head({ path });
  expect(head).toMatchObject({ agent: "claude-code", title: "One.", project: "/home/ada/shop" });
  expect(counters).toEqual(before);
});

it.each([
  ["of a file that is not a session", "hello\n"],
  ["of a document, which only its end makes one", `{\n${" ".repeat(200_000)}"info": {}, "messages": []}`],
  ["of a line that is too long", `${"x".repeat(200_000)}\n`],
  ["of an empty file", ""],
])("the head %s is not recognised", async (_what, content) => {
  const head = await new LocalRunner().head({ path: put(folder, "nothing.jsonl", content) });
  expect(head).toEqual({ agent: null, title: null, project: null, startedAt: null });
});

it("a session with more tokens than the maximum is refused in one sentence", async () => {
  const masked = (length: number) =>
    JSON.stringify({
      timestamp: "2026-03-01T10:00:00.000Z",
      type: "response_item",
      payload: { type: "reasoning", summary: [], encrypted_content: `[REDACTED_ENCRYPTED_CONTENT len=${length}]` },
    });
  const read = (records: number) => {
    const path = put(
      folder,
      "masked.jsonl",
      Array(records)
        .fill(masked(1 << 20))
        .join("\n"),
    );
    return new LocalRunner().ingest({ path, accuracy: "sizes" });
  };
  expect((await read(9000)).summary.messages.assistant).toBe(1);
  await expect(read(13_000)).rejects.toThrow(
    "masked.jsonl comes to more than 2,147,483,647 tokens, the most that is counted.",
  );
});
