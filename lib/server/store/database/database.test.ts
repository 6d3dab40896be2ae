import { sql } from "kysely";
import { expect, it } from "vitest";
import { DIALECTS_HERE, emptyDatabases } from "../../testing/databases";
import { shortWordsOf } from "./short-words";
import { TABLES_VERSION } from "./tables";

for (const dialect of DIALECTS_HERE) {
  const emptyDatabase = emptyDatabases(dialect);
  const texts = ["重新命名模块 100%_done", "会话列表 rename", '"quoted" it\'s', "plain"];

  it(`${dialect}: a word of any language and length is found, and wildcards are literal`, async () => {
    const database = await emptyDatabase();
    const { query } = database;
    await database.write(
      texts.flatMap((text, at) => [
        query.insertInto("search").values({ rowid: at + 1, text }),
        query.insertInto("short_words").values({ rowid: at + 1, words: shortWordsOf(text) }),
      ]),
    );
    const found = async (word: string) => (await database.found(word)).sort();
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
    expect(await database.found("nam", [1, 3])).toEqual([]);
    expect(await database.found("nam", [2, 3])).toEqual([2]);
  });

  it.runIf(dialect === "postgres")(
    `${dialect}: a text of almost a page is stored in its row, not in the TOAST table`,
    async () => {
      const database = await emptyDatabase();
      const text = Array.from({ length: 900 }, (_, word) => Math.imul(word, 0x9e3779b1))
        .join("")
        .slice(0, 7000);
      await database.write([database.query.insertInto("search").values({ rowid: 1, text })]);
      const beside = sql`select pg_relation_size(reltoastrelid) as bytes from pg_class where relname = 'search'`;
      expect((await beside.execute(database.query)).rows).toEqual([{ bytes: 0 }]);
    },
  );

  it(`${dialect}: texts are stored as valid UTF-8 without zero characters`, async () => {
    const database = await emptyDatabase();
    await database.write([database.query.insertInto("search").values({ rowid: 1, text: "a\ud800b\0c😀" })]);
    expect(await database.query.selectFrom("search").select("text").execute()).toEqual([{ text: "a\ufffdbc😀" }]);
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

  it(`${dialect}: tables are made once, and those of a later release are refused`, async () => {
    const database = await emptyDatabase();
    await database.write([database.query.insertInto("search").values({ rowid: 1, text: "kept" })]);
    await database.makeTables();
    expect(await database.query.selectFrom("search").selectAll().execute()).toMatchObject([{ text: "kept" }]);
    const later = { value: String(TABLES_VERSION + 1) };
    await database.write([database.query.updateTable("meta").set(later).where("key", "=", "version")]);
    await expect(database.makeTables()).rejects.toThrow("later release");
  });

  it(`${dialect}: tables of an earlier release are rebuilt`, async () => {
    const database = await emptyDatabase();
    const { query } = database;
    const earlier = [
      "drop table sessions",
      "create table sessions (number integer primary key, title text)",
      "insert into sessions (number, title) values (1, 'listed')",
      "create table session_rows (id text primary key)",
      "delete from meta",
      "insert into meta (key, value) values ('version', '9')",
    ];
    for (const statement of earlier) await sql.raw(statement).execute(query);
    await database.makeTables();
    expect(await query.selectFrom("sessions").select(["id", "figures"]).execute()).toEqual([]);
    await expect(sql`select * from session_rows`.execute(query)).rejects.toThrow();
  });

  it(`${dialect}: numbers are returned as numbers, and a sum over no rows as null`, async () => {
    const database = await emptyDatabase();
    const { query } = database;
    const change = (number: number, revision: number) => ({ number, revision });
    await database.write([query.insertInto("session_changes").values([change(1, 5_000_000_000), change(2, 2)])]);
    const sums = query
      .selectFrom("session_changes")
      .select(({ fn }) => [fn.countAll<number>().as("rows"), fn.sum<number>("revision").as("sum")]);
    expect(await sums.executeTakeFirst()).toEqual({ rows: 2, sum: 5_000_000_002 });
    expect(await sums.where("number", "=", 3).executeTakeFirst()).toEqual({ rows: 0, sum: null });
  });
}
