import { expect, test } from "vitest";
import { lastingName, presetOfName } from "./preset-names";

const policy = { presets: ["as-documented", "current"], presetDates: { current: "2026-09" } };

test("a preset is found by its own name and by its dated name", () => {
  expect(
    ["as-documented", "current", "2026-09", "2026-08", "constructor", ""].map((name) => presetOfName(policy, name)),
  ).toEqual(["as-documented", "current", "current", undefined, undefined, undefined]);
  expect(presetOfName({ presets: ["default"] }, "default")).toBe("default");
});

test("links use the dated name of a preset", () => {
  expect(["as-documented", "current"].map((preset) => lastingName(policy, preset))).toEqual([
    "as-documented",
    "2026-09",
  ]);
  expect(lastingName({ presets: ["default"] }, "default")).toBe("default");
});
