import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { POLICIES } from "@/lib/agents/registry";
import { encodeColumns } from "@/lib/core/columns/codec";
import { ownEstimator } from "@/lib/queries/accuracy/own-estimator";
import { counters } from "../base/counters";
import type { CatalogEntry } from "../list/files/entries";
import { hasMeasures } from "../read/numbers/measures";
import type { OpenedSession } from "../sessions/opened-session";
import { SessionStore } from "../sessions/session-store";
import { DiskCache } from "../store/disk-cache";
import { assistantLine, fixtureFiles, put, temporaryFolder, userLine } from "../testing/files";
import { shownItems } from "../testing/items";
import { CachedRunner } from "./cached-runner";
import { LocalRunner } from "./local-runner";

const base = temporaryFolder();
const LINES = [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")];
const LONG_AGO = 1_700_000_000;

/** A finished session's file. */
function settled(text: string | Uint8Array = LINES.join("\n")): string {
  const path = put(mkdtempSync(join(base, "sessions-")), "session.jsonl", text);
  utimesSync(path, LONG_AGO, LONG_AGO);
  return path;
}

function entryOf(path: string): CatalogEntry {
  const { size: bytes, mtimeMs } = statSync(path);
  const place = { id: "one", source: "folder", kind: "folder", agent: null, path, name: "session.jsonl", placed: {} };
  return { ...place, kind: "folder", version: { bytes, mtimeMs } };
}

/**
 * The answers to all queries of a session, as bytes, and the work that they took; the program is new each time, and its cache is complete before the next.
 */
async function opened(path: string, data: string, madeBy = "code") {
  const before = { ...counters };
  const cache = new DiskCache(data, 1e9);
  const runner = new CachedRunner(new LocalRunner(), cache, () => madeBy);
  const session = await new SessionStore({ asked: runner, background: runner }).open(entryOf(path));
  const answers = await answersOf(session);
  const { filesParsed, tailsRead, filesCounted, linesParsed } = counters;
  const work = filesParsed - before.filesParsed + tailsRead - before.tailsRead;
  await runner.close();
  const lines = linesParsed - before.linesParsed;
  return { session, answers, lines, work: [work, filesCounted - before.filesCounted] };
}

async function answersOf(session: OpenedSession) {
  const own = ownEstimator(session.summary);
  return {
    summary: session.summary,
    sparkline: session.sparkline,
    keys: session.requestKeys,
    columns: Buffer.from(encodeColumns(await session.columnsFor(["codex", "openclaw"]))).toString("hex"),
    tokens: [await session.tokens(own), await session.tokens("o200k")].map((column) => [...column]),
  };
}

const data = () => mkdtempSync(join(base, "data-"));

it.each(fixtureFiles(/(?:compact|session).*\.(?:jsonl|json)$/))(
  "a session that was opened once is neither read nor counted again: %s",
  async (fixture) => {
    const [path, place] = [settled(readFileSync(fixture)), data()];
    const first = await opened(path, place);
    const second = await opened(path, place);
    expect(first.work[0]).toBeGreaterThan(0);
    expect([...second.work, second.lines]).toEqual([0, 0, 0]);
    expect(second.answers).toEqual(first.answers);
  },
);

it("texts of a cached session are loaded from its file", async () => {
  const [path, place] = [settled(), data()];
  const { session: read } = await opened(path, place);
  const { session: kept } = await opened(path, place);
  const texts = async (session: OpenedSession) => shownItems(await session.items({ from: 0, to: 9, maxChars: 99 }));
  expect(await texts(kept)).toEqual(await texts(read));
  expect((await texts(kept)).map(({ text }) => text)).toContain("Two.");
});

it("a cached session takes as much memory as one read from its file", async () => {
  const [path, place] = [settled(), data()];
  const { session: read } = await opened(path, place);
  const { session: kept } = await opened(path, place);
  expect(kept.bytes).toBe(read.bytes);
});

it("a changed file, a replaced file of equal size and time, and new code cause a new read", async () => {
  const [path, place] = [settled(), data()];
  await opened(path, place);
  expect((await opened(path, place, "other code")).work[0]).toBe(1);
  appendFileSync(path, `\n${assistantLine("Three.", "a2", "a1")}`);
  utimesSync(path, LONG_AGO, LONG_AGO);
  const grown = await opened(path, place);
  expect([grown.work[0], grown.session.columns.length]).toEqual([1, 4]);
  renameSync(settled(readFileSync(path)), path);
  expect((await opened(path, place)).work[0]).toBe(1);
  expect((await opened(path, place)).work[0]).toBe(0);
});

it("a file that changed just now is not cached, since its time may not show the next change", async () => {
  const [path, place] = [settled(), data()];
  utimesSync(path, Date.now() / 1000, Date.now() / 1000);
  await opened(path, place);
  expect(readdirSync(place)).toEqual([]);
});

it("damaged cache files are replaced after reading and counting again", async () => {
  const [path, place] = [settled(), data()];
  const first = await opened(path, place);
  for (const name of readdirSync(place, { recursive: true, encoding: "utf8" })) {
    const file = join(place, name);
    if (statSync(file).isFile()) writeFileSync(file, "damaged");
  }
  const again = await opened(path, place);
  expect([again.work, again.answers]).toEqual([first.work, first.answers]);
  expect((await opened(path, place)).work).toEqual([0, 0]);
});

it("removing a file removes its cache entries", async () => {
  const [path, place] = [settled(), data()];
  await opened(path, place);
  await new CachedRunner(new LocalRunner(), new DiskCache(place, 1e9), () => "code").forget(path);
  expect(readdirSync(place)).toEqual([]);
});

it("a runner for a single query keeps the state that the file had first", async () => {
  const path = settled();
  const cache = new DiskCache(data(), 1e9);
  const task = { path, name: "session.jsonl" };
  const runner = (looksOnce: boolean) => new CachedRunner(new LocalRunner(), cache, () => "code", { looksOnce });
  const once = runner(true);
  const { version } = await once.ingest(task);
  await once.count({ path, version, estimator: "o200k" });
  await cache.settled();
  const { filesCounted } = counters;
  utimesSync(path, LONG_AGO + 1, LONG_AGO + 1);
  await once.count({ path, version, estimator: "o200k" });
  expect(counters.filesCounted).toBe(filesCounted);
  await runner(false).count({ path, version, estimator: "o200k" });
  expect(counters.filesCounted).toBe(filesCounted + 1);
});

it.each(fixtureFiles(/(?:compact|session).*\.(?:jsonl|json)$/))(
  "policies requested together are measured in one pass, with the same result as alone: %s",
  async (fixture) => {
    const path = settled(readFileSync(fixture));
    const names = [...POLICIES.map(({ id }) => id), "needs", "contents"].filter(hasMeasures);
    const local = new LocalRunner();
    const { version } = await local.ingest({ path, name: "session.jsonl" });
    const alone = await Promise.all(names.map((name) => local.measure({ path, version, policies: [name] })));
    const expected = Object.assign({}, ...alone);
    const cache = new DiskCache(data(), 1e9);
    const measured = async (policies: readonly string[]) => {
      const before = counters.filesCounted;
      const found = await new CachedRunner(local, cache, () => "code").measure({ path, version, policies });
      await cache.settled();
      return [found, counters.filesCounted - before];
    };
    const [first = ""] = names;
    expect(await measured([first])).toEqual([{ [first]: expected[first] }, 1]);
    expect(await measured(names)).toEqual([expected, 1]);
    expect(await measured(names)).toEqual([expected, 0]);
  },
);
