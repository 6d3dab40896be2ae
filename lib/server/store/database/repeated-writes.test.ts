import { expect, it } from "vitest";
import { DIALECTS_HERE, emptyDatabases } from "../../testing/databases";

for (const dialect of DIALECTS_HERE) {
  const emptyDatabase = emptyDatabases(dialect);

  it(`${dialect}: a prepared write gives the same statement as one built from its values`, async () => {
    const { query, repeated } = await emptyDatabase();
    let built = 0;
    const build = ({ id, row }: { readonly id: string; readonly row: string | null }) => {
      built += 1;
      return query
        .insertInto("session_links")
        .values({
          id,
          facts: row ?? "",
          exact: new Uint8Array(1),
          sizes: new Uint8Array(2),
          figures: new Uint8Array(3),
          is_new: 1,
        })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ facts: row ?? "none", is_new: 1 }));
    };
    const all = [
      { id: "a", row: "first" },
      { id: "b", row: "id" },
    ];
    const writes = all.map((values) => repeated.of("links", values, build));
    expect(built).toBe(1);
    expect(writes.map((write) => write.compile())).toEqual(
      all.map((values) => {
        const { sql, parameters } = build(values).compile();
        return { sql, parameters };
      }),
    );
  });
}
