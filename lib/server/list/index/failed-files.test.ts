import { expect, it } from "vitest";
import { DIALECTS_HERE, emptyDatabases } from "../../testing/databases";
import { emptySummary, listedRows } from "../../testing/listed-rows";
import { failedFiles } from "./failed-files";
import { IndexColumns } from "./index-columns";

for (const dialect of DIALECTS_HERE) {
  const emptyDatabase = emptyDatabases(dialect);

  it(`${dialect}: unreadable files are listed by source, with the reason`, async () => {
    const database = await emptyDatabase();
    await listedRows(database, [
      { id: "b", error: "b.jsonl is empty.", errorCode: "empty" },
      { id: "a", error: "a.jsonl may not be read.", errorCode: "no-permission" },
      { id: "c", source: "other", error: "c.jsonl is empty.", errorCode: "empty" },
      { id: "d", source: "unlisted", error: "d.jsonl is empty.", errorCode: "empty" },
      { id: "e", summary: emptySummary() },
      { id: "f", name: "package.json", error: "no session", errorCode: "unreadable" },
      { id: "g", source: "third", name: "data.json", error: "no session", errorCode: "unreadable" },
    ]);
    expect([...(await failedFiles(database, new IndexColumns(database), ["s", "other", "third"]))].sort()).toEqual([
      ["other", { failedTotal: 1, unlisted: 0, failed: [{ id: "c", name: "c.jsonl", reason: "empty" }] }],
      [
        "s",
        {
          failedTotal: 2,
          unlisted: 1,
          failed: [
            { id: "a", name: "a.jsonl", reason: "no-permission" },
            { id: "b", name: "b.jsonl", reason: "empty" },
          ],
        },
      ],
      ["third", { failedTotal: 0, unlisted: 1, failed: [] }],
    ]);
  });
}
