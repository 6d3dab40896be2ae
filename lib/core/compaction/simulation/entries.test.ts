import fc from "fast-check";
import { expect, test } from "vitest";
import { sizeTokenColumn } from "../../columns/token-columns";
import { arbitraryDrawing } from "../../testing/arbitrary";
import { drawColumns } from "../../testing/draw";
import { entriesOf } from "./entries";
import { SimulatedContext } from "./simulated-context";
import { trajectoryOf } from "./trajectory";

test("entries equal the sums of single items, at every point and in every category", () => {
  fc.assert(
    fc.property(arbitraryDrawing, (drawing) => {
      const columns = drawColumns(drawing);
      const trajectory = trajectoryOf(columns);
      const tokens = sizeTokenColumn(columns, "bytes-4");
      const run = (context: SimulatedContext) => {
        const entered = Array.from(trajectory.end, (end, point) => {
          const response = point === 0 ? 0 : context.enter(trajectory.responseEnd[point - 1] ?? 0, point);
          return [response, context.enter(end, point), context.total];
        });
        return { entered, sums: context.changes.sums() };
      };
      const oneByOne = run(new SimulatedContext(columns, trajectory, tokens));
      const entries = entriesOf(columns, trajectory, tokens);
      expect(run(new SimulatedContext(columns, trajectory, tokens, entries))).toEqual(oneByOne);
      // The second replay starts from the same entries, so the first must not have written into them.
      expect(entriesOf(columns, trajectory, tokens)).toBe(entries);
      expect(run(new SimulatedContext(columns, trajectory, tokens, entries))).toEqual(oneByOne);
    }),
  );
});
