import fc from "fast-check";
import { expect, it } from "vitest";
import { GET as search } from "@/app/api/sessions/[id]/search/route";
import { searchAnswer } from "@/lib/api/contract";
import { runs } from "@/lib/core/testing/runs";
import { counters } from "../counters";
import { assistantLine, put, temporaryFolder, userLine } from "../testing/files";
import { ask } from "../testing/routes";
import { idOf, servedFolder } from "../testing/serving";
import { readTranscript } from "./read-transcript";
import { SourceFile } from "./source-file";
import { TextSearch } from "./text-search";

const folder = temporaryFolder();
const { mounted } = servedFolder();

/** A file whose items are these texts. */
function fileOf(texts: readonly string[]): string {
  const lines = texts.map((text, at) => {
    const [uuid, parent] = [`u${at}`, at === 0 ? null : `u${at - 1}`];
    return at % 2 === 0 ? userLine(text, uuid, parent) : assistantLine(text, uuid, parent ?? "");
  });
  return lines.join("\n");
}

/** What a search finds, as row and count, without the overhead's row. */
function found(search: TextSearch, path: string, query: string): (readonly [number, number])[] {
  const read = readTranscript(path);
  const { rows, counts } = SourceFile.use(path, (file) => search.find(path, { file, ...read }, query));
  return Array.from(rows, (row, at) => [row - 1, counts[at] ?? 0] as const);
}

it("counts every match in every text, whatever its case, and never across two texts", () => {
  const text = fc.stringMatching(/^[abAB中é ]{1,12}[ab]$/);
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 12 }),
      fc.stringMatching(/^[ab中é]{1,3}$/),
      (texts, query) => {
        const path = put(folder, "searched.jsonl", fileOf(texts));
        const wanted = texts.flatMap((one, row) => {
          const count = one.toLowerCase().split(query).length - 1;
          return count > 0 ? [[row, count] as const] : [];
        });
        expect(found(new TextSearch(), path, query)).toEqual(wanted);
      },
    ),
    { numRuns: runs(40) },
  );
});

it("reads the file for the first search alone", () => {
  const path = put(folder, "held.jsonl", fileOf(["A Needle in it", "none", "needle, needle"]));
  const search = new TextSearch();
  expect(found(search, path, "needle")).toEqual([
    [0, 1],
    [2, 2],
  ]);
  const before = counters.recordsLoaded;
  expect(found(search, path, "NONE")).toEqual([[1, 1]]);
  expect(counters.recordsLoaded).toBe(before);
});

it("answers the items and the number of all matches, and refuses what would be found everywhere", async () => {
  put(mounted, "asked.jsonl", fileOf(["A Needle in it", "none", "needle, needle"]));
  const id = await idOf("asked.jsonl");
  const answer = await ask(search, `/api/sessions/${id}/search?q=needle`, { id });
  expect(searchAnswer.parse(await answer.json())).toMatchObject({ total: 2, matches: 3, counts: [1, 2] });
  expect((await ask(search, `/api/sessions/${id}/search?q=n`, { id })).status).toBe(400);
});
