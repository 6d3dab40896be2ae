import { expect, test } from "vitest";
import { type SessionColumns, TRIGGERS } from "../../columns/columns";
import { countedBySize } from "../../columns/token-columns";
import { drawColumns } from "../../testing/draw";
import { recordedReplay } from "./recorded";

function triggerOf(trigger: (typeof TRIGGERS)[number]) {
  const drawn = drawColumns("u100 a10 B s20 u10 a10");
  const boundaries = { ...drawn.boundaries, trigger: Uint8Array.of(TRIGGERS.indexOf(trigger)) };
  const columns: SessionColumns = { ...drawn, boundaries };
  return recordedReplay(countedBySize(columns, "bytes-4"), 1000).compactions[0]?.trigger;
}

test("the trigger of a recorded compaction is what its record says, and unknown where the record says nothing", () => {
  expect(TRIGGERS.map(triggerOf)).toEqual(["threshold", "manual", "overflow", "unknown"]);
});
