import path from "node:path";
import { describe, expect, test } from "vitest";
import { describeFixtures, fixturesOf } from "@/verify/support/conformance";
import { FORMATS } from "./agents";
import { profileOf, READERS, SERVER_PROFILES } from "./registry";

describe.each(Object.entries(SERVER_PROFILES))("%s", (format, { reader }) => {
  const folder = path.join(import.meta.dirname, format, "fixtures");

  test("has a name under the same id, and fixtures", () => {
    expect(FORMATS.map(({ id }) => id)).toContain(format);
    expect(profileOf(format)?.id ?? format).toBe(format);
    expect(reader.format).toBe(format);
    expect(fixturesOf(folder).length).toBeGreaterThan(5);
  });

  describeFixtures(reader, folder, READERS);
});
