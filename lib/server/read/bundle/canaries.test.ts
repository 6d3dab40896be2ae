import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { isObject } from "@/lib/agents/shared/json";
import { isInputError } from "../../base/input-error";
import { bundleFacts } from "../../export/write-bundle";
import { bundleText, openFile } from "../../testing/bundled";
import { fixtureFiles, put, temporaryFolder } from "../../testing/files";

const folder = temporaryFolder();
/** The planted text. It has no letter that a number in base 36 could have beside it. */
const CANARY = "CaNaRy_ünseen";

/** Paths of all strings in a value: their keys, without list indexes. */
function placesIn(value: unknown, path = ""): readonly string[] {
  if (typeof value === "string") return [path];
  if (Array.isArray(value)) return value.flatMap((one) => placesIn(one, path));
  return isObject(value) ? Object.entries(value).flatMap(([key, one]) => placesIn(one, `${path}.${key}`)) : [];
}

/** The value with the canary in every string at some places, and in the keys below them. */
function planted(value: unknown, at: ReadonlySet<string>, path = ""): unknown {
  if (typeof value === "string")
    return at.has(path) ? (value.startsWith("{") ? withinJson(value) : `${value}${CANARY}`) : value;
  if (Array.isArray(value)) return value.map((one) => planted(one, at, path));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, planted(one, at, `${path}.${key}`)]));
}

/** Arguments of calls are JSON within a string: every string of theirs gets the canary. */
function withinJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(planted(value, new Set(placesIn(value))));
  } catch {
    return `${text}${CANARY}`;
  }
}

interface Lines {
  readonly values: readonly unknown[];
  readonly isDocument: boolean;
}

/** The values of a file, damaged lines as texts. */
function valuesOf(path: string): Lines {
  const text = readFileSync(path, "utf8");
  try {
    return { values: [JSON.parse(text)], isDocument: true };
  } catch {
    return { values: text.split("\n").map(parsedOr), isDocument: false };
  }
}

function parsedOr(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

function written({ values, isDocument }: Lines, at: ReadonlySet<string>): string {
  if (isDocument) return JSON.stringify(planted(values[0], at), null, 1);
  // A line that is not JSON gets the canary too.
  return values
    .map((value) => (typeof value === "string" ? `${value}${CANARY}` : JSON.stringify(planted(value, at))))
    .join("\n");
}

/** Lines kept on each side of the first line with a place: a turn and more, and most fixtures whole. */
const AROUND = 30;

/**
 * The first line, and the lines around the first one with this path: the meaning of a field depends on its neighbours, and short files are read fast.
 */
function around({ values, isDocument }: Lines, place: string): Lines {
  if (isDocument) return { values, isDocument };
  const at = values.findIndex((value) => typeof value !== "string" && placesIn(value).includes(place));
  const from = Math.max(1, at - AROUND);
  return { values: [...values.slice(0, 1), ...values.slice(from, at + AROUND)], isDocument };
}

/** Fixtures and samples, with the agent that wrote each. */
const FILES = [
  ...fixtureFiles(/\.jsonl?$/).map((path) => ({ path, agent: basename(join(path, "..", "..")) })),
  ...["claude-code-report-timezone", "codex-duplicate-messages"].map((name) => ({
    path: join("public", "samples", `${name}.jsonl`),
    agent: name.startsWith("codex") ? "codex" : "claude-code",
  })),
];

it("a bundle contains no text of the recording, whichever field holds it", async () => {
  let seen = 0;
  let files = 0;
  const tried = new Set<string>();
  for (const { path, agent } of FILES) {
    const lines = valuesOf(path);
    const places = [...new Set(lines.values.flatMap((value) => (typeof value === "string" ? [] : placesIn(value))))];
    const fresh = places.filter((place) => !tried.has(`${agent}${place}`));
    for (const place of fresh) tried.add(`${agent}${place}`);
    // One place at a time, since some of them decide how the rest is read.
    const tries = fresh.map((place) => ({ part: around(lines, place), at: new Set([place]) }));
    for (const { part, at } of [...tries, { part: lines, at: new Set(places) }]) {
      const file = put(folder, `planted-${files++}.jsonl`, written(part, at));
      try {
        const facts = JSON.stringify(await bundleFacts(await openFile(file)));
        seen += 1;
        expect(facts, `${path} ${[...at].join(" ")}`).not.toMatch(/canary/i);
      } catch (error) {
        if (!isInputError(error)) throw error; // Fields that decide the format cannot be changed.
      }
    }
  }
  expect(seen).toBeGreaterThan(500);
});

it("a bundle holds only numbers after its first line", async () => {
  for (const { path } of FILES.slice(-2)) {
    const [, ...lines] = (await bundleText(await openFile(path))).trimEnd().split("\n");
    for (const line of lines)
      expect(line).toMatch(/^\{"column":"[\w:.@-]+",("values":\[[\d.,nul-]*\]|"as":"[\w:.@-]+")\}$/);
  }
});
