import { describe, expect, it } from "vitest";
import { createFormat } from "./format";

const en = createFormat("en", "UTC");
const zh = createFormat("zh-CN", "UTC");
const NOW = Date.UTC(2026, 0, 31, 12);
const HOUR = 3_600_000;

/** Intl separates numbers and units with several kinds of space; the tests treat them as one. */
const plain = (text: string) => text.replace(/\s/gu, " ");

describe("format", () => {
  it("joins statements with the language's semicolon", () => {
    expect(en.clauses(["agent: Codex", "model: o3"])).toBe("agent: Codex; model: o3");
    expect(zh.clauses(["智能体：Codex", "模型：o3"])).toBe("智能体：Codex；模型：o3");
  });

  it("joins parts with the language's comma", () => {
    expect(en.list(["default", "Trigger 20 %"])).toBe("default, Trigger 20 %");
    expect(zh.list(["默认", "触发点 20 %"])).toBe("默认，触发点 20 %");
    expect(zh.list([])).toBe("");
  });

  it.each([
    [0, "0"],
    [950, "950"],
    [1000, "1k"],
    [40_674, "40.7k"],
    [200_000, "200k"],
    [999_949, "999.9k"],
    [999_950, "1M"],
    [1_240_000, "1.2M"],
    [-12_100, "-12.1k"],
  ])("shortens %d to %s in every language", (value, text) => {
    expect(en.short(value)).toBe(text);
    expect(zh.short(value)).toBe(text);
  });

  it.each([
    [0, "0"],
    [950, "950"],
    [1000, "1.00k"],
    [9_496, "9.50k"],
    [79_992, "80.0k"],
    [200_000, "200k"],
    [999_700, "1.00M"],
    [14_960_000, "15.0M"],
    [10_940_958, "10.9M"],
  ])("writes %d with three digits: %s", (value, text) => expect(en.aligned(value)).toBe(text));

  it.each([
    [0, "$0.00"],
    [7.561991, "$7.56"],
    [1234.5, "$1,234.50"],
    [0.26017, "$0.2602"],
    [0.002229, "$0.002229"],
  ])("writes %d dollars as %s", (value, text) => {
    expect([en.usd(value), zh.usd(value)]).toEqual([text, text]);
  });

  it("gives a dollar difference its sign, and shortens dollars at an axis", () => {
    expect([en.usdDifference(1.5), en.usdDifference(-0.25), en.usdDifference(0)]).toEqual([
      "+$1.50",
      "−$0.2500",
      "±$0.00",
    ]);
    expect([0.2028, 0.02, 0.0022, 0.999, 7.559, 0].map(en.usdListed)).toEqual([
      ...["$0.20", "$0.020", "$0.0022", "$1.00", "$7.56", "$0.00"],
    ]);
    expect([en.usdShort(0.05), en.usdShort(2)]).toEqual(["$0.05", "$2"]);
  });

  it.each([
    [950, "950"],
    [847_120, "847.1 k"],
    [999_960, "1.00 M"],
    [18_904_311, "18.90 M"],
    [2_345_000_000, "2.35 G"],
  ])("sums %d as %s", (value, text) => expect(plain(en.sum(value))).toBe(text));

  it("writes counts, differences and shares", () => {
    expect(en.count(156_579)).toBe("156,579");
    expect(en.difference(20_215)).toBe("+20,215");
    expect(en.difference(-17_400)).toBe("−17,400");
    expect(en.difference(0)).toBe("±0");
    expect(en.difference(-0.4)).toBe("±0");
    expect(en.change(-0.74)).toBe("−74\u00a0%");
    expect(en.change(0.048, 1)).toBe("+4.8\u00a0%");
    expect(en.change(0.0004)).toBe("±0\u00a0%");
    expect(en.change(-0.0004, 2)).toBe("−0.04\u00a0%");
    expect(plain(en.percent(0.784))).toBe("78 %");
    expect(plain(en.percent(0.2059, 1))).toBe("20.6 %");
    expect([en.percent(-0.045, 1), en.percent(-0.0004, 1)].map(plain)).toEqual(["−4.5 %", "0.0 %"]);
  });

  it.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [999, "999 bytes"],
    [999_600, "1 MB"],
    [2_140_000_000, "2.1 GB"],
    [412_300_000, "412 MB"],
  ])("writes %d bytes as %s", (value, text) => expect(plain(en.bytes(value))).toBe(text));

  it("writes a moment as an age within a day, then as date and time, then as a month", () => {
    expect(en.ago(NOW - 2 * HOUR, NOW)).toBe("2h ago");
    expect(en.ago(NOW - 30 * HOUR, NOW)).toBe("Jan 30, 06:00");
    expect(zh.ago(NOW - 30 * HOUR, NOW)).toBe("1月30日 06:00");
    expect(zh.ago(NOW - 400 * 24 * HOUR, NOW)).toBe("2024年12月");
    expect(en.ago(NOW - 400 * 24 * HOUR, NOW)).toBe("Dec 2024");
    expect(en.ago(NOW + HOUR, NOW)).toBe("this minute");
  });

  it("writes the first hour of a day as 00, not as 24", () => {
    expect(en.time(Date.UTC(2026, 0, 31, 0, 5, 9))).toBe("00:05:09");
    expect(zh.time(Date.UTC(2026, 0, 31, 0, 5, 9))).toBe("00:05:09");
    expect(en.time(Date.UTC(2026, 0, 31, 23, 5, 9))).toBe("23:05:09");
  });

  it("writes durations in their two largest units", () => {
    expect(plain(en.duration(15 * HOUR + 42 * 60_000))).toBe("15 hr 42 min");
    expect(plain(en.duration(2 * HOUR))).toBe("2 hr");
    expect(plain(en.duration(61_000))).toBe("1 min 1 sec");
    expect(plain(en.duration(400))).toBe("0 sec");
  });
});
