import { expect, test } from "vitest";
import { promptText } from "@/lib/agents/claude-code/read/origin";
import { pathsInText } from "@/lib/agents/clawdcode/summary/file-analyzer";
import { processorMs } from "@/lib/core/testing/processor-time";
import { hostileTexts } from "./hostile-texts.mjs";
import { regexesOf } from "./regexes.mjs";

/**
 * Regular expressions over foreign text must be linear. Hostile texts of this length take a linear matcher well under a
 * millisecond of processor time, a quadratic one a quarter of a second.
 */
const LENGTH = 25 << 10;
/**
 * Up to this length a text grows by two characters at a time: if each of them doubles the time, the next longer text would take hours.
 */
const STEPPED = 50;
const LIMIT_MS = 100;
/** The best of a few runs counts: the first may include other work of the runtime. */
const RUNS = 2;

const { literals, built } = regexesOf("lib");

/**
 * Expressions over names of files on this machine or the user's own input, a line each: these are short, and harm only the user.
 */
const SHORT_TEXTS: readonly string[] = [
  // lib/cli/input/standard-input.ts: a path of the command line
  String.raw`/[\\/]+$/`,
];

function bestOf(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS && best > LIMIT_MS; run++) {
    const started = processorMs();
    work();
    best = Math.min(best, processorMs() - started);
  }
  return best;
}

/** The text over which the expression takes too long, tried with growing length. */
function slowest(source: string, flags: string): string | undefined {
  const regex = new RegExp(source, flags);
  for (let length = 20; length <= LENGTH; length = length < STEPPED ? length + 2 : length * 2) {
    const slow = hostileTexts(source, flags, length).find((text) => bestOf(() => text.replace(regex, "")) > LIMIT_MS);
    if (slow !== undefined) return `${JSON.stringify(slow.slice(0, 60))} … ${JSON.stringify(slow.slice(-10))}`;
  }
  return undefined;
}

test("every regular expression of the sources takes time proportional to its text", () => {
  const distinct = new Map(literals.map((literal) => [`/${literal.source}/${literal.flags}`, literal]));
  expect(distinct.size).toBeGreaterThan(100);
  const slow = [...distinct].flatMap(([name, { file, source, flags }]) => {
    const text = SHORT_TEXTS.includes(name) ? undefined : slowest(source, flags);
    return text === undefined ? [] : [`${name} in ${file}: ${text}`];
  });
  expect(slow).toEqual([]);
});

test.each([
  ["(a+)+$", ""],
  ["\\s+$", ""],
])("a quadratic expression is found: %s", (source, flags) => {
  expect(slowest(source, flags)).toBeDefined();
});

/** Expressions that are built at run time, by the function that uses them. */
const BUILT: Readonly<Record<string, (text: string) => unknown>> = {
  "lib/agents/claude-code/read/origin.ts": (text) => promptText({ blocks: [{ kind: "text", text }], odd: [] }),
  "lib/agents/clawdcode/summary/file-analyzer.ts": pathsInText,
  // Names of tools between angle brackets, without repetition.
  "lib/agents/shared/task-history.ts": () => undefined,
  // From our own patterns, over names of files.
  "lib/server/list/files/patterns.ts": () => undefined,
};

test("expressions built at run time are listed, and linear", () => {
  expect([...new Set(built)].sort()).toEqual(Object.keys(BUILT).sort());
  const pieces = [" ", "a", "/", "a/", "./", "a.b", " a/b.c", '"', "a.", "<", "<bash-input", "\n", "`", "..", "-"];
  for (const [file, run] of Object.entries(BUILT)) {
    for (const start of ["", " ", " /", " ./", '"a/']) {
      for (const piece of pieces) {
        const text = `${start}${piece.repeat(Math.floor(LENGTH / piece.length))}\u0001`;
        expect([file, start, piece, bestOf(() => run(text)) < LIMIT_MS]).toEqual([file, start, piece, true]);
      }
    }
  }
});
