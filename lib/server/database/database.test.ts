import { sql } from "kysely";
import { expect, it } from "vitest";
import { DIALECTS_HERE, emptyDatabases } from "../testing/databases";
import { MIGRATIONS } from "./migrations";

for (const dialect of DIALECTS_HERE) {
  const emptyDatabase = emptyDatabases(dialect);
  const texts = ["重新命名模块 100%_done", "会话列表 rename", '"quoted" it\'s', "plain"];

  it(`${dialect}: a word is found in any language, short or long, and signs of patterns stand for themselves`, async () => {
    const database = await emptyDatabase();
    const { query } = database;
    await database.write(texts.map((text, at) => query.insertInto("search").values({ rowid: at + 1, text })));
    const found = async (word: string) => {
      const rows = await query
        .selectFrom("search")
        .select("rowid")
        .where("rowid", "in", database.found(word))
        .orderBy("rowid")
        .execute();
      return rows.map(({ rowid }) => rowid);
    };
    expect(await found("会话列")).toEqual([2]);
    expect(await found("命名")).toEqual([1]);
    expect(await found("nam")).toEqual([2]);
    expect(await found('"quoted"')).toEqual([3]);
    expect(await found("t's")).toEqual([3]);
    expect(await found("0%_d")).toEqual([1]);
    expect(await found("0%")).toEqual([1]);
    expect(await found("%n")).toEqual([]);
    expect(await found("a_n")).toEqual([]);
    expect(await found("p")).toEqual([4]);
  });

  it(`${dialect}: writes take effect together or not at all`, async () => {
    const database = await emptyDatabase();
    const insert = (key: string) => database.query.insertInto("meta").values({ key, value: "1" });
    await expect(database.write([insert("one"), insert("two"), insert("one")])).rejects.toThrow();
    const keys = database.query.selectFrom("meta").select("key").where("key", "in", ["one", "two"]);
    expect(await keys.execute()).toEqual([]);
    await database.write([insert("one"), insert("two")]);
    expect(await keys.execute()).toHaveLength(2);
  });

  it(`${dialect}: migrating again changes nothing, and tables of a later release are refused`, async () => {
    const database = await emptyDatabase();
    await database.write([database.query.insertInto("search").values({ rowid: 1, text: "kept" })]);
    await database.migrate();
    expect(await database.query.selectFrom("search").selectAll().execute()).toMatchObject([{ text: "kept" }]);
    const later = { value: String(MIGRATIONS.length + 1) };
    await database.write([database.query.updateTable("meta").set(later).where("key", "=", "version")]);
    await expect(database.migrate()).rejects.toThrow("later release");
  });

  it(`${dialect}: an index of the first release gets the columns of later ones, and keeps its rows`, async () => {
    const database = await emptyDatabase();
    const { query } = database;
    const later = [
      "fidelity",
      "checked",
      "state",
      "ended",
      "model",
      "peak_share",
      "compacted",
      "faulty",
      "needed",
      "needed_tokens",
    ];
    for (const column of later) await sql`alter table sessions drop column ${sql.ref(column)}`.execute(query);
    await sql`drop table session_scores`.execute(query);
    await sql`insert into sessions (id, source, sample, upload, shown, gone, modified, bytes, title, project_name, copy, repeated)
      values ('a', 's', 0, 0, 1, 0, 1, 1, 'kept', '', 0, 0)`.execute(query);
    await database.write([query.updateTable("meta").set({ value: "1" }).where("key", "=", "version")]);
    await database.migrate();
    const rows = await query
      .selectFrom("sessions")
      .select(["title", "fidelity", "checked", "state", "ended"])
      .execute();
    expect(rows).toEqual([{ title: "kept", fidelity: null, checked: null, state: "unread", ended: 1 }]);
    await database.migrate();
  });

  it(`${dialect}: numbers come back as numbers, and sums of nothing as null`, async () => {
    const database = await emptyDatabase();
    const { query } = database;
    await database.write([
      query.insertInto("session_breaks").values({ id: "a", cause: "idle", count: 5_000_000_000, tokens: 3, usd: 0.25 }),
      query.insertInto("session_breaks").values({ id: "b", cause: "idle", count: 2, tokens: 4, usd: null }),
    ]);
    const sums = await query
      .selectFrom("session_breaks")
      .select(({ fn }) => [
        fn.countAll<number>().as("rows"),
        fn.sum<number>("count").as("count"),
        fn.sum("usd").as("usd"),
      ])
      .executeTakeFirst();
    expect(sums).toEqual({ rows: 2, count: 5_000_000_002, usd: 0.25 });
    const none = query
      .selectFrom("session_breaks")
      .select(({ fn }) => fn.sum("usd").as("usd"))
      .where("id", "=", "b");
    expect(await none.executeTakeFirst()).toEqual({ usd: null });
  });
}
