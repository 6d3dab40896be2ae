import type { SourceRecord } from "@/lib/core/records/fields";
import type { Damage } from "@/lib/core/records/problem";

const LF = 0x0a;
const CR = 0x0d;
const BOM = Buffer.from("\ufeff");
const BLANK = new Set([0x20, 0x09, 0x0b, 0x0c, CR]);

/**
 * Checks that every byte of a file of lines is accounted for, and returns the first fault; `undefined` if there is none. It follows
 * docs/interfaces.md, "How inspect counts", lines, and not the splitter's code: a line is blank, or covered by records, or a damaged line of its
 * length. Complete records may precede the break in a damaged line.
 */
export function unaccounted(
  bytes: Buffer,
  records: readonly Pick<SourceRecord, "line" | "offset" | "length">[],
  damaged: readonly Damage[],
): string | undefined {
  const ofLine = grouped(records);
  const damage = new Map(damaged.map((one) => [one.line, one]));
  if (damage.size !== damaged.length) return "a line is damaged twice";
  let line = 0;
  for (const { start, end } of linesOf(bytes)) {
    line += 1;
    const wrong = lineProblem(bytes.subarray(start, end), start, ofLine.get(line) ?? [], damage.get(line));
    if (wrong !== undefined) return `line ${line}: ${wrong}`;
    ofLine.delete(line);
    damage.delete(line);
  }
  if (ofLine.size > 0) return "records of lines that the file does not have";
  return damage.size > 0 ? "damage of lines that the file does not have" : undefined;
}

type Place = Pick<SourceRecord, "line" | "offset" | "length">;

function lineProblem(
  line: Buffer,
  offset: number,
  records: readonly Place[],
  damage: Damage | undefined,
): string | undefined {
  if (damage !== undefined && damage.bytes !== line.length) return `${damage.bytes} bytes damaged of ${line.length}`;
  // The places of glued records are counted in the decoded text, so they are exact only if the bytes are UTF-8.
  if (records.length > 0 && !isUtf8(line)) return undefined;
  let covered = 0;
  for (const record of records) {
    const from = record.offset - offset;
    if (from < covered || from + record.length > line.length) return "a record that is not within its line";
    // Bytes that belong to no record are damage: an intact record after a cut one is read.
    if (damage === undefined && !isBlank(line.subarray(covered, from))) return "bytes between records";
    covered = from + record.length;
  }
  return damage === undefined && !isBlank(line.subarray(covered)) ? "bytes in no record" : undefined;
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => BLANK.has(byte));
}

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString("utf8")).equals(bytes);
}

function grouped(records: readonly Place[]): Map<number, Place[]> {
  const groups = new Map<number, Place[]>();
  for (const record of records) {
    const group = groups.get(record.line);
    if (group === undefined) groups.set(record.line, [record]);
    else group.push(record);
  }
  return groups;
}

/** Lines without their ends (LF, CR LF, a CR before the end of the file) and without a byte order mark at the start. */
function linesOf(bytes: Buffer): { start: number; end: number }[] {
  const lines: { start: number; end: number }[] = [];
  for (let start = 0; start < bytes.length; ) {
    const at = bytes.indexOf(LF, start);
    const stop = at < 0 ? bytes.length : at;
    const hasMark = start === 0 && bytes.subarray(0, BOM.length).equals(BOM);
    const end = stop > start && bytes[stop - 1] === CR ? stop - 1 : stop;
    lines.push({ start: hasMark ? BOM.length : start, end });
    start = stop + 1;
  }
  return lines;
}
