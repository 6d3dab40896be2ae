import { describe, expect, it } from "vitest";
import en from "@/app/i18n/glossary/en.json";
import { LOCALES } from "@/app/i18n/locales";
import { GLOSSARIES } from "./explanation";

describe("the glossary", () => {
  it("exists in every language that can be chosen", () => {
    expect(Object.keys(GLOSSARIES)).toEqual(Object.keys(LOCALES));
  });

  it.each(Object.entries(GLOSSARIES))(
    "in %s explains every term in one sentence, with details after it",
    async (_, load) => {
      const glossary = await load();
      expect(Object.keys(glossary)).toEqual(Object.keys(en));
      for (const [term, { short, more }] of Object.entries(glossary)) {
        expect(short, term).toMatch(/^[^.。]+[.。]$/u);
        expect(more.length, term).toBeGreaterThan(8);
      }
    },
  );
});
