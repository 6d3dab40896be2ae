import { describe, expect, it } from "vitest";
import { parseSetting, settingParser } from "./url-state";

describe("settings in the address", () => {
  it("are read as on the command line", () => {
    expect(parseSetting("0.85")).toBe(0.85);
    expect(parseSetting("12000")).toBe(12_000);
    expect(parseSetting("true")).toBe(true);
    expect(parseSetting("cache-ttl")).toBe("cache-ttl");
    expect(parseSetting("")).toBe("");
    expect(parseSetting("Infinity")).toBe("Infinity");
  });

  it("are read back with the value that was written", () => {
    for (const value of [0.85, 12_000, true, false, "never"]) {
      expect(settingParser.parse(settingParser.serialize(value))).toBe(value);
    }
  });
});
