import { describe, expect, it } from "vitest";
import type { SessionPage } from "@/lib/queries/contract/types";
import { fetchAllSessions } from "./all-sessions";
import { aPage, aRow } from "./testing/rows";
import { pollPause } from "./use-session-list";

function server(pages: Record<string, SessionPage>) {
  const asked: (string | undefined)[] = [];
  const fetchPage = async (cursor: string | undefined) => {
    asked.push(cursor);
    return pages[cursor ?? "first"] ?? aPage();
  };
  return { asked, fetchPage };
}

describe("fetchAllSessions", () => {
  it("follows the cursor, shows each page as it arrives, and lists a row that moved between pages once", async () => {
    const { asked, fetchPage } = server({
      first: aPage({ sessions: [aRow({ id: "a" }), aRow({ id: "b" })], nextCursor: "2" }),
      "2": aPage({ sessions: [aRow({ id: "b" }), aRow({ id: "c" })] }),
    });
    const parts: number[] = [];
    const all = await fetchAllSessions(fetchPage, (part) => parts.push(part.sessions.length));
    expect(asked).toEqual([undefined, "2"]);
    expect(parts).toEqual([2]);
    expect(all.sessions.map((row) => row.id)).toEqual(["a", "b", "c"]);
  });

  it("stops at a cursor that leads to itself", async () => {
    const { asked, fetchPage } = server({ first: aPage({ nextCursor: "x" }), x: aPage({ nextCursor: "x" }) });
    await fetchAllSessions(fetchPage);
    expect(asked).toEqual([undefined, "x"]);
  });
});

it("the list polls less often the longer it is", () => {
  expect(pollPause(4)).toBe(440);
  expect(pollPause(200)).toBe(1500);
  expect(pollPause(2000)).toBe(8000);
});
