import { describe, expect, it } from "vitest";
import type { SessionRow, SessionSummary } from "@/lib/api/contract";
import { isHttpError } from "../http/http-error";
import type { CatalogEntry } from "./catalog";
import { isShown, listQuery, pageOf, projectsByFolder, rowOf } from "./session-list";

function row(id: string, change: Partial<SessionRow> = {}): SessionRow {
  return {
    id,
    source: "s",
    sample: false,
    upload: false,
    name: `${id}.jsonl`,
    agent: "codex",
    project: "/home/ada/shop",
    title: change.summary?.title ?? null,
    startedAt: change.summary?.startedAt ?? null,
    variant: null,
    bytes: 10,
    modifiedAt: "2026-01-01T00:00:00.000Z",
    summary: null,
    sparkline: null,
    error: null,
    errorCode: null,
    related: [],
    repeatedRequests: 0,
    ...change,
  };
}

const ids = (rows: readonly SessionRow[]) => rows.map((each) => each.id).join("");
const page = (rows: readonly SessionRow[], query: Record<string, string>) => pageOf(rows, listQuery.parse(query));

describe("pages", () => {
  const rows = [..."abcdefg"].map((id, at) =>
    row(id, { bytes: at % 3, modifiedAt: `2026-01-0${1 + (at % 2)}T00:00:00.000Z` }),
  );

  it.each(["-modified", "modified", "bytes", "-bytes", "title", "-peak"])(
    "by %s give every row once, in order",
    (sort) => {
      const whole = page(rows, { sort, limit: "100" });
      let walked = "";
      let cursor: string | null = "";
      while (cursor !== null) {
        const next = page(rows, { sort, limit: "2", ...(cursor === "" ? {} : { cursor }) });
        walked += ids(next.sessions);
        cursor = next.nextCursor;
      }
      expect(walked).toBe(ids(whole.sessions));
      expect([...walked].sort().join("")).toBe("abcdefg");
    },
  );

  it.each([
    ["-cost", "cab"],
    ["cost", "acb"],
  ])("sorted by %s end with what is not known", (sort, order) => {
    const of = (id: string, total: number | null) => {
      // A sort reads only the part of a summary that it sorts by.
      return row(id, { summary: { costUsd: { total } } as SessionSummary });
    };
    const priced = [of("a", 0.5), of("b", null), of("c", 7)];
    const first = page(priced, { sort, limit: "2" });
    expect(ids(first.sessions) + ids(page(priced, { sort, cursor: first.nextCursor ?? "" }).sessions)).toBe(order);
  });

  it("go on where they were when the row at the cursor has gone", () => {
    const first = page(rows, { sort: "title", limit: "2" });
    const rest = rows.filter((each) => each.id !== "b");
    expect(ids(page(rest, { sort: "title", cursor: first.nextCursor ?? "" }).sessions)).toBe("cdefg");
  });

  it.each([{ sort: "secret" }, { cursor: "!!!" }, { cursor: Buffer.from("[1,2,3]").toString("base64url") }])(
    "are refused for %o",
    (query) => {
      expect(() => page(rows, query)).toThrow(expect.toSatisfy(isHttpError));
    },
  );
});

describe("filters", () => {
  const rows = [
    row("a", { name: "Ｆｕｌｌ.jsonl" }),
    row("b", { agent: "claude-code", project: "/home/ada/会话" }),
    row("c", { project: null }),
  ];

  it("match every word in title, project or name, whatever its case and width", () => {
    expect(ids(page(rows, { q: "full" }).sessions)).toBe("a");
    expect(ids(page(rows, { q: "会话 B.JSONL" }).sessions)).toBe("b");
    expect(ids(page(rows, { q: "nowhere" }).sessions)).toBe("");
  });

  it("match agent and project exactly, and count only what matches", () => {
    expect(ids(page(rows, { agent: "codex", sort: "title" }).sessions)).toBe("ca");
    expect(page(rows, { project: "/home/ada/shop" })).toMatchObject({ total: 1, bytes: 10, nextCursor: null });
  });

  it("show a .json file only once it is known to be a session", () => {
    expect(isShown(row("a", { name: "package.json" }))).toBe(false);
    expect(isShown(row("a", { name: "page.har" }))).toBe(false);
    expect(isShown(row("a", { name: "upload.json", upload: true }))).toBe(true);
    expect(isShown(row("a"))).toBe(true);
  });
});

describe("what a row shows before its file was read whole", () => {
  const entry: CatalogEntry = {
    id: "i",
    source: "s",
    kind: "agent",
    agent: "claude-code",
    path: "/nowhere",
    name: "s.jsonl",
    version: { bytes: 5, mtimeMs: 0 },
    placed: { sessionId: "s", projectFolder: "-home-ada-shop", startedAt: 1000 },
  };
  const head = { agent: "claude-code", title: "Fix it", project: "/home/ada/shop", startedAt: 2000 };

  it("comes from its beginning", () => {
    expect(rowOf(entry, { indexed: undefined, head })).toMatchObject({
      title: "Fix it",
      project: "/home/ada/shop",
      startedAt: new Date(2000).toISOString(),
      summary: null,
    });
  });

  it("comes from its place where the beginning is not known yet; the project comes from another session of the same folder", () => {
    const other = { agent: "claude-code", project: "/home/ada/shop" } as SessionSummary; // The rest is not read.
    expect(rowOf(entry, { indexed: undefined, projectOf: projectsByFolder([other, null]) })).toMatchObject({
      title: null,
      project: "/home/ada/shop",
      startedAt: new Date(1000).toISOString(),
    });
    expect(rowOf(entry, { indexed: undefined }).project).toBe("-home-ada-shop");
  });

  it("resolves the digest of a path where any session names that path, and shows no digest otherwise", () => {
    const digest = "ff0a01d53d837e70275074a42c9709b53c538c1476884575978bc79bc4b8637a"; // printf /home/ada/shop | sha256sum
    const gemini = { ...entry, agent: "gemini-cli", placed: { projectFolder: digest } };
    const other = { agent: "codex", project: "/home/ada/shop" } as SessionSummary; // The rest is not read.
    const projectOf = projectsByFolder([other]);
    expect(rowOf(gemini, { indexed: undefined, projectOf }).project).toBe("/home/ada/shop");
    const read = { summary: { ...other, agent: "gemini-cli", project: null } as SessionSummary };
    const indexed = { ...read, sparkline: null, error: null };
    expect(rowOf(gemini, { indexed, projectOf }).project).toBe("/home/ada/shop");
    expect(rowOf(gemini, { indexed: undefined }).project).toBeNull();
    const marked = { ...gemini, placed: { ...gemini.placed, project: "/home/ada/garden" } };
    expect(rowOf(marked, { indexed: undefined, projectOf }).project).toBe("/home/ada/garden");
  });
});
