import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { GROUP_NAMES, targetOf } from "./groups";

test("every file that is mutated is there", () => {
  const files = GROUP_NAMES.flatMap((name) => targetOf(name)?.files ?? []);
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});
