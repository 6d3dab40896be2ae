import { expect, test } from "vitest";
import { createPointed } from "./pointed";

test("who listens is told of changes alone, and no longer than it listens", () => {
  const pointed = createPointed();
  const told: (number | null)[] = [];
  const stop = pointed.subscribe(() => told.push(pointed.get()));
  pointed.set(3);
  pointed.set(3);
  pointed.set(null);
  stop();
  pointed.set(4);
  expect(told).toEqual([3, null]);
  expect(pointed.get()).toBe(4);
});
