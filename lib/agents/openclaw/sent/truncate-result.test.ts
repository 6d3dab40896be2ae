import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringChars } from "../messages/string-chars";
import { fitHead, fitTail, hasImportantTail, truncateResultText, truncationMarker } from "./truncate-result";

/** The rule as README.md, "Tool results" writes it; the longest fitting text is found by trying every length. */

const MIDDLE = "\n\n⚠️ [... middle content omitted — showing head and tail ...]\n\n";

/** Every beginning of a text that splits no code point, shortest first, with its weight: the sum of its code points. */
function startsOf(text: string): readonly { readonly start: string; readonly weight: number }[] {
  let [units, weight] = [0, 0];
  const starts = [{ start: "", weight }];
  for (const point of text) {
    units += point.length;
    weight += stringChars(point);
    starts.push({ start: text.slice(0, units), weight });
  }
  return starts;
}

/** The longest beginning or end of a text, in whole code points, within a weight. */
function longest(text: string, budget: number, end: "head" | "tail"): string {
  const total = stringChars(text);
  if (end === "head") return startsOf(text).findLast(({ weight }) => weight <= budget)?.start ?? "";
  const before = startsOf(text).find(({ weight }) => total - weight <= budget)?.start ?? text;
  return text.slice(before.length);
}

const WORDS =
  "error,exception,failed,fatal,traceback,panic,stack trace,errno,exit code,total,summary,result,complete,finished,done";

/** True if one of the words occurs in the text as a word, or the text closes an object. */
function isImportant(text: string): boolean {
  const end = text.slice(-2000).trim().toLowerCase();
  const isInWord = (unit: string | undefined) => unit !== undefined && /[a-z0-9_]/.test(unit);
  const standsIn = (word: string) =>
    end
      .split("")
      .some((_, at) => end.startsWith(word, at) && !isInWord(end[at - 1]) && !isInWord(end[at + word.length]));
  return end[end.length - 1] === "}" || WORDS.split(",").some(standsIn);
}

type Marker = (left: number) => string;

/** Text kept before the marker: the beginning, or both ends if the last lines look important and there is room. */
function kept(text: string, budget: number, minKeep: number): string {
  const upToLine = (head: string) => {
    const lines = head.split("\n");
    const whole = lines.slice(0, -1).join("\n");
    return lines.length > 1 && whole.length > head.length * 0.8 ? whole : head;
  };
  const fromLine = (tail: string) => {
    const [first = "", ...lines] = tail.split("\n");
    return lines.length > 0 && first.length < tail.length * 0.2 ? lines.join("\n") : tail;
  };
  const tailBudget = Math.min(Math.floor((budget * 3) / 10), 4000);
  const headBudget = budget - tailBudget - stringChars(MIDDLE);
  if (!isImportant(text) || budget <= 2 * minKeep || headBudget <= minKeep)
    return upToLine(longest(text, budget, "head"));
  return upToLine(longest(text, headBudget, "head")) + MIDDLE + fromLine(longest(text, tailBudget, "tail"));
}

function byDefinition(text: string, limit: number, minKeepChars: number, marker: Marker): string {
  if (text.length <= limit && stringChars(text) <= limit) return text;
  const minKeep = Math.max(0, Math.min(minKeepChars, limit - stringChars(marker(1))));
  const left = text.length - longest(text, limit, "head").length;
  const body = kept(text, Math.max(minKeep, limit - stringChars(marker(left))), minKeep);
  // As much of it as fits within the limit together with the note on the rest.
  const fitting = startsOf(body).findLast(
    ({ start, weight }) => weight + stringChars(marker(text.length - start.length)) <= limit,
  );
  if (fitting !== undefined) return fitting.start + marker(text.length - fitting.start.length);
  return longest(marker(text.length), limit, "head");
}

const point = fc.constantFrom("a", "a", "b", " ", "\n", "\n", "中", "😀");
const word = fc.constantFrom(...WORDS.split(","), "}", "terror", "results", "exit  code", "ERROR", "plain");
const text = fc.oneof(
  fc.array(point, { maxLength: 40 }).map((points) => points.join("")),
  fc
    .tuple(
      fc.array(point, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 12 }),
      word,
      fc.array(point, { maxLength: 6 }),
    )
    .map(([points, times, last, rest]) => points.join("").repeat(times) + last + rest.join("")),
);

describe("fitHead and fitTail", () => {
  it("return the longest part within a budget", () => {
    const odd = fc.string({ unit: "binary", maxLength: 30 });
    const property = fc.property(fc.oneof(text, odd), fc.integer({ min: -3, max: 300 }), (sample, budget) => {
      expect(fitHead(sample, budget)).toBe(longest(sample, budget, "head"));
      expect(fitTail(sample, budget)).toBe(longest(sample, budget, "tail"));
      expect(fitHead(sample, budget + 0.5)).toBe(fitHead(sample, budget));
    });
    fc.assert(property, { numRuns: 200 });
  });
});

it("respect a budget between a text's unit count and its size", () => {
  const sample = `${"a".repeat(90)}中中中`;
  expect(fitTail(sample, 100)).toBe(`${"a".repeat(88)}中中中`);
  expect(fitHead(sample, 100)).toBe(`${"a".repeat(90)}中中`);
});

describe("a truncated result", () => {
  // Short markers leave room for both ends in short texts; their length changes with the number in them.
  const marker = (left: number) => `[${Math.max(1, left)}]`;

  it("matches the definition", () => {
    const property = fc.property(
      text,
      fc.integer({ min: -2, max: 400 }),
      fc.integer({ min: -2, max: 120 }),
      (sample, limit, keep) => {
        expect(truncateResultText(sample, limit, { minKeepChars: keep, marker })).toBe(
          byDefinition(sample, limit, keep, marker),
        );
        expect(truncateResultText(sample, limit, { minKeepChars: keep })).toBe(
          byDefinition(sample, limit, keep, truncationMarker),
        );
      },
    );
    // With the note in its middle, the kept text is longer than the whole was.
    const longer: [string, number, number] = [`${"中中 ".repeat(10)}error`, 94, 0];
    fc.assert(property, { numRuns: 600, examples: [longer] });
  });

  it("states the number of omitted units, even if a shorter number would leave more room", () => {
    for (let limit = 0; limit <= 130; limit++) {
      const sample = "x".repeat(115);
      expect(truncateResultText(sample, limit, { marker })).toBe(byDefinition(sample, limit, 2000, marker));
    }
  });

  it("keeps both ends above twice the minimum, and more than the minimum at the beginning", () => {
    const sample = `${"x".repeat(690)} total: 1`;
    const cut = (limit: number, keep: number) => truncateResultText(sample, limit, { minKeepChars: keep, marker });
    // The marker has three digits: a limit of 405 leaves a budget of 400, one of 105 a budget of 100.
    expect(cut(405, 200)).not.toContain(MIDDLE);
    expect(cut(405, 199)).toContain(MIDDLE);
    const head = 100 - 30 - stringChars(MIDDLE);
    expect(cut(105, head)).not.toContain(MIDDLE);
    expect(cut(105, head - 1)).toContain(MIDDLE);
  });

  it("is cut at nearby line ends on both sides", () => {
    const sample = `${`${"x".repeat(39)}\n`.repeat(30)}${"y".repeat(25)} done`;
    for (let limit = 200; limit < 400; limit++) {
      const cut = truncateResultText(sample, limit, { minKeepChars: 10, marker });
      expect(cut).toBe(byDefinition(sample, limit, 10, marker));
    }
  });

  it("drops a tail's first line only if it is shorter than a fifth of the tail", () => {
    // A limit of 105 leaves a budget of 100, and 30 for the tail.
    const cut = (tail: string) => truncateResultText("x".repeat(400) + tail, 105, { minKeepChars: 0, marker });
    expect(cut(`yyyyyy\n${"z".repeat(18)} done`)).toContain(`${MIDDLE}yyyyyy\nz`);
    expect(cut(`yyyyy\n${"z".repeat(19)} done`)).toContain(`${MIDDLE}z`);
  });

  it("keeps at least 2,000 units by default, and up to 4,000 units of an important end", () => {
    const log = `${"line of a log\n".repeat(1500)}done`;
    const cut = truncateResultText(log, 16_000);
    expect(cut).toBe(byDefinition(log, 16_000, 2000, truncationMarker));
    expect(cut.indexOf(MIDDLE)).toBeGreaterThan(11_000);
    expect(truncateResultText(log, 4000)).not.toContain(MIDDLE);
    expect(stringChars(truncateResultText("x".repeat(9000), 2050))).toBe(2050);
  });
});

describe("a text's end", () => {
  it("is important if it contains certain words", () => {
    const property = fc.property(text, (sample) => {
      expect(hasImportantTail(sample)).toBe(isImportant(sample));
    });
    fc.assert(property, { numRuns: 500 });
  });

  it.each(WORDS.split(","))("is important with the word %s, and not with a longer word", (name) => {
    expect(hasImportantTail(`it is ${name.toUpperCase()}.`)).toBe(true);
    expect(hasImportantTail(`x${name}`)).toBe(false);
    expect(hasImportantTail(`${name}x`)).toBe(false);
  });

  it("covers the last 2,000 units", () => {
    expect(hasImportantTail(`error${" ".repeat(1995)}`)).toBe(true);
    expect(hasImportantTail(`error${" ".repeat(1996)}`)).toBe(false);
    expect(hasImportantTail('{"a": 1} \n')).toBe(true);
    expect(hasImportantTail('{"a": 1}, ')).toBe(false);
    expect(hasImportantTail("")).toBe(false);
  });
});

it("a marker names at least one unit", () => {
  expect(truncationMarker(12)).toBe("[... 12 more characters truncated; rerun with narrower args if needed]");
  expect([truncationMarker(0), truncationMarker(-5)]).toEqual([truncationMarker(1), truncationMarker(1)]);
});
