/**
 * Measures the speed of the exact token counts, and checks that they equal js-tiktoken's over the recordings. Arguments: `cl100k` measures
 * that encoding instead of o200k; `warm`, `fresh`, `hostile`, `rules` and `equality` run only these parts; `cpu` measures processor time, for
 * a machine that does other work.
 */
import { execFileSync } from "node:child_process";
import { assert, assertDefined } from "@/lib/core/base/assert";
import { CL100K_PATTERN, O200K_PATTERN } from "@/lib/core/tokens/scanner";
import type { Encoding } from "@/lib/server/tokens/tables";
import { type Counter, isLibraryName, LIBRARIES, LIBRARY_NAMES, type LibraryName } from "./tokenise/libraries";
import { pieces, RULE_IDS, rulePass } from "./tokenise/rules";
import { makeText, recordedTexts, TEXT_NAMES, type TextName } from "./tokenise/texts";

const RUNS = 5;
const WARMING_MS = 700;
const UNITS = 1_000_000;
/** Share of the text that js-tiktoken gets, because it takes half a minute for a megabyte of Chinese. */
const SLOW_UNITS: Readonly<Record<TextName, number>> = {
  "English and code": 400_000,
  Chinese: 60_000,
  base64: 200_000,
  "minified JS": 400_000,
};
/** Pieces above this length are compared with tiktoken, because js-tiktoken would take minutes. */
const LONG_PIECE = 2000;

/** Prints the tables. */
export async function main(args: string[]): Promise<void> {
  const encoding: Encoding = args.includes("cl100k") ? "cl100k" : "o200k";
  const child = args.indexOf("--child");
  if (args.includes("cpu")) clock = processorTime;
  if (child >= 0) return measureOnce(encoding, args[child + 1], args[child + 2]);
  const parts = PARTS.filter((part) => args.includes(part));
  for (const part of parts.length === 0 ? PARTS : parts) await WORK[part](encoding);
}

const PARTS = ["warm", "fresh", "hostile", "rules", "equality"] as const;

const WORK: Readonly<Record<(typeof PARTS)[number], (encoding: Encoding) => Promise<void>>> = {
  warm: printWarm,
  fresh: async (encoding) => printFresh(encoding),
  hostile: printHostile,
  rules: printRules,
  equality: compareBoth,
};

function unitsFor(library: LibraryName, name: TextName): number {
  return library === "js-tiktoken" ? SLOW_UNITS[name] : UNITS;
}

function rate(text: string, milliseconds: number): number {
  return Buffer.byteLength(text) / 1000 / milliseconds;
}

function median(values: readonly number[]): number {
  return assertDefined([...values].sort((a, b) => a - b)[values.length >> 1], "a value");
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function printHeader(title: string, columns: readonly string[]): void {
  console.log(`${title}\n\n${row(["", ...columns])}\n${row(["---", ...columns.map(() => "--:")])}`);
}

/** The libraries take turns, so that a busy machine slows all alike. Another text of the same kind warms up the code first. */
async function printWarm(encoding: Encoding): Promise<void> {
  const counters = await Promise.all(LIBRARY_NAMES.map((library) => LIBRARIES[library](encoding)));
  const rates = TEXT_NAMES.map((name) => {
    const texts = LIBRARY_NAMES.map((library) => makeText(name, unitsFor(library, name) * 2));
    for (const [i, counter] of counters.entries()) warm(counter, secondHalf(texts[i]));
    const runs = Array.from({ length: RUNS }, () =>
      counters.map((counter, i) => firstPass(counter, firstHalf(texts[i]))),
    );
    return LIBRARY_NAMES.map((_, i) => median(runs.map((run) => assertDefined(run[i], "a rate"))));
  });
  printHeader(`${encoding}, first pass, code warm, caches empty, MB/s (in brackets: times js-tiktoken)`, TEXT_NAMES);
  const slow = LIBRARY_NAMES.indexOf("js-tiktoken");
  for (const [i, library] of LIBRARY_NAMES.entries()) {
    const cells = rates.map((of) => `${of[i]?.toFixed(2)} (${((of[i] ?? 0) / (of[slow] ?? 0)).toFixed(1)})`);
    console.log(row([library, ...cells]));
  }
  console.log("");
}

function firstHalf(text = ""): string {
  return text.slice(0, text.length / 2);
}

function secondHalf(text = ""): string {
  return text.slice(text.length / 2);
}

function warm(counter: Counter, text: string): void {
  const start = performance.now();
  while (performance.now() - start < WARMING_MS) firstPass(counter, text);
}

function firstPass(counter: Counter, text: string): number {
  counter.forget();
  return rate(
    text,
    timed(() => counter.count(text)),
  );
}

function timed(work: () => void): number {
  const start = clock();
  work();
  return clock() - start;
}

/** Milliseconds of wall-clock time, or with the argument `cpu` this process's processor time. */
let clock = (): number => performance.now();

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Measures the first count and the reading of the tables, each value in a new process. */
function printFresh(encoding: Encoding): void {
  printHeader(`${encoding}, first pass of a new process, MB/s`, [...TEXT_NAMES, "tables, ms"]);
  for (const library of LIBRARY_NAMES) {
    const inits: number[] = [];
    const cells = TEXT_NAMES.map((name) => {
      const runs = Array.from({ length: RUNS }, () => {
        const [init, speed] = inNewProcess(encoding, library, name);
        inits.push(init);
        return speed;
      });
      return median(runs).toFixed(2);
    });
    console.log(row([library, ...cells, median(inits).toFixed(0)]));
  }
  console.log("");
}

function inNewProcess(encoding: Encoding, library: LibraryName, name: TextName): readonly [number, number] {
  const program = `import(${JSON.stringify(import.meta.url)}).then((bench) => bench.main(process.argv.slice(1)))`;
  const byProcessor = clock === processorTime ? ["cpu"] : [];
  const args = ["--input-type=module", "-e", program, "--", encoding, ...byProcessor, "--child", library, name];
  const [init, speed] = execFileSync(process.execPath, args, { encoding: "utf8" }).split(" ").map(Number);
  return [assertDefined(init, "the time of the tables"), assertDefined(speed, "the speed")];
}

async function measureOnce(encoding: Encoding, library = "", name = ""): Promise<void> {
  const textName = TEXT_NAMES.find((each) => each === name);
  assert(isLibraryName(library) && textName !== undefined, "--child with a library and a text");
  const text = makeText(textName, unitsFor(library, textName));
  const start = clock();
  const counter = await LIBRARIES[library](encoding);
  const init = clock() - start;
  console.log(
    `${init} ${rate(
      text,
      timed(() => counter.count(text)),
    )}`,
  );
}

/** Measures runs that a split pattern cannot cut. Only with our own counter, because the others take from seconds to hours. */
async function printHostile(encoding: Encoding): Promise<void> {
  const runs: Readonly<Record<string, (units: number) => string>> = {
    "one letter": (n) => "a".repeat(n),
    spaces: (n) => " ".repeat(n),
    rulers: (n) => "=".repeat(n),
    "one Chinese character": (n) => "中".repeat(n),
    "any Chinese": (n) =>
      makeText("Chinese", n * 2)
        .replace(/\P{Lo}+/gu, "")
        .slice(0, n),
    emoji: (n) => "😀".repeat(n / 2),
    base64: (n) => makeText("base64", n),
    "base64 without digits": (n) =>
      makeText("base64", n * 2)
        .replace(/[\d+/]+/g, "")
        .slice(0, n),
  };
  const counter = await LIBRARIES.own(encoding);
  printHeader(`${encoding}, own, one run, ms`, ["200,000 units", "5,000,000 units"]);
  for (const [name, run] of Object.entries(runs)) {
    const [short, long] = [run(200_000), run(5_000_000)];
    const times = Array.from({ length: RUNS }, () => timed(() => counter.count(short)));
    console.log(row([name, median(times).toFixed(0), timed(() => counter.count(long)).toFixed(0)]));
  }
  console.log("");
}

/** Measures the rules of thumb on texts as long as a tool's output. */
async function printRules(): Promise<void> {
  const texts = TEXT_NAMES.map((name) => pieces(makeText(name, UNITS * 4)));
  printHeader("Rules of thumb, MB/s", TEXT_NAMES);
  for (const id of RULE_IDS) {
    const pass = await rulePass(id);
    const cells = texts.map((list) => {
      const whole = list.join("");
      const runs = Array.from({ length: RUNS + 1 }, () =>
        rate(
          whole,
          timed(() => pass(list)),
        ),
      );
      return median(runs.slice(1)).toFixed(0);
    });
    console.log(row([id, ...cells]));
  }
  console.log("");
}

async function compareBoth(): Promise<void> {
  for (const encoding of ["o200k", "cl100k"] as const) await compare(encoding);
}

/** Compares our own count of every recorded text with js-tiktoken's, or with tiktoken's for texts with a long piece. */
async function compare(encoding: Encoding): Promise<void> {
  const texts = recordedTexts();
  if (texts.size === 0) return console.log("No recordings beside the project: nothing compared.");
  const pattern = new RegExp(encoding === "o200k" ? O200K_PATTERN : CL100K_PATTERN, "gu");
  const own = await LIBRARIES.own(encoding);
  const reference = await LIBRARIES["js-tiktoken"](encoding);
  const native = await LIBRARIES["tiktoken (WASM)"](encoding);
  let tokens = 0;
  let different = 0;
  let long = 0;
  for (const text of texts) {
    const isLong = text.length > LONG_PIECE && hasLongPiece(text, pattern);
    const expected = (isLong ? native : reference).count(text);
    const count = own.count(text);
    tokens += expected;
    if (isLong) long++;
    if (count === expected) continue;
    different++;
    console.log(`${encoding}: ${count} instead of ${expected} tokens for ${JSON.stringify(text.slice(0, 80))}`);
  }
  console.log(
    `${encoding}: ${texts.size} texts of recordings, ${tokens} tokens, ${long} by tiktoken, ${different} different`,
  );
  if (different > 0) process.exitCode = 1;
}

function hasLongPiece(text: string, pattern: RegExp): boolean {
  for (const [piece] of text.matchAll(pattern)) if (piece.length > LONG_PIECE) return true;
  return false;
}
