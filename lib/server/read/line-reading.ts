import { signatureOfContent, tablesOf } from "@/lib/agents/known-signatures";
import { RecordKinds } from "@/lib/core/records/intact-record";
import { LineSplitter, type RawLine, recordsOfLine } from "@/lib/core/records/jsonl";
import type { Damage } from "@/lib/core/records/problem";
import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { counters } from "../base/counters";
import { InputError, otherProgramError, tooLargeDocument } from "../base/input-error";
import { LIMITS } from "../base/limits";
import { decodeAscii, decodeUtf8, includesByte, latin1 } from "./decode";
import type { Intake } from "./intake";

/** Reads the bytes of a file of lines as they arrive. Its result so far is available at any time, and reading may continue. */
export class LineReading {
  readonly #intake: Intake;
  readonly #name: string;
  readonly #splitter: LineSplitter;
  readonly #kinds = new RecordKinds();
  #bytes = 0;
  #binary = false;
  /** True while the end of the bytes is handled: the last line may be incomplete. */
  #ending = false;
  #unfinished: Damage | undefined;
  /** The last line, if its records were read before its line break arrived. */
  #taken: { readonly line: number; readonly length: number } | undefined;
  #beginning: Uint8Array = new Uint8Array(0);
  #torn = false;
  #tooLong = false;

  constructor(intake: Intake, name: string, maxLineBytes: number = LIMITS.maxLineBytes) {
    this.#intake = intake;
    this.#name = name;
    this.#splitter = new LineSplitter({
      decode: decodeUtf8,
      decodeAscii,
      maxLineBytes,
      onLine: (line, bytes) => this.#line(line, bytes),
      onTooLong: (damage) => {
        this.#tooLong = true;
        this.#damage(damage);
      },
    });
  }

  /** Number of bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** True if the last line grew after its records were read: the result then differs from the file. */
  get torn(): boolean {
    return this.#torn;
  }

  /** Takes the next bytes. Throws `InputError` if they are not text. */
  push(chunk: Uint8Array): void {
    if (this.#bytes === 0) this.#begin(chunk);
    this.#binary ||= this.#bytes < LIMITS.binaryBytes && includesByte(chunk, 0);
    this.#bytes += chunk.length;
    this.#splitter.push(chunk);
    if (this.#binary && !this.#intake.recognised && this.#bytes >= LIMITS.binaryBytes) throw this.#binaryError();
  }

  #begin(chunk: Uint8Array): void {
    this.#beginning = chunk.slice(0, LIMITS.beginningBytes);
    this.#intake.begins(this.#beginning);
  }

  /** The file ends, so its last line is whole. Throws `InputError` if it is not text. */
  end(): void {
    this.#end();
    if (this.#unfinished !== undefined) this.#intake.damage(this.#unfinished);
  }

  /** The result so far, equal to reading only these bytes. Throws `InputError` without any. */
  soFar(beingWritten: boolean): { transcript: Transcript; reader: Reader } {
    this.#end();
    return this.#intake.soFar(this.#unfinished, beingWritten);
  }

  #end(): void {
    this.#unfinished = undefined;
    this.#ending = true;
    this.#splitter.end();
    this.#ending = false;
    if (this.#binary && this.#intake.records === 0) throw this.#binaryError();
    if (this.#tooLong && this.#intake.records === 0) throw tooLargeDocument(this.#name);
  }

  #line(raw: RawLine, bytes: Uint8Array | undefined): void {
    counters.linesParsed += 1;
    const { records, damage } = withoutStacks(() => recordsOfLine(raw, bytes, this.#kinds));
    if (raw.line !== this.#taken?.line) for (const record of records) this.#intake.record(record);
    else if (raw.length !== this.#taken.length) this.#torn = true;
    if (this.#ending && records.length > 0) this.#taken = raw;
    if (damage !== undefined) this.#damage(damage);
  }

  #damage(damage: Damage): void {
    if (this.#ending) this.#unfinished = damage;
    else this.#intake.damage(damage);
  }

  #binaryError(): InputError {
    const beginning = latin1(this.#beginning);
    const known = signatureOfContent(beginning);
    if (known !== undefined) return otherProgramError(known, this.#name);
    const tables = tablesOf(beginning).slice(0, 8);
    const what = tables.length === 0 ? "a binary file" : `a SQLite database (tables: ${tables.join(", ")})`;
    return new InputError("binary", `${this.#name} is ${what}, not a transcript.`);
  }
}

/** Every damaged line costs a thrown `SyntaxError`; most of that cost is the unused stack. */
function withoutStacks<T>(work: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
