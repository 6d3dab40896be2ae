import { describe, expect, it } from "vitest";
import type { SessionRow, SessionSummary } from "@/lib/queries/contract/schemas";
import { isRefused } from "../base/refusal";
import type { IndexDatabase } from "../store/database/database";
import { DIALECTS_HERE, emptyDatabases } from "../testing/databases";
import { emptySummary, listedRows } from "../testing/listed-rows";
import { IndexColumns } from "./index/index-columns";
import { matching } from "./list-filter";
import { countOf, listQuery, pageOf } from "./list-query";

const LISTED = { sources: ["s"] };
const SORTS = [
  ...["modified", "title", "bytes", "started", "when", "project", "agent", "model"],
  ...["requests", "compactions", "peak", "peakShare", "sent", "cost", "notRead"],
];
const ids = (rows: readonly string[]) => rows.map((row) => JSON.parse(row).id).join("");

for (const dialect of DIALECTS_HERE) {
  const emptyDatabase = emptyDatabases(dialect);
  const filled = async (rows: readonly (Partial<SessionRow> & { id: string; text?: string })[]) => {
    const database = await emptyDatabase();
    await listedRows(database, rows);
    return database;
  };
  const page = async (database: IndexDatabase, query: Record<string, unknown>) => {
    const asked = listQuery.parse(query);
    const columns = new IndexColumns(database);
    const { rows, nextCursor } = await pageOf(database, columns, await matching(columns, LISTED, asked), asked);
    return { shown: ids(rows), nextCursor };
  };

  describe(`${dialect}: pages`, () => {
    const rows = [..."abcdefg"].map((id, at) => ({
      id,
      bytes: at % 3,
      modifiedAt: `2026-01-0${1 + (at % 2)}T00:00:00.000Z`,
    }));

    it("contain every row once, sorted by any key", async () => {
      const database = await filled(rows);
      for (const sort of [...SORTS, ...SORTS.map((key) => `-${key}`)]) {
        const whole = await page(database, { sort, limit: "100" });
        let walked = "";
        let cursor: string | null = "";
        while (cursor !== null) {
          const next: Awaited<ReturnType<typeof page>> = await page(database, {
            sort,
            limit: "2",
            ...(cursor === "" ? {} : { cursor }),
          });
          walked += next.shown;
          cursor = next.nextCursor;
        }
        expect([sort, walked]).toEqual([sort, whole.shown]);
        expect([...walked].sort().join("")).toBe("abcdefg");
      }
    });

    it.each(SORTS.filter((key) => !["modified", "title", "bytes", "when"].includes(key)))(
      "sorted by %s have unknown values last, in both directions",
      async (sort) => {
        const known = (id: string, agent: string, share: number) => ({
          id,
          agent,
          project: `/srv/${agent}`,
          startedAt: `2026-01-0${share}T00:00:00.000Z`,
          summary: {
            ...emptySummary(),
            agent,
            models: [agent],
            requests: share,
            peakContext: { tokens: share, request: 0 },
            compactions: Array(share).fill({}),
            usage: { ...emptySummary().usage, input: share },
            records: { ...emptySummary().records, damagedTotal: share },
            costUsd: { total: share },
          } as SessionSummary, // A list reads only these metrics.
        });
        const unknown = { id: "b", agent: null, project: null };
        const database = await filled([known("a", "codex", 1), unknown, known("c", "pi", 7)]);
        for (const [direction, order] of [
          ["", "acb"],
          ["-", "cab"],
        ]) {
          const first = await page(database, { sort: `${direction}${sort}`, limit: "2" });
          const rest = await page(database, { sort: `${direction}${sort}`, cursor: first.nextCursor ?? "" });
          expect(first.shown + rest.shown).toBe(order);
        }
      },
    );

    it("sort sessions by their end, projects by their folders, and agents by their names", async () => {
      const database = await filled([
        { id: "a", title: "Step 10", project: "/x/zoo", agent: "openclaw", modifiedAt: "2026-01-02T00:00:00.000Z" },
        {
          id: "b",
          title: "step 9",
          project: "/z/api",
          agent: "claude-code",
          modifiedAt: "2026-01-09T00:00:00.000Z",
          summary: {
            ...emptySummary(),
            messages: { ...emptySummary().messages, user: 1 },
            endedAt: "2026-01-01T00:00:00.000Z",
          },
        },
        {
          id: "c",
          title: null,
          name: "Éa",
          project: "/y/Big",
          agent: "gemini-cli",
          modifiedAt: "2026-01-03T00:00:00.000Z",
        },
      ]);
      const shown = async (sort: string) => (await page(database, { sort })).shown;
      expect(await shown("title")).toBe("cba");
      expect(await shown("when")).toBe("bac");
      expect(await shown("project")).toBe("bca");
      expect(await shown("agent")).toBe("bca");
    });

    it("continue after the cursor's position even if the cursor's row has vanished", async () => {
      const database = await filled(rows);
      const first = await page(database, { sort: "title", limit: "2" });
      await database.write([database.query.deleteFrom("sessions").where("id", "=", "b")]);
      expect((await page(database, { sort: "title", cursor: first.nextCursor ?? "" })).shown).toBe("cdefg");
    });

    it("are refused for an invalid sort, cursor or condition", async () => {
      const database = await filled([]);
      for (const query of [
        { sort: "secret" },
        { cursor: "!!!" },
        { cursor: Buffer.from("[1,2,3]").toString("base64url") },
        ...["secret=1", "cost", "cost>", "cost>much", "model>a", "; drop table sessions"].map((one) => ({
          where: [one],
        })),
      ]) {
        await expect(page(database, query)).rejects.toSatisfy(isRefused);
      }
    });
  });

  describe(`${dialect}: filters`, () => {
    const summary = (changes: Partial<SessionSummary>) => ({ ...emptySummary(), ...changes });
    const rows = [
      { id: "a", name: "Ｆｕｌｌ.jsonl", text: "Why is the cache cold?\nsrc/index.ts", bytes: 1 },
      {
        id: "b",
        agent: "claude-code",
        project: "/home/ada/会话",
        summary: summary({ models: ["opus", "haiku"], requests: 3 }),
      },
      { id: "c", project: null, summary: summary({ models: ["haiku"], requests: 9 }), text: "请重构数据库" },
    ];
    const sorted = { sort: "title" };

    it("find every word in titles, projects, names, agents, models, prompts and paths, in any case and width", async () => {
      const database = await filled(rows);
      const found = async (q: string) => (await page(database, { q, ...sorted })).shown;
      expect(await found("full")).toBe("a");
      expect(await found("会话 B.JSONL")).toBe("b");
      expect(await found("数据库")).toBe("c");
      expect(await found("重构")).toBe("c");
      expect(await found("CACHE index.TS")).toBe("a");
      expect(await found("cache nowhere")).toBe("");
      expect(await found("claude haiku")).toBe("b");
      expect(await found("Claude Code")).toBe("b");
      expect(await found('"')).toBe("");
    });

    it("match agent and project exactly, and count only matches", async () => {
      const database = await filled(rows);
      expect((await page(database, { agent: "codex", ...sorted })).shown).toBe("ca");
      const columns = new IndexColumns(database);
      const counts = async (query: object) => countOf(columns, await matching(columns, LISTED, listQuery.parse(query)));
      expect(await counts({ project: "/home/ada/shop" })).toEqual({ total: 1, bytes: 1 });
      expect(await counts({ q: "nowhere" })).toEqual({ total: 0, bytes: 0 });
    });

    it.each([
      [["agent=claude-code"], "b"],
      [["agent=claude-code", "agent=codex", "requests>=3"], "bc"],
      [["agent!=codex"], "b"],
      [["project="], "c"],
      [["requests="], "a"],
      [["requests>3"], "c"],
      [["requests>2", "requests<9"], "b"],
      [["model=opus", "model=nobody"], "b"],
      [["session=a", "session=c", "session=nobody"], "ac"],
      [["session=a", "agent=claude-code"], ""],
      [["model!=opus"], "ac"],
      [["model="], "a"],
      [["state=unread"], "a"],
      [["state!=failed"], "abc"],
      [["cost=", "state=read"], "bc"],
      [["faulty=0"], "bc"],
      [["faulty="], "a"],
      [["compacted=0"], "bc"],
      [["gone=1"], ""],
    ])("apply the conditions %o", async (where, shown) => {
      const database = await filled(rows);
      expect([...(await page(database, { where, ...sorted })).shown].sort().join("")).toBe(shown);
    });

    it("put sessions without messages last, in both directions", async () => {
      const messages = { ...emptySummary().messages, user: 1, assistant: 1 };
      const database = await filled([
        { id: "a", summary: summary({ requests: 0, endedAt: "2026-03-01T00:00:00.000Z" }) },
        { id: "b", summary: summary({ requests: 0, messages, endedAt: "2026-02-01T00:00:00.000Z" }) },
        { id: "c", summary: summary({ requests: 2, messages, endedAt: "2026-01-01T00:00:00.000Z" }) },
      ]);
      expect((await page(database, { sort: "-when" })).shown).toBe("bca");
      expect((await page(database, { sort: "when" })).shown).toBe("cba");
    });

    it("compare the peak context's share of the window", async () => {
      const peak = (tokens: number) =>
        summary({ contextWindow: { tokens: 100_000, source: "user" }, peakContext: { tokens, request: 0 } });
      const database = await filled([
        { id: "a", summary: peak(90_000) },
        { id: "b", summary: peak(20_000) },
        { id: "c", summary: summary({ peakContext: null }) },
      ]);
      const found = async (where: string) => [...(await page(database, { where: [where] })).shown].sort().join("");
      expect([await found("fill>=0.85"), await found("fill<0.85"), await found("fill=")]).toEqual(["a", "b", "c"]);
    });

    it("distinguish unreadable files from files with oddities", async () => {
      const damaged = { ...emptySummary().records, damagedTotal: 1 };
      const odd = [{ code: "odd", line: 1, detail: null, count: 2 }];
      const database = await filled([
        { id: "a", error: "a.jsonl is empty.", errorCode: "empty" },
        { id: "b", summary: summary({ records: damaged }) },
        { id: "c", summary: summary({ problems: odd }) },
        { id: "d", summary: summary({}) },
        { id: "e" },
      ]);
      const found = async (...where: string[]) => [...(await page(database, { where })).shown].sort().join("");
      expect([await found("state=failed"), await found("faulty=1"), await found("faulty=0")]).toEqual([
        "a",
        "abc",
        "d",
      ]);
    });

    it("show samples on request although there are other sessions", async () => {
      const database = await filled([{ id: "a" }, { id: "b", sample: true }]);
      expect((await page(database, { where: ["sample=1"] })).shown).toBe("b");
      expect((await page(database, { where: ["session=b"] })).shown).toBe("b");
    });

    it("keep samples in the list if the only other file could not be read", async () => {
      const database = await filled([
        { id: "a", error: "Not a transcript." },
        { id: "b", sample: true },
      ]);
      expect([...(await page(database, {})).shown].sort().join("")).toBe("ab");
      const other = await filled([{ id: "a", error: "Not a transcript." }, { id: "b", sample: true }, { id: "c" }]);
      expect([...(await page(other, {})).shown].sort().join("")).toBe("ac");
    });

    it("leave out other sources, samples, vanished files and files that are not sessions", async () => {
      const database = await filled([
        { id: "a" },
        { id: "b", source: "elsewhere" },
        { id: "c", sample: true },
        { id: "d", name: "package.json" },
        { id: "e" },
      ]);
      await database.write([database.query.updateTable("sessions").set({ gone: 1 }).where("id", "=", "e")]);
      expect((await page(database, {})).shown).toBe("a");
      expect((await page(database, { where: ["gone=1"] })).shown).toBe("e");
    });
  });
}
