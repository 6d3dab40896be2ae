import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Constant } from "@/lib/agents/shared/profile";
import { POLICIES, PROFILES } from "./registry";

/**
 * Numbers in an agent's folder that are not the agent's own, with the reason. Every other number of its rules is in its profile, with unit and
 * source.
 */
const OURS: ReadonlyMap<string, string> = new Map([
  ["TITLE_SOURCE_CHARS", "how much we show"],
  ...["NONE", "NO_MARK", "NO_MESSAGE", "UNSENT", "INITIAL", "UNSEEN", "ON_PATH", "DONE"].map(
    (name) => [name, "a mark"] as const,
  ),
  ...["RETAINED_LOCALLY", "RETAINED_REMOTELY", "RETAINED_LOCALLY_CURRENT"].map(
    (name) => [name, "a bit of a measure"] as const,
  ),
  ...[
    "SIDECHAIN",
    "CONVERSATION",
    "EMPTY",
    "FILLED",
    "ASSISTANT",
    "RECORDED_ONLY",
    "POINT",
    "SETTLED",
    "FIRST_COUNT",
    "INHERITED",
    "UNNAMED",
    "REMOVED",
    "PATH_FIELDS",
  ].map((name) => [name, "a bit of our packed records"] as const),
  ...["MINUTE", "MINUTE_MS", "DAY"].map((name) => [name, "a unit"] as const),
  ...["K32", "K64", "K128", "K256", "K512", "M1"].map((name) => [name, "a unit of the table of limits"] as const),
  ...["END_UNITS", "PRIME", "BASIS"].map((name) => [name, "our hash of a text"] as const),
  ...["TIFF_WIDTH", "TIFF_HEIGHT", "FIRST_WEIGHED"].map((name) => [name, "a code of a public standard"] as const),
  ...["WIDTH", "BAR_CELLS", "LABEL_CELLS"].map((name) => [name, "layout of a printed report"] as const),
  ...[
    "MAX_COMMAND_CHARS",
    "MAX_REMINDER_CHARS",
    "MAX_UNKNOWN_BYTES",
    "HEAD_CHARS",
    "MIN_COPIES",
    "MAX_DAYS",
    "WRITTEN_TOGETHER_MS",
    "LAST_PLACE",
    "MAX_COPYING",
    "COPY_PAUSE",
    "PAIR_WITHIN",
    "MAX_WAITING",
  ].map((name) => [name, "a bound of our search"] as const),
  ...[
    "SMALL_SHARE",
    "RULE_SHARE",
    "LEFT_SHARE",
    "WRAPPER_CHARS",
    "RESULT_WRAPPER_CHARS",
    "SLACK_CHARS",
    "MARKER_CHARS",
  ].map((name) => [name, "an approximation where only numbers are at hand"] as const),
  ...["REDESIGNED_FROM", "FORMAT_SINCE_2026"].map((name) => [name, "a version number"] as const),
]);

/** Adapters and tests of ours may hold numbers that belong to their cases. */
const IS_RULE = /^(?!(?:.*\/)?(?:conformance|testing\/|.*\.test\.)).*\.ts$/;
const NUMBER = /^(?:export )?const ([A-Z][A-Z0-9_]*)(?:: \w+)? = (-?[\d_.]+(?:e\d+)?|0x[\da-f]+);/gm;

interface Metric {
  readonly name: string;
  readonly value: number;
}

function metricsOf(agent: string): readonly Metric[] {
  const folder = join(import.meta.dirname, agent);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => IS_RULE.test(file))
    .flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(NUMBER)])
    .map(([, name = "", value = ""]) => ({ name, value: Number(value.replaceAll("_", "")) }));
}

/** True if the profile holds the number, under its own name or under one that ends in it. */
function isHeld({ name, value }: Metric, constants: Readonly<Record<string, Constant>>, index: string): boolean {
  const word = name.replaceAll("_", "").toLowerCase();
  const same = Object.entries(constants).filter(([, constant]) => constant.value === value);
  return same.some(([key]) => key.toLowerCase().endsWith(word)) || (same.length > 0 && index.includes(name));
}

describe.each(Object.values(PROFILES))("$id", ({ id, constants, defaultWindow }) => {
  test("has a value, a unit and a source for every constant", () => {
    for (const constant of [...Object.values<Constant>(constants), defaultWindow]) {
      expect(Number.isFinite(constant.value)).toBe(true);
      expect(constant.unit).not.toBe("");
      expect(["document", "code", "report", "ours"]).toContain(constant.source.kind);
      expect(constant.source.text.length).toBeGreaterThan(8);
    }
  });

  test("declares every number of its rules", () => {
    const index = readFileSync(join(import.meta.dirname, id, "index.ts"), "utf8");
    const held: Readonly<Record<string, Constant>> = { ...constants, defaultWindow };
    const missing = metricsOf(id).filter((metric) => !OURS.has(metric.name) && !isHeld(metric, held, index));
    expect(missing).toEqual([]);
  });
});

test("isHeld accepts only constants that a profile declares with their value", () => {
  const held = { tailShare: { value: 0.3, unit: "share", source: { kind: "code", text: "somewhere" } } } as const;
  expect(isHeld({ name: "TAIL_SHARE", value: 0.3 }, held, "")).toBe(true);
  expect(isHeld({ name: "TAIL_SHARE", value: 0.4 }, held, "TAIL_SHARE")).toBe(false);
  expect(isHeld({ name: "HEAD_SHARE", value: 0.3 }, held, "")).toBe(false);
  expect(metricsOf("openclaw").length).toBeGreaterThan(50);
});

test("every policy has the common settings, and a source for each of its own", () => {
  for (const policy of POLICIES) {
    for (const preset of policy.presets) {
      for (const spec of policy.settings(preset, { window: 200_000, agent: null })) {
        const { text, notes = [] } = spec.source;
        expect([text, ...notes].join(" "), `${policy.id}@${preset} ${spec.key}`).toMatch(/\w{3}/);
      }
      const keys = policy.settings(preset, { window: 200_000, agent: null }).map(({ key }) => key);
      expect(keys, policy.id).toEqual(expect.arrayContaining(["summaryTokens", "failSummary", "entryTruncation"]));
    }
  }
});
