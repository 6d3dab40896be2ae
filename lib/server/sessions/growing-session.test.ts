import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { decodeColumns } from "@/lib/core/columns/codec";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { decodeDelta, isDelta, withDelta } from "@/lib/core/columns/delta";
import { tokenColumn } from "@/lib/core/columns/token-columns";
import { VERSION_HEADER } from "@/lib/queries/contract/routes";
import { itemsAnswer, sessionAnswer } from "@/lib/queries/contract/schemas";
import { type Counters, counters, workSince } from "../base/counters";
import { assistantLine, put, userLine } from "../testing/files";
import { ask, routeOf } from "../testing/routes";
import { idOf, listedSessions, servedFolder } from "../testing/serving";
import { LocalRunner } from "../threads/local-runner";

const columns = routeOf("GET", "/api/sessions/{id}/columns");
const items = routeOf("GET", "/api/sessions/{id}/items");
const session = routeOf("GET", "/api/sessions/{id}");

const { mounted } = servedFolder();
const FILE = "growing.jsonl";
let id = "";
const WANTED = "tokens=own,o200k&measures=contents";

/** Questions and answers in turn, from a number on. */
const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => {
    const [uuid, parent] = [`n${from + at}`, `n${from + at - 1}`];
    return (from + at) % 2 === 0
      ? userLine(`Question ${from + at}?`, uuid, from + at === 0 ? null : parent)
      : assistantLine(`Answer ${from + at}.`, uuid, parent);
  })
    .map((line) => `${line}\n`)
    .join("");

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());
const versionOf = (response: Response) => response.headers.get(VERSION_HEADER) ?? "";
const grow = (from: number, count: number) => appendFileSync(join(mounted, FILE), lines(from, count));

/** The tokens of every row, counted without knowledge of the earlier file. */
async function countedAnew(estimator: string): Promise<Int32Array> {
  const runner = new LocalRunner();
  const path = join(mounted, FILE);
  const { version, columns: encoded } = await runner.ingest({ path });
  return tokenColumn(decodeColumns(encoded), await runner.count({ path, version, estimator }));
}

/** The work of this process and its threads while something is done. */
async function workOf(work: () => Promise<void>): Promise<Counters> {
  const before = { ...counters };
  await work();
  return workSince(before);
}

it("a growing session is read and counted incrementally, and only new rows are sent", async () => {
  put(mounted, FILE, lines(0, 400));
  // After the list has read it, only these tests read anything.
  await vi.waitFor(async () => expect((await listedSessions())[0]?.summary).toMatchObject({ requests: 200 }), 60_000);
  id = await idOf(FILE);
  const first = await ask(columns, `/?${WANTED}`, { id });
  let [version, shown]: [string, SessionColumns] = [versionOf(first), decodeColumns(await bytesOf(first))];
  const whole = Number((await bytesOf(await ask(columns, `/?${WANTED}`, { id }))).length);

  for (const from of [400, 410]) {
    grow(from, 10);
    const work = await workOf(async () => {
      const answer = await ask(columns, `/?${WANTED}&since=${version}`, { id });
      const sent = await bytesOf(answer);
      expect(isDelta(sent)).toBe(true);
      expect(sent.length).toBeLessThan(whole / 4);
      shown = withDelta(shown, decodeDelta(sent));
      version = versionOf(answer);
    });
    expect(work).toMatchObject({ filesParsed: 0, tailsRead: 1, filesCounted: 0, tailsCounted: 3 });
    // Each of the ten records once for each of the three columns that need its text.
    expect(work.recordsLoaded).toBe(30);
  }
  expect(shown.tokens.o200k).toEqual(await countedAnew("o200k"));
  expect(shown).toEqual(decodeColumns(await bytesOf(await ask(columns, `/?${WANTED}`, { id }))));

  const unchanged = await ask(columns, `/?${WANTED}&since=${version}`, { id });
  expect([unchanged.status, versionOf(unchanged)]).toEqual([204, version]);

  const asked = await workOf(async () => {
    const answer = sessionAnswer.parse(await (await ask(session, `/?at=${version}`, { id })).json());
    expect([answer.version, answer.summary.requests]).toEqual([version, 210]);
  });
  expect(asked).toMatchObject({ filesParsed: 0, tailsRead: 0, filesCounted: 0, tailsCounted: 0 });
});

it("a version in use stays available while the file grows; after it is dropped, all rows are sent", async () => {
  const shown = await ask(columns, "/?tokens=own", { id });
  const version = versionOf(shown);
  const rows = decodeColumns(await bytesOf(shown)).length;
  grow(420, 2);
  const asked = await workOf(async () => {
    const texts = itemsAnswer.parse(await (await ask(items, `/?from=0&to=500&at=${version}`, { id })).json());
    expect([texts.items.length, texts.items.at(-1)?.text]).toEqual([rows, "Answer 419."]);
  });
  expect(asked.tailsRead).toBe(0);
  for (let more = 0; more < 5; more++) {
    grow(422 + 2 * more, 2);
    await ask(columns, "/", { id });
  }
  const late = await bytesOf(await ask(columns, `/?tokens=own&since=${version}`, { id }));
  expect(isDelta(late)).toBe(false);
  expect(decodeColumns(late).length).toBe(rows + 12);
});
