import { agentOfFormat, FORMATS } from "@/lib/agents/agents";
import { signatureOf, signatureOfContent } from "@/lib/agents/known-signatures";
import { readerOf } from "@/lib/agents/registry";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { Damage } from "@/lib/core/records/problem";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import { type FormatOffer, InputError, otherProgramError } from "../base/input-error";
import { LIMITS } from "../base/limits";
import { latin1 } from "./decode";

type Sniff = (head: readonly Readonly<Record<string, unknown>>[]) => Reader | undefined;

/** Takes the records of one file: holds the first ones until a reader recognises them, then passes all on to that reader's parser. */
export class Intake {
  readonly #builder: TranscriptBuilder;
  readonly #name: string;
  readonly #sniff: Sniff;
  #sniffRecords: number;
  readonly #takes: () => boolean;
  readonly #companionOf: (reader: Reader) => string | undefined;
  #head: SourceRecord[] = [];
  #headBytes = 0;
  #chosen: { reader: Reader; parser: RecordParser } | undefined;
  #damaged = 0;
  #beginning: Uint8Array = new Uint8Array(0);
  records = 0;

  /**
   * @param sniffRecords maximum records that a reader examines before it accepts or rejects the file
   * @param takes called for every record; returns true if it belongs to the session
   * @param companionOf returns the text of the reader's companion file, if there is one
   */
  constructor(
    builder: TranscriptBuilder,
    name: string,
    sniff: Sniff,
    sniffRecords: number = LIMITS.sniffRecords,
    takes: () => boolean = () => true,
    companionOf: (reader: Reader) => string | undefined = () => undefined,
  ) {
    this.#builder = builder;
    this.#name = name;
    this.#sniff = sniff;
    this.#sniffRecords = sniffRecords;
    this.#takes = takes;
    this.#companionOf = companionOf;
  }

  /** Takes the file's first bytes, which identify a file without records. */
  begins(bytes: Uint8Array): void {
    this.#beginning = bytes;
  }

  /** True after a reader has accepted the file. */
  get recognised(): boolean {
    return this.#chosen !== undefined;
  }

  /** Takes a document's records. All are present, so a reader examines all before it accepts them. */
  document(records: readonly SourceRecord[]): void {
    this.#sniffRecords = Number.POSITIVE_INFINITY;
    for (const record of records) this.record(record);
  }

  record(record: SourceRecord): void {
    if (!this.#takes()) return;
    this.records += 1;
    if (this.#chosen !== undefined) {
      this.#chosen.parser.record(record);
      return;
    }
    this.#head.push(record);
    this.#headBytes += record.length;
    if (this.#head.length >= this.#sniffRecords || this.#headBytes >= LIMITS.sniffBytes) this.#choose();
  }

  damage(damage: Damage): void {
    this.#damaged += 1;
    if (this.#damaged <= LIMITS.damagedLines) this.#builder.damagedLine(damage);
    else this.#builder.problem("damaged-line", damage.line, damage.reason);
  }

  /** Ends the file and returns its reader. Throws `InputError` if none accepted it. */
  end(): Reader {
    // With too few records for a decision, they stay held: after further ones, another reader may recognise them.
    const { reader, parser } = this.#chosen ?? this.#tryReader();
    parser.end();
    return reader;
  }

  /**
   * The records so far, as if the file ended here; more may come afterwards.
   * @param last damage of an incomplete last line
   * @param beingWritten true if the file is known to grow: then an incomplete record at its end is not damage
   */
  soFar(last: Damage | undefined, beingWritten: boolean): { transcript: Transcript; reader: Reader } {
    const damaged = this.#damaged;
    const state = this.#builder.checkpoint();
    try {
      if (beingWritten && last?.reason === "cut off") this.#builder.problem("unfinished-line", last.line);
      else if (last !== undefined) this.damage(last);
      const reader = this.end();
      return { reader, transcript: this.#builder.finish(reader.format, agentOfFormat(reader.format)) };
    } finally {
      this.#builder.restore(state);
      this.#damaged = damaged;
    }
  }

  #choose(): void {
    this.#chosen = this.#tryReader();
    this.#head = [];
  }

  #tryReader(): { reader: Reader; parser: RecordParser } {
    const reader = this.#sniff(this.#head.map((record) => record.value));
    if (reader === undefined) throw unknownFormat(this.#name, this.#head, this.#damaged, this.#beginning);
    const tried = { reader, parser: reader.parse(this.#builder, this.#companionOf(reader)) };
    for (const record of this.#head) tried.parser.record(record);
    return tried;
  }
}

/** Describes the records: their number and first keys, but never a value. */
function unknownFormat(
  name: string,
  head: readonly SourceRecord[],
  damaged: number,
  beginning: Uint8Array,
): InputError {
  const known = head.length === 0 ? signatureOfContent(latin1(beginning)) : signatureOf(head.map(({ value }) => value));
  if (known !== undefined) return otherProgramError(known, name, head.length === 0 ? [] : formatOffers(head));
  if (head.length === 0) return new InputError("unknown-format", noRecords(name, damaged));
  return new InputError("unknown-format", noReader(name, head), formatOffers(head));
}

function noRecords(name: string, damaged: number): string {
  if (damaged === 0) return `${name} holds nothing but blank lines.`;
  if (damaged === 1) return `${name} is not a transcript: its one line is not a JSON object.`;
  return `${name} is not a transcript: none of its ${damaged} lines is a JSON object.`;
}

function noReader(name: string, head: readonly SourceRecord[]): string {
  const keys = [...new Set(head.slice(0, 5).flatMap((record) => Object.keys(record.value)))].slice(0, 8).map(printable);
  const count = head.length === 1 ? "one JSON record" : `${head.length} JSON records`;
  const seen = keys.length === 0 ? "without keys" : `first keys: ${keys.join(", ")}`;
  return `${name} is not a transcript of a known format: ${count} seen, ${seen}.`;
}

function printable(key: string): string {
  const clean = key.replace(/[^\p{L}\p{N}_.$-]/gu, "?");
  return clean.length > 32 ? `${clean.slice(0, 31)}…` : clean;
}

/** Every format, for records that no reader recognised: most messages first, then fewest oddities, then formats without an agent. */
function formatOffers(head: readonly SourceRecord[]): readonly FormatOffer[] {
  const ids = FORMATS.map(({ id }) => id);
  const plain = ids.filter((id) => agentOfFormat(id) === null);
  return [...plain.reverse(), ...ids.filter((id) => agentOfFormat(id) !== null)]
    .map((format) => ({ format, ...foundAs(format, head) }))
    .sort((a, b) => b.messages - a.messages || a.oddities - b.oddities)
    .map(({ format, messages }) => ({ format, messages }));
}

function foundAs(format: string, head: readonly SourceRecord[]): { messages: number; oddities: number } {
  const builder = new TranscriptBuilder({ keepChars: LIMITS.keepChars, byteLength: Buffer.byteLength });
  const parser = readerOf(format)?.parse(builder);
  for (const record of head) parser?.record(record);
  parser?.end();
  const { problems } = builder.finish(format, agentOfFormat(format));
  return { messages: builder.messageCount, oddities: problems.reduce((sum, { count }) => sum + count, 0) };
}
