import { expect, test } from "vitest";
import { addedItem } from "@/lib/core/testing/policies";
import { compactionAt } from "../../testing/boundaries";
import { boundaryEntries } from "../boundaries/entries";
import { boundaryStops } from "./use-timeline-keys";

test("the keys visit every compaction, and each run of other boundaries once", () => {
  const clearings = [4, 5, 6, 7].map((request) => compactionAt(request, { outcome: "clear" }));
  const flush = compactionAt(12, { outcome: "skipped", added: [addedItem(1, { kind: "turn", category: "user" })] });
  const simulated = [...clearings, compactionAt(9), flush, compactionAt(20)];
  expect(boundaryStops(boundaryEntries([compactionAt(9), compactionAt(15)], simulated))).toEqual([4, 9, 12, 15, 20]);
  expect(boundaryStops([])).toEqual([]);
});
