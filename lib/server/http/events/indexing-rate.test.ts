import { expect, it } from "vitest";
import { IndexingRate } from "./indexing-events";

it("the rate covers the last ten seconds, and yields an estimate of the remaining time", () => {
  const rate = new IndexingRate();
  const take = (bytesDone: number, at: number) => rate.take({ bytesDone, bytesTotal: 10_000 }, at);
  expect(take(0, 0)).toEqual({ bytesPerSecond: null, secondsLeft: null });
  expect(take(2000, 1000)).toEqual({ bytesPerSecond: 2000, secondsLeft: 4 });
  expect(take(2000, 11_000).bytesPerSecond).toBeNull();
  expect(take(4000, 12_000)).toEqual({ bytesPerSecond: 2000, secondsLeft: 3 });
});

it("the rate starts over when files are read again", () => {
  const rate = new IndexingRate();
  rate.take({ bytesDone: 900, bytesTotal: 900 }, 0);
  expect(rate.take({ bytesDone: 0, bytesTotal: 900 }, 1000).bytesPerSecond).toBeNull();
  expect(rate.take({ bytesDone: 100, bytesTotal: 900 }, 2000)).toEqual({ bytesPerSecond: 100, secondsLeft: 8 });
});
