import fc from "fast-check";
import { expect, test } from "vitest";
import { AssertionError } from "../../base/assert";
import { KIND } from "../../columns/columns";
import { sizeTokenColumn } from "../../columns/token-columns";
import { arbitraryDrawing } from "../../testing/arbitrary";
import { drawColumns } from "../../testing/draw";
import { addedItem } from "../../testing/policies";
import type { Positions, Retention } from "../policy/policy";
import { SimulatedContext } from "./simulated-context";
import { trajectoryOf } from "./trajectory";

function contextOf(drawing: string) {
  const columns = drawColumns(drawing);
  const trajectory = trajectoryOf(columns);
  return {
    columns,
    trajectory,
    context: new SimulatedContext(columns, trajectory, sizeTokenColumn(columns, "bytes-4")),
  };
}

function retention(kept: Positions, more: Partial<Retention> = {}): Retention {
  const none = { truncated: [], cleared: [], added: [], addedAt: "front", outcome: "summary" } as const;
  return { kept, ...none, summaryTokens: 0, summaryCallTokens: 0, ...more };
}

/** The context as a plain list, with its sums recomputed every time. */
function contentsOf(context: SimulatedContext): { items: number[]; sizes: number[] } {
  const items = Array.from({ length: context.length }, (_, position) => context.at(position));
  return { items, sizes: items.map((item) => context.tokensOf(item)) };
}

test("the context keeps ranges, sums and order like a plain list", () => {
  const step = fc.record({
    cuts: fc.uniqueArray(fc.nat(30), { maxLength: 6 }),
    added: fc.array(fc.nat(50), { maxLength: 2 }),
    addedAt: fc.constantFrom("front" as const, "back" as const),
    entering: fc.nat(3),
    shrunk: fc.option(fc.nat(5)),
  });
  fc.assert(
    fc.property(arbitraryDrawing, fc.array(step, { maxLength: 8 }), (drawing, steps) => {
      const { columns, trajectory, context } = contextOf(drawing.replaceAll(/[cr]\d+/g, "u3"));
      const overhead = context.total;
      let list: number[] = [];
      let entered = 0;
      const totals: number[] = [];
      steps.forEach(({ cuts, added, addedAt, entering: most, shrunk }, request) => {
        const point = Math.min(request, trajectory.end.length - 1);
        const end = trajectory.end[point] ?? 0;
        context.enter(end, point);
        const fresh = end - entered;
        for (; entered < end; entered++) list.push(trajectory.items[entered] ?? -1);
        const kept = rangesBetween(cuts, list.length);
        const stays = kept.flatMap(([from, to]) => list.slice(from, to));
        const first = stays[0];
        const truncated = first === undefined || shrunk === null ? [] : [[first, shrunk] as const];
        const next = columns.length + context.added.length;
        const items = added.map((tokens) => addedItem(tokens));
        // Number of items that enter with this request, up to the end of the newest kept range.
        const [from, to] = kept.at(-1) ?? [0, 0];
        const entering = to === list.length ? Math.min(most, fresh, to - from) : 0;
        context.apply(retention(kept, { truncated, added: items, addedAt, entering }), point);
        const put = added.map((_, index) => next + index);
        list = stays.toSpliced(addedAt === "front" ? 0 : stays.length - entering, 0, ...put);
        const { items: got, sizes } = contentsOf(context);
        expect(got).toEqual(list);
        expect(context.total).toBe(sizes.reduce((sum, size) => sum + size, overhead));
        totals[point] = context.total;
      });
      const byCategory = context.changes.sums();
      totals.forEach((total, point) => {
        expect(byCategory.reduce((sum, column) => sum + (column[point] ?? 0), 0)).toBe(total);
      });
    }),
  );
});

/** Every other range between the cuts, within a length. */
function rangesBetween(cuts: readonly number[], length: number): Positions {
  const bounds = [...cuts.filter((cut) => cut < length).sort((a, b) => a - b), length];
  const ranges: [number, number][] = [];
  for (let index = 0; index + 1 < bounds.length; index += 2) {
    ranges.push([bounds[index] ?? 0, bounds[index + 1] ?? 0]);
  }
  return ranges;
}

test("the context rejects new items after a gap, or before items that it already has", () => {
  const { context, trajectory } = contextOf("u1 a2 | u3 a4");
  context.enter(trajectory.end[1] ?? 0, 1);
  const added = [addedItem(1)];
  const behind = (kept: Positions, entering: number) => retention(kept, { added, addedAt: "back", entering });
  const gap: Positions = [
    [0, 1],
    [2, 3],
  ];
  expect(() => context.apply(behind(gap, 2), 1)).toThrow(AssertionError);
  expect(() => contextOf("u1 a2 | u3 a4").context.apply(behind([], 1), 1)).toThrow(AssertionError);
});

test("kept items of a compaction can be looked up after later compactions", () => {
  const { context, trajectory } = contextOf("u1 a2 | u3 a4 | u5 a6");
  const summary = addedItem(1);
  context.enter(trajectory.end[1] ?? 0, 1);
  context.apply(retention([[1, 3]], { added: [summary] }), 1);
  context.enter(trajectory.end[2] ?? 0, 2);
  const kept: Positions = [
    [0, 1],
    [3, 4],
  ];
  context.apply(retention(kept), 2);
  expect(context.keptAt(1)).toEqual([2, 3]);
  expect(context.keptAt(2)).toEqual([4, 7]);
});

test("the context rejects a retention only if it keeps a result without its call", () => {
  fc.assert(
    fc.property(arbitraryDrawing, fc.uniqueArray(fc.nat(30), { maxLength: 6 }), (drawing, cuts) => {
      const { columns, context, trajectory } = contextOf(drawing);
      const last = trajectory.end.length - 1;
      context.enter(trajectory.end[last] ?? 0, last);
      const { items } = contentsOf(context);
      const kept = rangesBetween(cuts, items.length);
      const stay = kept.flatMap(([from, to]) => items.slice(from, to));
      const parted = stay.some((item) => {
        const call = columns.kind[item] === KIND.tool_result ? (columns.pair[item] ?? -1) : -1;
        return items.includes(call) && !stay.includes(call);
      });
      const apply = () => context.apply(retention(kept), last);
      if (parted) expect(apply).toThrow(AssertionError);
      else expect(apply).not.toThrow();
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["a result without the call that it had", "u1 c1 r1 a1", [[2, 3]], {}],
  [
    "positions out of order",
    "u1 a1 u1 a1",
    [
      [1, 2],
      [0, 1],
    ],
    {},
  ],
  ["positions behind the end", "u1 a1", [[0, 9]], {}],
  ["a changed item that is not kept", "u1 a1 u1 a1", [[0, 1]], { truncated: [[2, 1]] as const }],
  ["a size below zero", "u1 a1 u1 a1", [[0, 3]], { cleared: [[0, -1]] as const }],
])("the context rejects %s", (_, drawing, kept, more) => {
  const { context, trajectory } = contextOf(drawing);
  const last = trajectory.end.length - 1;
  context.enter(trajectory.end[last] ?? 0, last);
  expect(() => context.apply(retention(kept as unknown as Positions, more as Partial<Retention>), last)).toThrow(
    AssertionError,
  );
});
