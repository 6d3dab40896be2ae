import { expect, test } from "vitest";
import { failSummarySetting } from "./common-settings";
import { isInEffect, resolveSettings, type SettingSpec, type SettingValue } from "./settings";

const SOURCE = { kind: "ours", text: "" } as const;

function number(unit: Extract<SettingSpec, { type: "number" }>["unit"], max: number): SettingSpec {
  return { key: "k", label: "", type: "number", unit, min: 0, max, step: 1, default: 0, source: SOURCE };
}

function resolved(spec: SettingSpec, value: unknown): SettingValue | undefined {
  return resolveSettings([spec], { [spec.key]: value })[spec.key];
}

test("tokens and other counts accept integers; shares and minutes accept fractions", () => {
  expect(resolved(number("tokens", 100), 20)).toBe(20);
  expect(() => resolved(number("tokens", 100), 1.5)).toThrow("k must be a whole number from 0 to 10000000");
  expect(() => resolved(number("requests", 100), 0.5)).toThrow("whole");
  expect(resolved(number("share", 1), 0.35)).toBe(0.35);
  expect(resolved(number("minutes", 60), 2.5)).toBe(2.5);
  expect(() => resolved(number("share", 1), 1.5)).toThrow("k must be a number from 0 to 1");
});

test("counts may exceed the slider's range, but shares may not", () => {
  expect(resolved(number("tokens", 8000), 20_000)).toBe(20_000);
  expect(resolved(number("messages", 200), 10_000_000)).toBe(10_000_000);
  for (const value of [-1, 10_000_001, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => resolved(number("tokens", 8000), value)).toThrow("from 0 to 10000000");
  }
});

test("an optional number has the same limits", () => {
  const spec: SettingSpec = {
    key: "k",
    label: "",
    min: 0,
    max: 100,
    step: 1,
    source: SOURCE,
    type: "optional-number",
    unit: "tokens",
    default: null,
  };
  expect(resolved(spec, null)).toBeNull();
  expect(() => resolved(spec, 1.5)).toThrow("null or a whole number");
});

test("failSummary accepts the number of any summary call", () => {
  expect([1, "5", 17, "always"].map((value) => resolved(failSummarySetting(), value))).toEqual([
    "1",
    "5",
    "17",
    "always",
  ]);
  for (const value of [0, -1, 1.5, "07", "soon", "", null]) {
    expect(() => resolved(failSummarySetting(), value)).toThrow("or another whole number above 0");
  }
});

test("a setting has no effect until the setting it depends on enables it", () => {
  const spec = number("tokens", 100);
  expect(isInEffect(spec, {})).toBe(true);
  const isOn = { ...spec, needs: { key: "mode", is: "on" } };
  expect([isInEffect(isOn, { mode: "on" }), isInEffect(isOn, { mode: "off" }), isInEffect(isOn, {})]).toEqual([
    true,
    false,
    false,
  ]);
  const isAbove = { ...spec, needs: { key: "minutes", above: 0 } };
  expect([isInEffect(isAbove, { minutes: 5 }), isInEffect(isAbove, { minutes: 0 })]).toEqual([true, false]);
});
