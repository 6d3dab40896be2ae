import { readFileSync, statSync, utimesSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeColumns } from "@/lib/core/columns/codec";
import { ownEstimator } from "@/lib/queries/accuracy/own-estimator";
import { counters, workSince } from "../base/counters";
import type { CatalogEntry } from "../list/files/entries";
import { assistantLine, fixtureFiles, put, temporaryFolder, userLine } from "../testing/files";
import { LocalRunner } from "../threads/local-runner";
import type { Answer, Input, TaskName } from "../threads/tasks";
import { SessionStore } from "./session-store";

const folder = temporaryFolder();
const path = put(folder, "two.jsonl", [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")].join("\n"));
const entry: CatalogEntry = {
  id: "two",
  source: "folder",
  kind: "folder",
  agent: null,
  path,
  name: "two.jsonl",
  placed: {},
  version: { bytes: 1, mtimeMs: 1 },
};

/** A runner that records its requests, and never answers while it is stuck. */
class RecordingRunner extends LocalRunner {
  readonly requests: string[] = [];
  stuck = false;

  override run<Name extends TaskName>(name: Name, input: Input<Name>): Promise<Answer<Name>> {
    this.requests.push("estimator" in input ? `${name} ${input.estimator}` : name);
    return this.stuck ? new Promise(() => undefined) : super.run(name, input);
  }
}

function store() {
  const runners = { asked: new RecordingRunner(), background: new RecordingRunner() };
  return { ...runners, store: new SessionStore(runners) };
}

describe("a session requested just before it is read in the background", () => {
  it("is read at once, and once for all callers", async () => {
    const { asked, background, store: sessions } = store();
    background.stuck = true;
    void sessions.open(entry, "background");
    const [first, second] = await Promise.all([sessions.open(entry), sessions.open(entry)]);
    expect(second).toBe(first);
    expect([asked.requests, background.requests]).toEqual([["ingest"], ["ingest"]]);
    // From now on the background runner has the session too.
    expect((await sessions.open(entry, "background")).columns).toBe(first?.columns);
  });

  it("is taken from the background reading if that ends first", async () => {
    const { asked, store: sessions } = store();
    asked.stuck = true;
    const reading = sessions.open(entry, "background");
    expect((await sessions.open(entry)).columns).toBe((await reading).columns);
  });
});

describe("a session opened to search its texts", () => {
  const [long] = fixtureFiles(/compact.*\.jsonl$/);

  it("is read without counting tokens or list facts, and yields all numbers later", async () => {
    const readResult: unknown[] = [];
    const runner = new LocalRunner();
    const runners = { asked: runner, background: runner };
    const sessions = new SessionStore(runners, (_, { facts }) => readResult.push(facts));
    const before = { ...counters };
    const session = await sessions.open(entryAtRest(long ?? path), "asked", false);
    expect(readResult).toEqual([undefined]);
    expect(workSince(before).filesCounted).toBe(0);
    expect((await session.search("the")).total).toBeGreaterThan(0);

    const later = { ...counters };
    const whole = await new SessionStore(runners).open(entryAtRest(long ?? path));
    expect(workSince(later).filesCounted).toBeGreaterThan(0);
    const estimator = ownEstimator(whole.summary);
    expect(await session.tokens(estimator)).toEqual(await whole.tokens(estimator));
    expect(session.summary).toEqual(whole.summary);
  });
});

/** A copy of a file that was last written a day ago: a file that may still grow is counted by several passes, each of which continues it. */
const entryAtRest = (file: string): CatalogEntry => {
  const copy = put(folder, `at-rest-${basename(file)}`, readFileSync(file));
  const dayAgo = new Date(Date.now() - 86_400_000);
  utimesSync(copy, dayAgo, dayAgo);
  const { size: bytes, mtimeMs } = statSync(copy);
  return { ...entry, path: copy, version: { bytes, mtimeMs } };
};

it.each([path, ...fixtureFiles(/compact.*\.jsonl$/)])(
  "the store reads, counts and encodes each version once: %s",
  async (file) => {
    const before = { ...counters };
    const { asked, store: sessions } = store();
    const found = [entryAtRest(file), { estimators: ["own"], policies: [] }, "identity"] as const;
    const [session, bytes] = await Promise.all([sessions.open(found[0]), sessions.columns(...found)]);
    const { filesParsed, filesCounted, columnsEncoded } = workSince(before);
    expect([asked.requests, filesParsed, columnsEncoded]).toEqual([["ingest"], 1, 1]);
    // Rules that need only sizes count nothing.
    expect(filesCounted).toBeLessThanOrEqual(1);
    const own = ownEstimator(session.summary);
    const { tokens } = decodeColumns(bytes);
    expect(Object.keys(tokens)).toEqual([own]);
    expect(tokens[own]).toEqual(await session.tokens(own));
  },
);

it("tokens counted at one priority are not counted again at the other; each has its own threads", async () => {
  const { asked, background, store: sessions } = store();
  const session = await sessions.open(entry);
  const tokens = await session.tokens("o200k");
  const inBackground = await sessions.open(entry, "background");
  expect(await inBackground.tokens("o200k")).toBe(tokens);
  expect(await session.tokens("cl100k")).toBe(await inBackground.tokens("cl100k"));
  await inBackground.tokens("codex");
  expect(asked.requests).toEqual(["ingest", "count o200k", "count cl100k"]);
  expect(background.requests).toEqual(["count codex"]);
});
