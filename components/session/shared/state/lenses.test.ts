import { expect, test } from "vitest";
import { LOCALES } from "@/app/i18n/locales";
import { MESSAGES } from "@/app/i18n/messages";
import { KEYBOARD_MAP } from "@/components/shell/keys";
import { LENSES, lensKey, lensNamed } from "./lenses";
import { VIEW_PARSERS } from "./url-state";

test("every lens has a key of its own, which the help names, an address and words", () => {
  const keys = LENSES.map(lensKey);
  // Zero shows the whole timeline, and there is no tenth digit key for a lens.
  expect(keys).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"].slice(0, LENSES.length));
  const help = KEYBOARD_MAP.flatMap(({ keys: rows }) => [...rows]).find(({ does }) => does === "lens");
  expect(help?.press).toEqual(keys);
  for (const lens of LENSES) {
    expect([lensNamed(lens), VIEW_PARSERS.lens.parse(lens)]).toEqual([lens, lens]);
  }
  for (const locale of Object.keys(LOCALES) as (keyof typeof LOCALES)[]) {
    const { label: _, ...words } = MESSAGES[locale].session.lens;
    expect(Object.keys(words)).toEqual([...LENSES]);
  }
});

test("what is no lens is none", () => {
  expect([lensNamed(""), lensNamed("constructor"), VIEW_PARSERS.lens.parse("label")]).toEqual([
    undefined,
    undefined,
    null,
  ]);
});
