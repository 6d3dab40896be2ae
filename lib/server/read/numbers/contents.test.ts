import { expect, test } from "vitest";
import { CONTENT_MEASURE } from "@/lib/core/columns/content";
import { OpenedSession } from "../../sessions/opened-session";
import { shownItems } from "../../testing/items";
import { LocalRunner } from "../../threads/local-runner";

test("equal texts share a number, different texts differ, and an item without text has 0", async () => {
  const path = "public/samples/claude-code-duplicate-shipments.jsonl";
  const runner = new LocalRunner();
  const session = new OpenedSession(path, await runner.ingest({ path }), runner);
  const { measures } = await session.columnsFor(["contents"]);
  const content = measures[CONTENT_MEASURE] ?? new Int32Array();
  const texts = shownItems(await session.items({ from: 0, to: session.columns.length, maxChars: 1e9 }));
  await runner.close();
  const numbers = new Map<string, number>();
  for (const { index, text, kind } of texts) {
    // An image's payload is a content, but not a text that is shown.
    if (kind === "overhead" || kind === "image") continue;
    if (text.trim() === "") expect(content[index], `item ${index}`).toBe(0);
    else expect(content[index], `item ${index}`).toBe(numbers.get(text) ?? content[index]);
    if (text.trim() !== "") numbers.set(text, content[index] ?? 0);
  }
  expect(new Set(numbers.values()).size).toBe(numbers.size);
  expect(numbers.size).toBeGreaterThan(50);
  expect(numbers.size).toBeLessThan(session.columns.length - session.columns.overheadRows);
});
