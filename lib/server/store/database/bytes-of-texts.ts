import type { NativeSqlite } from "./native-sqlite";
import type { Row } from "./statement";

type Connection = InstanceType<NativeSqlite>;
type Values = readonly unknown[];

/** A prepared statement that returns rows. */
interface Select {
  all(values: Values): Row[];
  iterate(values: Values): Iterable<Row>;
}

/**
 * Prepares a SELECT whose texts are fetched as bytes and decoded here: the native library aborts the process at a text that is not valid UTF-8.
 * @param decoder decodes the texts; a fatal one throws a `TypeError` at invalid UTF-8
 */
export function preparedSelect(database: Connection, sql: string, decoder: TextDecoder): Select {
  const names = [
    ...new Set(
      database
        .prepare(sql)
        .columns()
        .map(({ name }) => name),
    ),
  ];
  const quoted = names.map((name) => `"${name.replaceAll('"', '""')}"`);
  const values = quoted.map((name) => `iif(typeof(${name}) = 'text', cast(${name} as blob), ${name})`);
  const areTexts = quoted.map((name) => `typeof(${name}) = 'text'`);
  const statement = database.prepare(`select ${[...values, ...areTexts].join(", ")} from (${sql})`).raw();
  const rowOf = (found: Values): Row =>
    Object.fromEntries(
      names.map((name, at) => {
        const value = found[at];
        const isText = found[names.length + at] === 1;
        return [name, isText ? decoder.decode(value as ArrayBuffer) : value]; // A text was cast to a blob.
      }),
    );
  return {
    all: (given) => (statement.all([...given]) as Values[]).map(rowOf), // Raw rows are lists of values.
    *iterate(given) {
      for (const found of statement.iterate([...given])) yield rowOf(found as Values); // Raw rows are lists of values.
    },
  };
}
