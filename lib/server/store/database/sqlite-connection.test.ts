import { existsSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { builtProgram } from "../../testing/bundles";
import { temporaryFolder } from "../../testing/files";
import { IndexDatabase } from "./database";
import * as native from "./native-sqlite";
import { openIndex } from "./open";
import { nativeConnection, type SqliteConnection, SqliteFile, wasmConnection } from "./sqlite-file";

const root = builtProgram();
const base = temporaryFolder();
const path = () => join(mkdtempSync(join(base, "sqlite-")), "index.sqlite");

/** Runs work as if the native library were not installed. */
async function withoutNative<T>(work: () => Promise<T>): Promise<T> {
  const spy = vi.spyOn(native, "nativeSqlite").mockResolvedValue(undefined);
  try {
    return await work();
  } finally {
    spy.mockRestore();
  }
}

async function openNative(): Promise<SqliteConnection> {
  const library = await native.nativeSqlite();
  if (library === undefined) throw new Error("libsql is installed where tests run");
  return nativeConnection(library, path());
}

describe.each([
  ["the native library", openNative],
  ["WebAssembly", () => wasmConnection(path())],
])("a SQLite file opened by %s", (_, open) => {
  it("keeps texts, numbers, bytes and null, and finds any three characters", async () => {
    const file = await open();
    file.exec("create table t (id integer primary key, text text, number numeric, bytes blob)");
    const values = ["修复日报", 5_000_000_000.5, Buffer.from([0, 255]), null];
    file.rows({ sql: "insert into t (text, number, bytes) values (?, ?, ?)", parameters: values.slice(0, 3) });
    file.rows({ sql: "insert into t (text) values (?)", parameters: [values[3]] });
    const [first, second] = file.rows({ sql: "select * from t order by id", parameters: [] });
    expect([first?.text, first?.number, Array.from(new Uint8Array(first?.bytes as ArrayBuffer))]).toEqual([
      ...values.slice(0, 2),
      [0, 255],
    ]);
    expect(second).toMatchObject({ text: null, number: null, bytes: null });

    file.exec("create virtual table search using fts5(text, tokenize = 'trigram case_sensitive 1')");
    file.rows({ sql: "insert into search (rowid, text) values (1, ?)", parameters: ["把报表修复日报差一天"] });
    const found = file.rows({ sql: "select rowid from search where search match ?", parameters: ['"复日报"'] });
    expect(found).toEqual([{ rowid: 1 }]);
    file.close();
  });

  it("reports whether it is in a transaction", async () => {
    const file = await open();
    expect(file.inTransaction).toBe(false);
    file.exec("begin immediate");
    expect(file.inTransaction).toBe(true);
    file.close();
  });
});

describe("the index without the native library", () => {
  it("has its tables, and rolls back a failed batch", async () => {
    const file = await withoutNative(() => SqliteFile.open(path()));
    const database = new IndexDatabase("sqlite", {
      run: async (all) => file.run(all),
      close: async () => file.close(),
    });
    await database.makeTables();
    const insert = { sql: "insert into search (rowid, text) values (1, 'kept')", parameters: [] };
    expect(() => file.run([insert, { sql: "insert into nowhere values (1)", parameters: [] }])).toThrow("nowhere");
    expect(file.run([{ sql: "select count(*) as n from search", parameters: [] }])).toEqual([{ n: 0 }]);
    await database.close();
  });

  it("is kept in memory only, which one sentence reports", async () => {
    const dataDir = join(base, "untouched");
    const { notes, close } = await withoutNative(() => openIndex({ root, dataDir }));
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/libsql.*not installed.*every start/);
    expect(existsSync(dataDir)).toBe(false);
    await close();
  });
});
