import type { CompiledMessage } from "icu-minify/format";
import fill from "icu-minify/format";
import type { ReactNode } from "react";
import { createTranslator } from "use-intl/core";
import { describe, expect, it } from "vitest";
import { POLICIES } from "@/lib/agents/registry";
import { METRICS } from "@/lib/core/metrics/registry";
import { priceRow, unpricedTexts } from "@/lib/queries/wire/least";
import { compiledMessages } from "./compiled";
import { LOCALES } from "./locales";
import { MESSAGES } from "./messages";

const languages = Object.keys(LOCALES).filter((locale): locale is keyof typeof MESSAGES =>
  Object.hasOwn(MESSAGES, locale),
);

describe("messages", () => {
  it("exist in every language that can be selected", () => {
    expect(Object.keys(MESSAGES)).toEqual(Object.keys(LOCALES));
  });

  it.each(languages)("%s has the keys and placeholders of English", (locale) => {
    expect(shape(MESSAGES[locale])).toEqual(shape(MESSAGES.en));
  });

  it.each(languages)("%s has no empty message, and every message can be formatted", (locale) => {
    const failures: string[] = [];
    const t = createTranslator({
      locale,
      messages: { all: MESSAGES[locale] },
      onError: (error) => failures.push(error.message),
    });
    for (const [key, message] of flatten(MESSAGES[locale])) {
      expect(message.trim(), key).not.toBe("");
      const tags = Object.fromEntries(tagsOf(message).map((name) => [name, (chunks: unknown) => chunks]));
      // The key comes from the messages themselves, but within a loop its type does not show that.
      t.rich(`all.${key}` as never, { ...sample(message), ...tags } as never);
    }
    expect(failures).toEqual([]);
  });

  it("name models without a price in the same words as the command line", () => {
    const t = createTranslator({ locale: "en", messages: MESSAGES.en, namespace: "common.value" });
    const code = (chunks: ReactNode) => chunks;
    const visible = [
      t.rich("unpriced", { model: "a-1", row: priceRow("a-1"), code }),
      t.rich("unpricedMore", { models: "b-2, c-3", code }),
    ];
    expect(unpricedTexts(["c-3", "a-1", "b-2"])).toEqual(
      visible.map((text) => [text].flat(Number.POSITIVE_INFINITY).join("")),
    );
  });

  it.each(languages)("%s gives the same messages from separately loaded parts", (locale) => {
    const t = createTranslator({ locale, messages: { all: MESSAGES[locale] } });
    const apart = flatten<CompiledMessage>(compiledMessages(locale), isCompiled);
    const whole = new Map(flatten(MESSAGES[locale]));
    expect(apart.map(([key]) => key)).toEqual([...whole.keys()]);
    for (const [key, message] of apart)
      for (const count of [0, 1, 2, 1234]) {
        const text = whole.get(key) ?? "";
        const tags = Object.fromEntries(tagsOf(text).map((name) => [name, (chunks: unknown) => `<${String(chunks)}>`]));
        const values = { ...sample(text, count), ...tags };
        const expected = t.rich(`all.${key}` as never, values as never);
        expect([fill(message, locale, values, { formatters })].flat().join(""), key).toBe([expected].flat().join(""));
      }
  });
});

const formatters = {
  getNumberFormat: (...args: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...args),
  getPluralRules: (...args: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...args),
  getDateTimeFormat: (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...args),
};

/** Every setting of every policy and preset. */
const SPECS = POLICIES.flatMap((policy) =>
  policy.presets.flatMap((preset) => policy.settings(preset, { window: 200_000, agent: null })),
);

describe.each(languages)("settings in %s", (locale) => {
  const { setting, unit, choice } = MESSAGES[locale].replay;

  it("each have a name", () => {
    expect(SPECS.map(({ key }) => key).filter((key) => !Object.hasOwn(setting, key))).toEqual([]);
  });

  it("have names for all units", () => {
    const units = SPECS.flatMap((spec) => ("unit" in spec ? [spec.unit] : []));
    expect(units.filter((name) => !Object.hasOwn(unit, name))).toEqual([]);
  });

  it("have names for all choices", () => {
    const choices = SPECS.flatMap((spec) => (spec.type === "choice" ? spec.choices : []));
    expect(choices.filter((name) => !RELEASE.test(name) && !Object.hasOwn(choice, name))).toEqual([]);
  });
});

it.each(languages)("metrics in %s each have a name and a note", (locale) => {
  const keys = METRICS.map(({ key }) => key);
  const { name, note } = MESSAGES[locale].metrics;
  expect([Object.keys(name), Object.keys(note)]).toEqual([keys, keys]);
});

/** The names of releases are the same in every language. */
const RELEASE = /^v\d/;

type Tree<Leaf = string> = { readonly [key: string]: Leaf | Tree<Leaf> };

function flatten<Leaf = string>(tree: Tree<Leaf>, isLeaf = isText<Leaf>, path = ""): [string, Leaf][] {
  return Object.entries(tree).flatMap(([key, value]) => {
    const full = path === "" ? key : `${path}.${key}`;
    return isLeaf(value) ? [[full, value] satisfies [string, Leaf]] : flatten(value, isLeaf, full);
  });
}

function isCompiled(value: CompiledMessage | Tree<CompiledMessage>): value is CompiledMessage {
  return typeof value === "string" || Array.isArray(value);
}

function isText<Leaf>(value: Leaf | Tree<Leaf>): value is Leaf {
  return typeof value === "string";
}

function shape(tree: Tree): Record<string, string[]> {
  return Object.fromEntries(
    flatten(tree).map(([key, message]) => [
      key,
      [...argumentsOf(message), ...tagsOf(message).map((tag) => `<${tag}>`)],
    ]),
  );
}

/** The names in `{name}` and `{name, plural, …}`. The branches of a plural are not names. */
function argumentsOf(message: string): string[] {
  return [
    ...new Set(
      [...message.matchAll(/(?<!(?:\b(?:zero|one|two|few|many|other)|=\d+)\s*)\{\s*([a-zA-Z]\w*)\s*[,}]/g)].map(
        (found) => found[1] ?? "",
      ),
    ),
  ].sort();
}

function tagsOf(message: string): string[] {
  return [...new Set([...message.matchAll(/<([a-z]+)>/g)].map((found) => found[1] ?? ""))].sort();
}

function sample(message: string, number = 2): Record<string, number | string> {
  return Object.fromEntries(
    argumentsOf(message).map((name) => [
      name,
      new RegExp(`\\{\\s*${name}\\s*,\\s*select`).test(message) ? "other" : number,
    ]),
  );
}
