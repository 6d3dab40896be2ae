import type { SourceRecord } from "@/lib/core/records/fields";
import { randomNumbers } from "./random";

/** Lists and objects nested in each other. */
function nested(levels: number): string {
  return `${'{"a":['.repeat(levels / 2)}${"]}".repeat(levels / 2)}`;
}

/**
 * For tests: values that no format expects in their place. Among them are a value nested as deep as a record may be, and a text whose JSON is
 * nested deeper.
 */
const ODD = [
  ...[null, 0, -1, 1e300, "", "\ud800", "REDACTED", true, [], {}, [null], { id: 1 }, "__proto__"],
  ...["constructor", "toString", { toString: 1, valueOf: [] }],
  ...[JSON.parse(nested(900)), nested(5000)],
];

/** Keys that have a meaning in some format. */
const ADDED = ["role", "type", "payload", "message", "content", "toString"];

/** The records with a value replaced or missing now and then; always the same for the same seed. */
export function oddRecords(records: readonly SourceRecord[], seed: number): readonly SourceRecord[] {
  const random = randomNumbers(seed);
  return records.flatMap((record) => {
    const value = changed(record.value, random);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    // The line above checked that it is an object.
    return [{ ...record, value: value as SourceRecord["value"] }];
  });
}

function changed(value: unknown, random: (below: number) => number): unknown {
  if (random(12) === 0) return ODD[random(ODD.length)];
  if (Array.isArray(value)) return value.map((entry) => changed(entry, random));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(() => random(30) !== 0);
  const added = random(30) === 0 ? [[ADDED[random(ADDED.length)] ?? "", ODD[random(ODD.length)]] as const] : [];
  return Object.fromEntries([...added, ...entries.map(([key, entry]) => [key, changed(entry, random)] as const)]);
}
