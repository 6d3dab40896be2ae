import { Integers } from "../base/growing";
import { IdTable } from "../base/id-table";
import type { ItemIndex } from "../base/units";
import { isObject } from "../records/fields";
import { callArguments } from "../refetch/arguments";
import { isCheckingCommand, shellCommands } from "../refetch/checks";
import { withoutReminders } from "../refetch/lines";
import type { Message } from "../transcript/model";

/**
 * Use of command outputs by later content, for commands that are run for their outcome: tests, builds, linters, installations, changes of branch.
 * Source: docs/method.md, "Waste".
 */
export interface OutputUse {
  /** For the row of such an output, the number of its terms that no earlier text of the session holds; 0 for every other row. */
  readonly fresh: Int32Array;
  /** By row, 1 if a later answer, thought, call or typed message holds a fresh term or a file name of the output. */
  readonly used: Int32Array;
}

/** Names of the measures that hold the two columns. */
export const FRESH_MEASURE = "outputs.fresh";
export const USED_MEASURE = "outputs.used";

/** The fields of a message that are read here. */
interface UsingMessage extends Pick<Message, "origin"> {
  readonly blocks: readonly Pick<Message["blocks"][number], "kind" | "callId" | "tool">[];
}

/** Words of 4 letters or more (each part of a camel-case name), numbers of 3 digits or more, and runs of other scripts. */
const TERM = /[A-Z]?[a-z]{3,}|[A-Z]{4,}|[0-9]{3,}|[^\0-\x7f]{2,}/g;
/** Letters that two inflections of a word share. Our choice: "authenticated" and "authentication" are one term. */
const STEM = 6;
/** Scripts without spaces between words: each pair of characters is a term. */
const UNSPACED = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const ASCII = /^[\0-\x7f]/;
/** Names of files, with or without folders. */
const FILE_NAME = /(?<![\w.-])[A-Za-z0-9_][\w-]*(?:\.[\w-]+)*\.[A-Za-z][A-Za-z0-9]{0,5}(?![\w-])/g;
/** Commands whose output is read as content, and pipes into a filter. */
const CONTENT = /^git\b.*\b(?:diff|log|status|show)\b|\|\s*(?:grep|rg|awk|sed|jq)\b/;
/** Commands without output of interest. */
const SILENT = /^(?:cd|echo|sleep|set|export)\b/;
/** Commands that change something and report on it at length. */
const CHANGES =
  /^(?:npm (?:install|ci|i)|pnpm (?:install|i|add)|yarn(?: install| add)?|bun (?:install|add)|pip3? install|uv (?:sync|pip)|brew install|apt(?:-get)? \w+|docker (?:build|pull)|git (?:checkout|switch|pull|fetch|clone|push|merge))\b/;
/** Names that agents give to tools that wait for a running command. */
const WAITING: ReadonlySet<string> = new Set(["write_stdin", "BashOutput", "TaskOutput", "process"]);
/** Number of a command that is still running, in the result of the call that started it. */
const RUNNING = /\b(?:session ID|running in background with ID:?) ([\w-]+)/i;
/** Maximum terms of a session. A session with more has no result, since they would take too much memory. */
const MAX_TERMS = 4_000_000;

/** Collects the use of outputs, message by message, in the order of the rows. */
export class OutputUseBuilder {
  readonly #terms = new IdTable();
  /** Row of the first text that contains each term. */
  readonly #first = new Integers();
  /** Outputs that contain each file name and are not used yet. */
  readonly #unused = new Map<string, ItemIndex[]>();
  readonly #fresh: Int32Array;
  readonly #used: Int32Array;
  /** Ids of calls that are run for their outcome. */
  readonly #outcomes = new Set<string>();
  readonly #running = new Set<string>();

  /** @param rows number of rows of the columns */
  constructor(rows: number) {
    this.#fresh = new Int32Array(rows);
    this.#used = new Int32Array(rows);
  }

  /**
   * Adds the next message.
   * @param texts of its blocks
   */
  message({ origin, blocks }: UsingMessage, texts: readonly string[], firstRow: ItemIndex): void {
    if (this.#first.length > MAX_TERMS) return;
    for (const [index, { kind, callId, tool = "" }] of blocks.entries()) {
      const text = withoutReminders(texts[index] ?? "");
      const row = firstRow + index;
      if (kind === "tool_result") this.#result(row, text, callId);
      else if (kind === "tool_call") this.#call(row, tool, text, callId);
      else if (kind === "thinking" || kind === "text") this.#text(row, text, origin !== "context");
    }
  }

  /** The finished columns; `undefined` if there are too many terms. */
  finish(): OutputUse | undefined {
    return this.#first.length > MAX_TERMS ? undefined : { fresh: this.#fresh, used: this.#used };
  }

  #call(row: ItemIndex, tool: string, text: string, callId: string | undefined): void {
    const { value, texts } = callArguments(text);
    this.#text(row, texts.join("\n"), true);
    if (callId !== undefined && this.#isOutcome(tool, value)) this.#outcomes.add(callId);
  }

  #isOutcome(tool: string, value: unknown): boolean {
    if (WAITING.has(tool)) return isObject(value) && Object.values(value).some((id) => this.#running.has(String(id)));
    return runsForOutcome(tool, value);
  }

  #result(row: ItemIndex, text: string, callId: string | undefined): void {
    let fresh = 0;
    for (const term of termsIn(text)) if (this.#isNew(term, row)) fresh += 1;
    if (callId === undefined || !this.#outcomes.has(callId)) return;
    const [, running] = RUNNING.exec(text) ?? [];
    if (running !== undefined) this.#running.add(running);
    this.#fresh[row] = fresh;
    for (const name of filesIn(text)) {
      const rows = this.#unused.get(name);
      if (rows === undefined) this.#unused.set(name, [row]);
      else rows.push(row);
    }
  }

  #text(row: ItemIndex, text: string, uses: boolean): void {
    for (const term of termsIn(text)) {
      if (!this.#isNew(term, row) && uses) this.#used[this.#first.at(this.#terms.index(term))] = 1;
    }
    if (!uses) return;
    for (const name of filesIn(text)) {
      for (const used of this.#unused.get(name) ?? []) this.#used[used] = 1;
      this.#unused.delete(name);
    }
  }

  /** True if no earlier text holds the term. Remembers the row of the first text that holds it. */
  #isNew(term: string, row: ItemIndex): boolean {
    if (this.#terms.index(term) < this.#first.length) return false;
    this.#first.push(row);
    return true;
  }
}

/** True for a call that may be run for its outcome: a command of that kind, or a wait for a running one. */
export function mayRunForOutcome(tool: string, text: string): boolean {
  return WAITING.has(tool) || runsForOutcome(tool, callArguments(text).value);
}

function runsForOutcome(tool: string, value: unknown): boolean {
  const runs = shellCommands(tool, value).filter((one) => !SILENT.test(one));
  return runs.length > 0 && runs.every((one) => !CONTENT.test(one) && (isCheckingCommand(one) || CHANGES.test(one)));
}

function filesIn(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(FILE_NAME), ([name]) => name));
}

/** Terms of a text, repeated as often as they occur. */
function* termsIn(text: string): Iterable<string> {
  for (const [run] of text.matchAll(TERM)) {
    if (ASCII.test(run) || !UNSPACED.test(run)) yield run.slice(0, STEM).toLowerCase();
    else for (let at = 0; at + 2 <= run.length; at++) yield run.slice(at, at + 2);
  }
}
