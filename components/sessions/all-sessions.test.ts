import { describe, expect, it } from "vitest";
import type { SessionPage } from "@/lib/api/types";
import { aPage, aRow } from "./testing/rows";
import { type AllSessions, fetchAllSessions, indexingSpeed, isIndexing, pollPause } from "./use-session-list";

function server(pages: Record<string, SessionPage>) {
  const asked: (string | undefined)[] = [];
  const fetchPage = async (cursor: string | undefined) => {
    asked.push(cursor);
    return pages[cursor ?? "first"] ?? aPage();
  };
  return { asked, fetchPage };
}

const load = (fetchPage: (cursor: string | undefined) => Promise<SessionPage>, previous?: AllSessions, at = 0) =>
  fetchAllSessions(
    fetchPage,
    previous,
    () => at,
    () => undefined,
  );

describe("fetchAllSessions", () => {
  it("follows the cursor, shows each part, and takes a row that moved between pages once", async () => {
    const { asked, fetchPage } = server({
      first: aPage({ sessions: [aRow({ id: "a" }), aRow({ id: "b" })], nextCursor: "2", total: 3, bytes: 7 }),
      "2": aPage({ sessions: [aRow({ id: "b" }), aRow({ id: "c" })], total: 3, bytes: 7 }),
    });
    const parts: number[] = [];
    const all = await fetchAllSessions(
      fetchPage,
      undefined,
      () => 0,
      (part) => parts.push(part.sessions.length),
    );
    expect(asked).toEqual([undefined, "2"]);
    expect(parts).toEqual([2]);
    expect(all.sessions.map((row) => row.id)).toEqual(["a", "b", "c"]);
    expect(all).toMatchObject({ total: 3, bytes: 7 });
  });

  it("stops where a cursor leads to itself", async () => {
    const { asked, fetchPage } = server({ first: aPage({ nextCursor: "x" }), x: aPage({ nextCursor: "x" }) });
    await load(fetchPage);
    expect(asked).toEqual([undefined, "x"]);
  });

  it("measures the speed from the first look of a run", async () => {
    const at = (done: number, total = 100) => server({ first: aPage({ indexing: { done, total } }) }).fetchPage;
    const first = await load(at(10), undefined, 1000);
    expect(indexingSpeed(first.indexing)).toBeNull();
    const second = await load(at(30), first, 3000);
    const third = await load(at(50), second, 5000);
    expect(indexingSpeed(third.indexing)).toEqual({ perSecond: 10, secondsLeft: 5 });

    const finished = await load(at(100), third, 9000);
    expect(isIndexing(finished.indexing)).toBe(false);
    const again = await load(at(100, 110), finished, 60_000);
    expect(again.indexing.from).toEqual({ done: 100, at: 60_000 });
  });
});

it("looks less often at longer lists", () => {
  expect(pollPause(4)).toBe(440);
  expect(pollPause(200)).toBe(1500);
  expect(pollPause(2000)).toBe(8000);
});
