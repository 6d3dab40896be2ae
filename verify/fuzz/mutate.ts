import { Random } from "./random";

/** Changes to a file's bytes, lines and records: damage by tools and people, and some that nobody would make. */

type Change = (bytes: Buffer, random: Random, others: readonly Buffer[]) => Buffer;

/** Returns a changed file; the same seed gives the same one. @param others files to take lines from */
export function mutated(bytes: Buffer, seed: number, others: readonly Buffer[]): Buffer {
  const random = new Random(seed);
  let changed = bytes;
  for (let left = random.int(1, 4); left > 0; left--) changed = random.pick(CHANGES)(changed, random, others);
  return changed;
}

const LF = 0x0a;

/** Characters that have a meaning to one of the parsers. */
const SIGNIFICANT = [
  '"',
  "\\",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "\n",
  "\r",
  "\0",
  "\ufeff",
  "é",
  "字",
  "\ud83d\ude00",
  " ",
];

const BYTES: readonly Change[] = [
  (bytes, random) => {
    const flipped = Buffer.from(bytes);
    for (let left = random.int(1, 8); left > 0 && flipped.length > 0; left--) {
      const at = random.int(0, flipped.length - 1);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << random.int(0, 7));
    }
    return flipped;
  },
  (bytes, random) => inserted(bytes, random, Buffer.from(random.pick(SIGNIFICANT))),
  (bytes, random) => inserted(bytes, random, Buffer.from([random.int(0x80, 0xff), random.int(0, 0xff)])),
  (bytes, random) =>
    inserted(bytes, random, Buffer.alloc(random.int(1, 5000), random.pick(["\0", "a", "[", '{"a":', "\\"]))),
  (bytes, random) => without(bytes, random, random.int(1, 200)),
  (bytes, random) => bytes.subarray(0, random.int(0, bytes.length)),
  (bytes, random) => {
    const from = random.int(0, bytes.length);
    return inserted(bytes, random, bytes.subarray(from, from + random.int(1, 2000)));
  },
  (bytes) => Buffer.concat([Buffer.from("\ufeff"), bytes]),
];

const LINES: readonly Change[] = [
  (bytes, random) => onLines(bytes, (lines) => lines.splice(random.int(0, lines.length - 1), random.int(1, 3))),
  (bytes, random) =>
    onLines(bytes, (lines) => lines.splice(random.int(0, lines.length), 0, random.pick(lines), random.pick(lines))),
  (bytes, random) =>
    onLines(bytes, (lines) => {
      const [line] = lines.splice(random.int(0, lines.length - 1), 1);
      if (line !== undefined) lines.splice(random.int(0, lines.length), 0, line);
    }),
  (bytes) => onLines(bytes, (lines) => lines.reverse()),
  (bytes, random) => {
    const at = bytes.indexOf(LF, random.int(0, bytes.length));
    return at < 0 ? bytes : Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
  },
  (bytes, random) => inserted(bytes, random, Buffer.from("\n")),
  (bytes, random) =>
    onLines(bytes, (lines) =>
      lines.splice(
        random.int(0, lines.length),
        0,
        Buffer.from(random.pick(["", " \t", "null", "[]", "{}", "{", "text"])),
      ),
    ),
  (bytes, random, others) =>
    onLines(bytes, (lines) =>
      lines.splice(random.int(0, lines.length), 0, ...linesOf(random.pick(others)).slice(0, random.int(1, 5))),
    ),
  (bytes) => Buffer.from(bytes.toString("latin1").replace(/\n/g, "\r\n"), "latin1"),
];

const STRUCTURE: readonly Change[] = [
  (bytes, random) => onRecord(bytes, random, (holder, key) => delete holder[key]),
  (bytes, random) =>
    onRecord(bytes, random, (holder, key) => {
      holder[key] = random.pick(ODD_VALUES)();
    }),
  (bytes, random) =>
    onRecord(bytes, random, (holder, key) => {
      holder[key] = [holder[key], holder[key]];
    }),
  (bytes, random) =>
    onRecord(bytes, random, (holder, key) => {
      // Defines an own key, whatever its name, as JSON.parse does.
      const value = copyOf(holder[key]);
      Object.defineProperty(holder, random.pick(ODD_KEYS), {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }),
  (bytes, random) =>
    onRecord(bytes, random, (holder, key, record) => {
      holder[key] = copyOf(record.type ?? record.id);
    }),
  (bytes, random) =>
    onRecord(bytes, random, (_holder, _key, record) => {
      // Makes the record its own parent.
      for (const [id, parent] of LINKS) if (id in record) record[parent] = copyOf(record[id]);
    }),
];

const CHANGES: readonly Change[] = [...BYTES, ...LINES, ...STRUCTURE, ...STRUCTURE];

const LINKS = [
  ["uuid", "parentUuid"],
  ["id", "parentId"],
] as const;

const ODD_KEYS = ["__proto__", "constructor", "toString", "type", "content", "message", "id", "parts", "usage", ""];

const ODD_VALUES: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 0.5,
  () => 2 ** 53,
  () => 1e308,
  () => "",
  () => "REDACTED",
  () => "\ud800",
  () => "a\0b",
  () => "2026-02-30T25:61:61.000Z",
  () => "x".repeat(5000),
  () => "<".repeat(3000),
  () => [],
  () => ({}),
  () => [[], {}, null, "", 0],
  () => JSON.parse(`${'{"content":['.repeat(300)}${"]}".repeat(300)}`),
  () => ({ type: "text", text: ["no", "text"] }),
];

function inserted(bytes: Buffer, random: Random, what: Buffer): Buffer {
  const at = random.int(0, bytes.length);
  return Buffer.concat([bytes.subarray(0, at), what, bytes.subarray(at)]);
}

function without(bytes: Buffer, random: Random, length: number): Buffer {
  const at = random.int(0, bytes.length);
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
}

/** The lines of a file, without their ends. */
export function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  if (start < bytes.length || lines.length === 0) lines.push(bytes.subarray(start));
  return lines;
}

function onLines(bytes: Buffer, change: (lines: Buffer[]) => unknown): Buffer {
  const lines = linesOf(bytes);
  change(lines);
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
}

type Holder = Record<string, unknown>;

/** Changes one place within one record; a document is one record. */
function onRecord(
  bytes: Buffer,
  random: Random,
  change: (holder: Holder, key: string, record: Holder) => unknown,
): Buffer {
  const whole = parsed(bytes);
  const lines = whole === undefined ? linesOf(bytes) : [bytes];
  const at = random.int(0, lines.length - 1);
  const record = parsed(lines[at] ?? bytes);
  if (record === undefined) return bytes;
  const holders = holdersOf(record);
  const holder = random.pick(holders.length === 0 ? [record] : holders);
  change(holder, random.pick([...Object.keys(holder), "type"]), record);
  lines[at] = Buffer.from(JSON.stringify(record));
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from("\n"), line])));
}

function copyOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}

function parsed(bytes: Buffer): Holder | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    // Objects and lists alike have keys that can be changed.
    return typeof value === "object" && value !== null ? (value as Holder) : undefined;
  } catch {
    return undefined; // An earlier change damaged it.
  }
}

/** All objects and lists within a value that have at least one key. */
function holdersOf(value: unknown): Holder[] {
  const found: Holder[] = [];
  const open = [value];
  for (let next = open.pop(); next !== undefined && found.length < 2000; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const holder = next as Holder; // An object or a list; both are accessed by their keys.
    const inner = Object.values(holder);
    if (inner.length > 0) found.push(holder);
    for (const one of inner) if (one !== null && one !== undefined) open.push(one);
  }
  return found;
}
