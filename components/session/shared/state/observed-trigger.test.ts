import { expect, it } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordedReplay } from "@/lib/core/compaction/policies/recorded";
import { drawColumns } from "@/lib/core/testing/draw";
import { observedTrigger } from "./session";

function ofDrawn(text: string): number | undefined {
  return observedTrigger(recordedReplay(countedBySize(drawColumns(text), "bytes-4"), 10_000));
}

it("the observed trigger is the smallest context before an automatic compaction, if there is one", () => {
  expect(ofDrawn("u100 a10 B800 s20 u10 a10 B600 s20 u10 a10")).toBe(600);
  expect(ofDrawn("u100 a10 B800 s20 u10 a10 M300 s20 u10 a10")).toBe(800);
  expect(ofDrawn("u100 a10 M800 s20 u10 a10 M600 s20 u10 a10")).toBeUndefined();
  expect(ofDrawn("u100 a10 u10 a10")).toBeUndefined();
});
