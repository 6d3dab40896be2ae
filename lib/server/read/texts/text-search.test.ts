import { copyFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ITEM_WORDS } from "@/lib/core/columns/item-filter";
import { runs } from "@/lib/core/testing/runs";
import { searchAnswer } from "@/lib/queries/contract/schemas";
import { counters } from "../../base/counters";
import { assistantLine, put, temporaryFolder, userLine } from "../../testing/files";
import { ask, routeOf } from "../../testing/routes";
import { idOf, servedFolder } from "../../testing/serving";
import { readTranscript } from "../read-transcript";
import { SourceFile } from "../source-file";
import { TextSearch } from "./text-search";

const search = routeOf("GET", "/api/sessions/{id}/search");

const SAMPLE = "claude-code-duplicate-shipments.jsonl";
const folder = temporaryFolder();
const { mounted } = servedFolder();
copyFileSync(join("public", "samples", SAMPLE), join(mounted, SAMPLE));

/** A file whose items are these texts. */
function fileOf(texts: readonly string[]): string {
  const lines = texts.map((text, at) => {
    const [uuid, parent] = [`u${at}`, at === 0 ? null : `u${at - 1}`];
    return at % 2 === 0 ? userLine(text, uuid, parent) : assistantLine(text, uuid, parent ?? "");
  });
  return lines.join("\n");
}

/** Results of a search as row and count, without the overhead's row. */
function found(search: TextSearch, path: string, query: string): (readonly [number, number])[] {
  const read = readTranscript(path);
  const { rows, counts } = SourceFile.use(path, (file) => search.find(path, { file, ...read }, query));
  return Array.from(rows, (row, at) => [row - 1, counts[at] ?? 0] as const);
}

it("the search counts every match within a text, ignoring case, but none across two texts", () => {
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

it("only the first search reads the file", () => {
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

it("the search returns items and the number of matches, and refuses a text found everywhere", async () => {
  put(mounted, "asked.jsonl", fileOf(["A Needle in it", "none", "needle, needle"]));
  const id = await idOf("asked.jsonl");
  const answer = await ask(search, `/api/sessions/${id}/search?q=needle`, { id });
  expect(searchAnswer.parse(await answer.json())).toMatchObject({ total: 2, matches: 3, counts: [1, 2] });
  expect((await ask(search, `/api/sessions/${id}/search?q=n`, { id })).status).toBe(400);
});

it("the search can be limited to kinds of items; without a text it counts the items of a filter", async () => {
  const id = await idOf(SAMPLE);
  const totals = async (query: string) => {
    const answer = await ask(search, `/api/sessions/${id}/search?${query}`, { id });
    return searchAnswer.parse(await answer.json());
  };
  const calls = await totals("kind=call");
  const ofTool = await totals("kind=call&tool=Bash");
  expect(ofTool.total).toBeGreaterThan(0);
  expect(calls.items).toEqual(expect.arrayContaining(ofTool.items));
  expect((await totals("tool=Bash")).total).toBeGreaterThan(ofTool.total);
  // For every filter, items in a context and items outside it are all items; a search for a text matches a part of them.
  for (const request of ["", "&request=3"]) {
    const [inside, outside] = [await totals(`context=in${request}`), await totals(`context=out${request}`)];
    expect(Math.min(inside.total, outside.total)).toBeGreaterThan(0);
    const kinds = await Promise.all(ITEM_WORDS.map((word) => totals(`kind=${word}&context=in${request}`)));
    expect(kinds.reduce((sum, { total }) => sum + total, 0)).toBe(inside.total);
    const both = await totals(`q=the&context=in${request}`);
    expect(both.total + (await totals(`q=the&context=out${request}`)).total).toBe((await totals("q=the")).total);
    expect(inside.items).toEqual(expect.arrayContaining(both.items));
  }
  const files = await totals("file=SRC/");
  expect(files.total).toBeGreaterThan(0);
  expect((await totals("file=src/&q=import")).total).toBeLessThanOrEqual(files.total);
  for (const query of ["", "request=3", "kind=nonsense"]) {
    expect((await ask(search, `/api/sessions/${id}/search?${query}`, { id })).status).toBe(400);
  }
});
