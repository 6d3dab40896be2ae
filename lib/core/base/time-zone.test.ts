import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { isTimeZone, ownTimeZone, QUARTER_MS, ZoneDays } from "./time-zone";

const ZONES = ["UTC", "America/Los_Angeles", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"];
const dayAt = (zone: string, text: string) => new ZoneDays(zone).dayOf(Math.floor(Date.parse(text) / QUARTER_MS));

it("the day in a zone is correct around midnight and clock changes", () => {
  expect(dayAt("UTC", "2026-09-10T23:59:59Z")).toBe("2026-09-10");
  expect(dayAt("America/Los_Angeles", "2026-09-11T00:10:00Z")).toBe("2026-09-10");
  expect(dayAt("Asia/Kathmandu", "2026-09-10T18:15:00Z")).toBe("2026-09-11");
  expect(dayAt("Asia/Kathmandu", "2026-09-10T18:14:59Z")).toBe("2026-09-10");
  // Samoa skipped 30 December 2011.
  expect([dayAt("Pacific/Apia", "2011-12-30T09:59:00Z"), dayAt("Pacific/Apia", "2011-12-30T10:00:00Z")]).toEqual([
    "2011-12-29",
    "2011-12-31",
  ]);
});

it("the day in a zone is the same as by formatting, at every quarter of an hour", () => {
  const quarters = Math.floor(Date.parse("2036-01-01T00:00:00Z") / QUARTER_MS);
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 0, max: quarters }), (timeZone, quarter) => {
      const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
      expect(new ZoneDays(timeZone).dayOf(quarter)).toBe(format.format(quarter * QUARTER_MS));
    }),
  );
});

it("names of time zones are recognised", () => {
  expect(["Europe/Berlin", "UTC", "Mars/Olympus", "", "constructor"].map(isTimeZone)).toEqual([
    ...[true, true, false, false, false],
  ]);
  expect(new ZoneDays("Asia/Tokyo").dayOf(8.64e15 / QUARTER_MS)).toBe("275760-09-13");
});

it("the zone is UTC if the machine names none, for example with an empty TZ", () => {
  const options = vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions");
  for (const named of ["Etc/Unknown", undefined]) {
    options.mockReturnValue(Object.assign(new Intl.DateTimeFormat().resolvedOptions() ?? {}, { timeZone: named }));
    expect(ownTimeZone()).toBe("UTC");
  }
  options.mockRestore();
});
