import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KIND, type SessionColumns } from "../columns/columns";
import { drawColumns } from "../testing/draw";
import { runs } from "../testing/runs";
import { fetchedAgain, reuseCurve } from "./reuse";

/** Calls and their results: the file or command of each (−1 for none), and the size of the result. */
type Drawn = readonly { readonly object: number; readonly size: number; readonly isFile: boolean }[];

function drawn(calls: Drawn) {
  const columns = drawColumns(`u7 ${calls.map(({ size }) => `c3 r${size}`).join(" ")}`);
  const sizes = Int32Array.from(columns.bytes, (bytes) => bytes / 4);
  const file = columns.file.slice().fill(-1);
  const source = new Int32Array(columns.length).fill(-1);
  let at = 0;
  for (let row = columns.overheadRows; row < columns.length; row++) {
    if (columns.kind[row] !== KIND.tool_result) continue;
    const { object = -1, isFile = false } = calls[at++] ?? {};
    const call = columns.pair[row] ?? -1;
    if (isFile) file[call] = object;
    else source[row] = object;
  }
  const session: SessionColumns = { ...columns, file, tables: { ...columns.tables, files: ["a", "b", "c"] } };
  return { columns: session, sizes, source };
}

/** Keeps a list of recently used objects, and checks for every use if the object still fits. */
function simulated({ columns, sizes, source }: ReturnType<typeof drawn>, budget: number): number {
  let list: { key: string; size: number }[] = [];
  let fetched = 0;
  for (let row = columns.overheadRows; row < columns.length; row++) {
    const isResult = columns.kind[row] === KIND.tool_result;
    const file = isResult ? (columns.file[columns.pair[row] ?? -1] ?? -1) : -1;
    const call = isResult ? (source[row] ?? -1) : -1;
    const key = file >= 0 ? `f${file}` : call >= 0 ? `c${call}` : `row ${row}`;
    const at = list.findIndex((one) => one.key === key);
    const known = list[at];
    if (known !== undefined) {
      const refetched = list.slice(at).reduce((sum, { size }) => sum + size, 0);
      if (refetched > budget) fetched += known.size;
    }
    list = [...list.filter((one) => one.key !== key), { key, size: Math.max(sizes[row] ?? 0, known?.size ?? 0) }];
  }
  return fetched;
}

describe("the reuse curve", () => {
  it("states the smallest budget at which a file is still in the context at its next use", () => {
    const read = { object: 0, size: 100, isFile: true };
    const other = { object: 1, size: 50, isFile: true };
    const session = drawn([read, other, { ...read, size: 1 }]);
    const curve = reuseCurve(session.columns, session.sizes, session.source);
    // The file, the other one, and the calls in between.
    const refetched = 100 + 3 + 50 + 3;
    expect([...curve.distances]).toEqual([refetched]);
    expect([fetchedAgain(curve, refetched - 1), fetchedAgain(curve, refetched)]).toEqual([100, 0]);
  });

  it("equals a simulation that keeps the last tokens, for every budget", () => {
    const call = fc.record({ object: fc.integer({ min: -1, max: 2 }), size: fc.nat(60), isFile: fc.boolean() });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 25 }), fc.nat(600), (calls, budget) => {
        const session = drawn(calls);
        const curve = reuseCurve(session.columns, session.sizes, session.source);
        expect(fetchedAgain(curve, budget)).toBe(simulated(session, budget));
      }),
      { numRuns: runs(100) },
    );
  });

  it("does not rise with the budget", () => {
    const calls = Array.from({ length: 60 }, (_, at) => ({
      object: (at * 7) % 3,
      size: (at * 13) % 50,
      isFile: at % 2 === 0,
    }));
    const { columns, sizes, source } = drawn(calls);
    const { tokens, distances } = reuseCurve(columns, sizes, source);
    expect(tokens.length).toBeGreaterThan(50);
    for (let at = 1; at < tokens.length; at++) {
      expect(tokens[at]).toBeLessThanOrEqual(tokens[at - 1] ?? 0);
      expect(distances[at]).toBeGreaterThanOrEqual(distances[at - 1] ?? 0);
    }
  });
});
