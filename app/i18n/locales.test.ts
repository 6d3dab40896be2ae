import { describe, expect, it } from "vitest";
import { acceptedLanguages, pickLocale } from "./locales";

describe("acceptedLanguages", () => {
  it("sorts by quality, then by position, and skips entries that are not languages", () => {
    expect(acceptedLanguages("en;q=0.5, zh-CN, de;q=0.9,*;q=0.1, fr;q=0, ,???")).toEqual(["zh-CN", "de", "en"]);
    expect(acceptedLanguages("")).toEqual([]);
  });
});

describe("pickLocale", () => {
  it.each([
    ["zh-CN", "en", "zh-CN"],
    ["en", "zh-CN", "en"],
    [undefined, "zh-CN,zh;q=0.9,en;q=0.8", "zh-CN"],
    [undefined, "zh", "zh-CN"],
    [undefined, "de-DE,de", "en"],
    [undefined, "de,zh-Hans;q=0.8,en;q=0.2", "zh-CN"],
    [undefined, null, "en"],
    ["<script>", "zh-CN", "zh-CN"],
    ["constructor", null, "en"],
  ])("with cookie %s and Accept-Language %s gives %s", (cookie, header, locale) => {
    expect(pickLocale(cookie, header)).toBe(locale);
  });
});
