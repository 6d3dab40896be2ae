import { linesOf } from "./mutate";
import { Random } from "./random";

/**
 * Changes to the values of records, not to their form: impossible numbers and times, values of other types than a reader expects, and
 * lines of other formats among the file's own.
 */

/**
 * Returns a file with some of its values changed; the same seed gives the same one.
 * @param others files to take lines from
 */
export function withOddMetrics(bytes: Buffer, seed: number, others: readonly Buffer[]): Buffer {
  const random = new Random(seed);
  let lines = linesOf(bytes).map(String);
  const whole = parsed(bytes.toString("utf8"));
  // A document is one record, however many lines it takes.
  if (whole !== undefined) lines = [JSON.stringify(whole)];
  for (let left = random.int(1, 5); left > 0; left--) lines = random.pick(CHANGES)(lines, random, others);
  return Buffer.from(`${lines.join("\n")}\n`);
}

type Change = (lines: string[], random: Random, others: readonly Buffer[]) => string[];

const CHANGES: readonly Change[] = [
  ...Array<Change>(4).fill((lines, random) => swappedOnce(lines, random, isMetric)),
  ...Array<Change>(3).fill((lines, random) => swappedEverywhere(lines, random, isMetric)),
  (lines, random) => swappedOnce(lines, random, () => true),
  (lines, random) => swappedEverywhere(lines, random, () => true),
  (lines, random, others) => {
    const from = linesOf(random.pick(others));
    const start = random.int(0, Math.max(0, from.length - 1));
    return lines.toSpliced(random.int(0, lines.length), 0, ...from.slice(start, start + random.int(1, 8)).map(String));
  },
];

/** Replaces one value of one record. */
function swappedOnce(lines: readonly string[], random: Random, wanted: Wanted): string[] {
  const at = random.int(0, lines.length - 1);
  const record = parsed(lines[at] ?? "");
  const places = record === undefined ? [] : placesOf(record, wanted);
  if (record === undefined || places.length === 0) return [...lines];
  const { holder, key } = random.pick(places);
  holder[key] = oddValue(random, holder[key]);
  return lines.with(at, written(record));
}

/** Replaces the values of one key in many records, so that a value is odd in every response, and so are all its sums. */
function swappedEverywhere(lines: readonly string[], random: Random, wanted: Wanted): string[] {
  const records = lines.map(parsed);
  const places = records.map((record) => (record === undefined ? [] : placesOf(record, wanted)));
  const all = places.flat();
  if (all.length === 0) return [...lines];
  const { holder, key: name } = random.pick(all);
  const value = oddValue(random, holder[name]);
  const share = random.pick([0.2, 0.7, 1]);
  return lines.map((line, index) => {
    const record = records[index];
    if (record === undefined) return line;
    for (const { holder, key } of places[index] ?? []) {
      if (key === name && random.chance(share)) holder[key] = value;
    }
    return written(record);
  });
}

type Holder = Record<string, unknown>;
type Wanted = (value: unknown, key: string) => boolean;

/** True if a value is a number, or text in the form of a time or an amount. */
function isMetric(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && /^[\d.:+TZ-]{1,40}$/.test(value));
}

/** Marks a number that JSON.stringify cannot write. The mark is removed once the record is text. */
const RAW = "raw-number:";

const ODD_NUMBERS: readonly (() => unknown)[] = [
  ...[-1, -0, 0, 0.5, 1.5, 1e-9, 7, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1e21, 1e308].map(
    (value) => () => value,
  ),
  ...[1e9 - 1, 1e9, 1e9 + 1, 3e8, 7e8, -(2 ** 31), -1e308].map((value) => () => value),
  ...["1e309", "-1e309", "9007199254740993", "-0", "1E400"].map((text) => () => `${RAW}${text}`),
];

/** Times at and beyond the ends of the calendar, as texts, seconds and milliseconds. */
const ODD_TIMES: readonly (() => unknown)[] = [
  ...["0000-01-01T00:00:00.000Z", "0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "2100-01-01T00:00:01.000Z"],
  ...["9999-12-31T23:59:59.999Z", "+010000-01-01T00:00:00.000Z", "-000001-01-01T00:00:00.000Z", "+275760-09-13"],
  ...["2026-02-30T25:61:61.000Z", "NaN", "Infinity", "-1", "1e309"],
]
  .map((text) => (): unknown => text)
  .concat(
    [-1, 1, 1e9 + 1, 1e11, 4_102_444_800_000, 4_102_444_800_001, 253_402_300_800_000, 8.64e15, 1e16].map(
      (at) => () => at,
    ),
  );

const OTHER_TYPES: readonly (() => unknown)[] = [
  ...[null, true, false, "", "12", "-5", "NaN", "text", "REDACTED", "\ud800", "__proto__"].map((value) => () => value),
  () => [],
  () => ({}),
  () => [1, -1, null],
  () => ({ input: -1, tokens: 1e300, total: "x" }),
  () => deep(60),
  () => deep(450),
  () => deep(2000),
  () => JSON.stringify(deep(2000)),
];

/** Nested objects of this depth, each in a list. */
function deep(objects: number): unknown {
  return JSON.parse(`${'{"a":['.repeat(objects)}${"]}".repeat(objects)}`);
}

/** A replacement for a value: mostly another time for a time, and another number for a number. */
function oddValue(random: Random, value: unknown): unknown {
  const own = typeof value === "number" && value < 1e9 ? ODD_NUMBERS : [...ODD_TIMES, ...ODD_NUMBERS];
  return random.pick(random.chance(0.75) ? own : OTHER_TYPES)();
}

/** The places of the wanted values in a record. */
function placesOf(record: Holder, wanted: Wanted): { readonly holder: Holder; readonly key: string }[] {
  const places: { readonly holder: Holder; readonly key: string }[] = [];
  const open: Holder[] = [record];
  for (let holder = open.pop(); holder !== undefined && places.length < 5000; holder = open.pop()) {
    for (const [key, value] of Object.entries(holder)) {
      if (wanted(value, key)) places.push({ holder, key });
      if (typeof value === "object" && value !== null) open.push(value as Holder); // Objects and lists alike have keys.
    }
  }
  return places;
}

function written(record: Holder): string {
  return JSON.stringify(record).replace(new RegExp(`"${RAW}([^"]*)"`, "g"), "$1");
}

function parsed(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Holder) : undefined;
  } catch {
    return undefined; // Not a record: it stays unchanged.
  }
}
