import { expect, test } from "vitest";
import { countedBySize } from "../columns/token-columns";
import { recordedReplay } from "../compaction/policies/recorded";
import { drawColumns } from "../testing/draw";
import { keptTokens } from "./computed";

test("a compaction without a later request counts neither in kept tokens nor in the shortest cycle", () => {
  const first = "u10 a20 @1000 u10 a20 @5000 B s40 u5 a3 @900";
  const [once, twice] = [first, `${first} u10 a20 @5000 B s40`].map((drawing) =>
    recordedReplay(countedBySize(drawColumns(drawing), "bytes-4"), 200_000),
  );
  const kept = (replay = once) =>
    replay &&
    keptTokens({
      replay,
      window: 200_000,
      isRecording: true,
      cost: null,
      regret: null,
      bestUsd: null,
      refetched: undefined,
    });
  expect(kept(twice)).toBe(kept(once));
  expect(twice?.compactions.map(({ shrunk }) => shrunk)).toEqual([true, true]);
});
