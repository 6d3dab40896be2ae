import { expect, it } from "vitest";
import { counters } from "../base/counters";
import { assistantLine, put, temporaryFolder, userLine } from "../testing/files";
import { LocalRunner } from "../threads/local-runner";
import { OpenedSession } from "./opened-session";

const folder = temporaryFolder();
const PATH = put(folder, "two.jsonl", [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")].join("\n"));

it("a thread that has not read the file loads texts of items without reading all of it", async () => {
  const answer = await new LocalRunner().ingest({ path: PATH });
  const elsewhere = new OpenedSession(PATH, answer, new LocalRunner());
  const before = { ...counters };
  await elsewhere.items({ from: 0, to: 3, maxChars: 100 });
  expect(counters.filesParsed - before.filesParsed).toBe(0);
  expect(counters.recordsLoaded - before.recordsLoaded).toBe(2);
});
