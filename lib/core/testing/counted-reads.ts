import type { CountedColumns } from "../columns/counted";

type Column = Int32Array | Float64Array | Uint8Array;

/** The same recording, with every read of a number counted. A method of a column counts as reading all of it. */
export function withCountedReads({ columns, tokens }: CountedColumns): {
  recording: CountedColumns;
  reads: () => number;
} {
  let reads = 0;
  const counted = <Values extends Column>(column: Values): Values =>
    new Proxy(column, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value === "function") reads += target.length;
        else reads += 1;
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  // Only values that are columns are replaced, each by one of its own type.
  const ofAll = <Table extends object>(table: Table): Table =>
    Object.fromEntries(
      Object.entries(table).map(([name, value]) => [
        name,
        ArrayBuffer.isView(value) ? counted(value as Column) : value,
      ]),
    ) as Table;
  const recording = {
    columns: { ...ofAll(columns), requests: ofAll(columns.requests) },
    tokens: counted(tokens),
  };
  return { recording, reads: () => reads };
}
