import { expect, test } from "vitest";
import { type SessionColumns, TRIGGERS } from "../../columns/columns";
import { countedBySize } from "../../columns/token-columns";
import { drawColumns } from "../../testing/draw";
import { recordedReplay, recordedUnder } from "./recorded";

function triggerOf(trigger: (typeof TRIGGERS)[number]) {
  const drawn = drawColumns("u100 a10 B s20 u10 a10");
  const boundaries = { ...drawn.boundaries, trigger: Uint8Array.of(TRIGGERS.indexOf(trigger)) };
  const columns: SessionColumns = { ...drawn, boundaries };
  return recordedReplay(countedBySize(columns, "bytes-4"), 1000).compactions[0]?.trigger;
}

test("the trigger of a recorded compaction is the one in its record, else unknown", () => {
  expect(TRIGGERS.map(triggerOf)).toEqual(["threshold", "manual", "overflow", "unknown", "idle"]);
});

test("requests above the selected window are counted for the recording, too", () => {
  const recording = countedBySize(drawColumns("u1 a1 @500 u1 a1 @900 u1 a1 @700"), "bytes-4");
  const replay = recordedReplay(recording, 1000);
  const over = [1000, 800, 600, 500].map((window) => recordedUnder(replay, window).totals.requestsOverWindow);
  expect([replay.totals.requestsOverWindow, ...over]).toEqual([0, 0, 1, 2, 2]);
  expect(recordedUnder(replay, 600)).toEqual(recordedReplay(recording, 600));
});
