import { expect, test } from "vitest";
import { LOCALES } from "@/app/i18n/locales";
import { MESSAGES } from "@/app/i18n/messages";
import { KEYBOARD_MAP } from "@/components/shell/keys";
import { SESSION_TABS, tabKey } from "./tabs";
import { VIEW_PARSERS } from "./url-state";

test("every tab has an address, a name and a key that the help names", () => {
  const keys = SESSION_TABS.map(tabKey);
  // Zero shows the whole timeline, and there is no tenth digit key for a tab.
  expect(keys).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"].slice(0, SESSION_TABS.length));
  const help = KEYBOARD_MAP.flatMap(({ keys: rows }) => [...rows]).find(({ does }) => does === "tab");
  expect(help?.press).toEqual(keys);
  for (const tab of SESSION_TABS) {
    expect(VIEW_PARSERS.tab.parse(tab)).toBe(tab);
  }
  for (const locale of Object.keys(LOCALES) as (keyof typeof LOCALES)[]) {
    const { label: _, ...words } = MESSAGES[locale].session.tab;
    expect(Object.keys(words)).toEqual([...SESSION_TABS]);
  }
});

test("an unknown name is not a tab", () => {
  for (const name of ["", "constructor", "label"]) expect(VIEW_PARSERS.tab.parse(name)).toBeNull();
});
