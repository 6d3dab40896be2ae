import { expect, it } from "vitest";
import { dayInstant, dayNumber, dayTicks } from "./day-axis";

function ticksOf(first: string, last: string, count: number): string[] {
  const { ticks } = dayTicks(dayNumber(first), dayNumber(last), count);
  return ticks.map((tick) => new Date(dayInstant(tick)).toISOString().slice(0, 10));
}

it("a few days have a tick each, or one at every second day", () => {
  expect(ticksOf("2026-02-27", "2026-03-02", 6)).toEqual(["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"]);
  expect(ticksOf("2026-03-01", "2026-03-08", 4)).toEqual(["2026-03-01", "2026-03-03", "2026-03-05", "2026-03-07"]);
});

it("weeks have ticks at Mondays", () => {
  expect(ticksOf("2026-03-01", "2026-04-01", 6)).toEqual([
    ...["2026-03-02", "2026-03-09", "2026-03-16", "2026-03-23", "2026-03-30"],
  ]);
});

it("months have ticks at their first days, in even steps of a year", () => {
  expect(ticksOf("2025-11-20", "2026-03-05", 6)).toEqual(["2025-12-01", "2026-01-01", "2026-02-01", "2026-03-01"]);
  expect(ticksOf("2025-01-15", "2026-06-30", 6)).toEqual([
    ...["2025-04-01", "2025-07-01", "2025-10-01", "2026-01-01", "2026-04-01"],
  ]);
});
