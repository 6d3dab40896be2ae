import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { resumedEntries, sessionEntries } from "./index";

it("a resumed session loses the messages that its last compaction kept", () => {
  const text = readFileSync(new URL("./fixtures/compactions.jsonl", import.meta.url), "utf8");
  const resumed = resumedEntries(sessionEntries(text));
  expect(resumed.map((entry) => entry.message)).toEqual([
    { role: "user", content: "A boundary without summary was here." },
  ]);
});
