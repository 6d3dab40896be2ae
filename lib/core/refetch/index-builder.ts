import { Integers } from "../base/growing";
import { IdTable } from "../base/id-table";
import type { ItemIndex } from "../base/units";
import type { RaggedColumn } from "../columns/columns";
import type { Message } from "../transcript/model";
import { isMaskedText } from "../transcript/title";
import { callArguments } from "./arguments";
import { isCheck, TO_DO } from "./checks";
import { significantLines, withoutReminders } from "./lines";
import { namesIn, pathKey, pathsIn } from "./paths";
import { RaggedBuilder, withoutBoilerplate } from "./ragged-builder";

/** Content of every text of a session, as numbers: its lines, the paths it names, and for calls, the paths they use and the lines they replace. */
export interface RefetchIndex {
  /** By row, its significant lines in their order, without lines that occur in any text (`BOILERPLATE_SOURCES`). */
  readonly lines: RaggedColumn;
  /** By line, its UTF-16 units. */
  readonly lineChars: Int32Array;
  /** By row, the paths that it names, each once. */
  readonly mentions: RaggedColumn;
  /** Paths that each call uses: paths in its arguments, except in texts that it writes or replaces. */
  readonly uses: RaggedColumn;
  /** By value of `uses`, the call's spelling of the path. */
  readonly usedAs: readonly string[];
  /** Edits of each call: for each edit the number of its lines, then those lines, each once. */
  readonly edits: RaggedColumn;
  /** By row, the identifiers that it names; empty unless requested. */
  readonly names: RaggedColumn;
  /** By row of a call, the identifiers that it uses: those in its arguments, as for `uses`; empty unless requested. */
  readonly usedNames: RaggedColumn;
  /** By row of a typed message, its words, each once. */
  readonly words: RaggedColumn;
  /** By row of a call or of a result, the call's tool and arguments as a number; −1 elsewhere. */
  readonly source: Int32Array;
  /** 1 for each row of a result whose call ran a check. */
  readonly check: Int32Array;
  /** By row of a call or of a result, 1 if the call writes or replaces a text, or updates a to-do list: its output only acknowledges that. */
  readonly writes: Int32Array;
  /**
   * For a row of a result, 1 if its call may bring content back: the result does not merely acknowledge, and has a significant line or names a path.
   */
  readonly answers: Int32Array;
  /** By path, one of its names in the session. */
  readonly paths: readonly string[];
  /** Reason for a missing report: a publisher masked more than half of the results, or there are too many lines. */
  readonly unknown: UnknownRefetches | undefined;
}

export type UnknownRefetches = "masked" | "tooLong";

/** Names in a text, by the numbers of the index: each path and each identifier once. */
export interface NamesInText {
  readonly paths: readonly number[];
  readonly names: readonly number[];
}

/** The fields of a message that the index needs. */
interface IndexedMessage extends Pick<Message, "origin"> {
  readonly blocks: readonly Pick<Message["blocks"][number], "kind" | "callId" | "tool">[];
}

/** A line in the results of this many different calls counts as boilerplate. */
const BOILERPLATE_SOURCES = 3;
/** Maximum lines; more would take more memory than reading the largest file. 4 million are some 200 MB of text. */
const MAX_LINES = 4_000_000;
const WORDS = /[\p{L}\p{N}]+/gu;
const NONE = -1;

/** A call: the number of its tool and arguments, and its kind. */
interface KnownCall {
  readonly source: number;
  readonly isCheck: boolean;
  readonly writes: boolean;
}

/** Builds the index, message by message, in the order of the rows. */
export class RefetchIndexBuilder {
  readonly #lines = new RaggedBuilder();
  readonly #mentions = new RaggedBuilder();
  readonly #uses = new RaggedBuilder();
  readonly #usedAs: string[] = [];
  readonly #edits = new RaggedBuilder();
  readonly #words = new RaggedBuilder();
  readonly #names = new RaggedBuilder();
  readonly #usedNames = new RaggedBuilder();
  readonly #nameIds = new IdTable();
  readonly #lineIds = new IdTable();
  readonly #lineChars = new Integers();
  /** Number of different calls whose results contain a line, up to `BOILERPLATE_SOURCES`, and the last of these calls. */
  readonly #lineSources = new Integers();
  readonly #firstSource = new Integers();
  readonly #secondSource = new Integers();
  /** Numbers of paths by the part that all names of a path share, and by names seen before: most occur many times. */
  readonly #pathIds = new Map<string, number>();
  readonly #metPaths = new Map<string, number>();
  readonly #paths: string[] = [];
  readonly #wordIds = new IdTable();
  readonly #sourceIds = new IdTable();
  readonly #source: Int32Array;
  readonly #check: Int32Array;
  readonly #writes: Int32Array;
  readonly #answers: Int32Array;
  /** By id, the calls so far. */
  readonly #calls = new Map<string, KnownCall>();
  #results = 0;
  #maskedResults = 0;

  /**
   * @param rows number of rows of the columns
   * @param resultText returns the call's own output within a result's text, if the agent adds to it
   * @param hasNames true if identifiers are indexed, which only the score of summaries needs
   * @param mostLines maximum number of lines
   */
  constructor(
    rows: number,
    private readonly resultText: (text: string) => string = (text) => text,
    private readonly hasNames = false,
    private readonly mostLines = MAX_LINES,
  ) {
    this.#source = new Int32Array(rows).fill(NONE);
    this.#check = new Int32Array(rows);
    this.#writes = new Int32Array(rows);
    this.#answers = new Int32Array(rows);
  }

  /**
   * Adds the next message.
   * @param texts of its blocks
   */
  message({ origin, blocks }: IndexedMessage, texts: readonly string[], firstRow: ItemIndex): void {
    if (this.#lines.size > this.mostLines) return;
    for (const [index, { kind, callId, tool = "" }] of blocks.entries()) {
      const row = firstRow + index;
      const text = texts[index] ?? "";
      if (kind === "tool_call") this.#call(row, tool, text, callId);
      else if (kind === "tool_result") this.#result(row, text, callId);
      else if (kind === "text") {
        this.#text(row, withoutReminders(text));
        if (origin === "typed") this.#words.row(row, this.#wordsOf(withoutReminders(text)));
      }
    }
  }

  /** Names in a text outside the session, by the numbers of the index. */
  namesIn(text: string): NamesInText {
    const own = withoutReminders(text);
    return { paths: this.#pathsOf([own]), names: this.#namesOf([own]) };
  }

  #call(row: ItemIndex, tool: string, text: string, callId: string | undefined): void {
    const given = callArguments(text);
    const source = this.#sourceIds.index(`${tool}\0${given.key}`);
    this.#source[row] = source;
    const ran = { source, isCheck: isCheck(tool, given.value), writes: given.writes || TO_DO.has(tool) };
    this.#writes[row] = ran.writes ? 1 : 0;
    if (callId !== undefined) this.#calls.set(callId, ran);
    const texts = given.texts.map(withoutReminders);
    this.#lines.row(
      row,
      texts.flatMap(significantLines).map((line) => this.#line(line)),
    );
    this.#mentions.row(row, this.#pathsOf(texts));
    const used = given.used.map(withoutReminders);
    this.#use(row, used);
    this.#names.row(row, this.#namesOf(texts));
    this.#usedNames.row(row, this.#namesOf(used));
    const edits = new Set<string>();
    const values: number[] = [];
    for (const replaced of given.replaced) {
      const lines = [...new Set(significantLines(withoutReminders(replaced)).map((line) => this.#line(line)))];
      const key = [...lines].sort((a, b) => a - b).join();
      if (lines.length === 0 || edits.has(key)) continue;
      edits.add(key);
      values.push(lines.length);
      for (const line of lines) values.push(line);
    }
    this.#edits.row(row, values);
  }

  #use(row: ItemIndex, texts: readonly string[]): void {
    const spellings = new Map<number, string>();
    for (const text of texts) {
      for (const path of pathsIn(text)) {
        const id = this.#path(path);
        if (!spellings.has(id)) spellings.set(id, path);
      }
    }
    this.#uses.row(row, [...spellings.keys()]);
    this.#usedAs.push(...spellings.values());
  }

  #result(row: ItemIndex, text: string, callId: string | undefined): void {
    this.#results += 1;
    if (isMaskedText(text)) this.#maskedResults += 1;
    const call = callId === undefined ? undefined : this.#calls.get(callId);
    // A result without a call is the only one of its source.
    const source = call?.source ?? this.#sourceIds.index(`\0${row}`);
    this.#source[row] = source;
    this.#check[row] = call?.isCheck === true ? 1 : 0;
    this.#writes[row] = call?.writes === true ? 1 : 0;
    const { lines, paths } = this.#text(row, withoutReminders(this.resultText(text)));
    for (const line of lines) this.#occursIn(line, source);
    this.#answers[row] = call?.writes !== true && lines.length + paths.length > 0 ? 1 : 0;
  }

  #text(row: ItemIndex, text: string): { readonly lines: readonly number[]; readonly paths: readonly number[] } {
    const lines = significantLines(text).map((line) => this.#line(line));
    const paths = this.#pathsOf([text]);
    this.#lines.row(row, lines);
    this.#mentions.row(row, paths);
    this.#names.row(row, this.#namesOf([text]));
    return { lines, paths };
  }

  #line(text: string): number {
    const line = this.#lineIds.index(text);
    if (line === this.#lineChars.length) {
      this.#lineChars.push(text.length);
      this.#lineSources.push(0);
      this.#firstSource.push(NONE);
      this.#secondSource.push(NONE);
    }
    return line;
  }

  /** Records that a line occurs in the result of a source. */
  #occursIn(line: number, source: number): void {
    const count = this.#lineSources.at(line);
    if (count >= BOILERPLATE_SOURCES) return;
    if (this.#firstSource.at(line) === source || this.#secondSource.at(line) === source) return;
    if (count === 0) this.#firstSource.set(line, source);
    else if (count === 1) this.#secondSource.set(line, source);
    this.#lineSources.set(line, count + 1);
  }

  #pathsOf(texts: readonly string[]): readonly number[] {
    const found = new Set<number>();
    for (const text of texts) for (const path of pathsIn(text)) found.add(this.#path(path));
    return [...found];
  }

  #namesOf(texts: readonly string[]): readonly number[] {
    if (!this.hasNames) return [];
    const found = new Set<number>();
    for (const text of texts) for (const name of namesIn(text)) found.add(this.#nameIds.index(name));
    return [...found];
  }

  #path(name: string): number {
    const met = this.#metPaths.get(name);
    if (met !== undefined) return met;
    const key = pathKey(name);
    const path = this.#pathIds.get(key) ?? this.#paths.push(name) - 1;
    this.#pathIds.set(key, path);
    this.#metPaths.set(name, path);
    return path;
  }

  #wordsOf(text: string): readonly number[] {
    const words = text.toLowerCase().match(WORDS) ?? [];
    return [...new Set(words.map((word) => this.#wordIds.index(word)))];
  }

  #unknown(): UnknownRefetches | undefined {
    if (this.#lines.size > this.mostLines) return "tooLong";
    return this.#maskedResults * 2 > this.#results ? "masked" : undefined;
  }

  finish(): RefetchIndex {
    const rows = this.#source.length;
    const isPlain = (line: number) => this.#lineSources.at(line) < BOILERPLATE_SOURCES;
    return {
      lines: this.#lines.column(rows, isPlain),
      lineChars: Int32Array.from({ length: this.#lineChars.length }, (_, line) => this.#lineChars.at(line)),
      mentions: this.#mentions.column(rows),
      uses: this.#uses.column(rows),
      usedAs: this.#usedAs,
      edits: withoutBoilerplate(this.#edits.column(rows), isPlain),
      words: this.#words.column(rows),
      names: this.#names.column(rows),
      usedNames: this.#usedNames.column(rows),
      source: this.#source,
      check: this.#check,
      writes: this.#writes,
      answers: this.#answers,
      paths: this.#paths,
      unknown: this.#unknown(),
    };
  }
}
