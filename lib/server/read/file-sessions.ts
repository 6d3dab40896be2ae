import { LRUCache } from "lru-cache";
import { agentOfFormat } from "@/lib/agents/agents";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { type ChosenRecords, type FileSession, FileSessions } from "@/lib/core/transcript/file-sessions";
import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import type { FileSessionRow, SessionSummary } from "@/lib/queries/contract/schemas";
import { instant } from "@/lib/queries/wire/instant";
import { counters } from "../base/counters";
import { InputError } from "../base/input-error";
import { type FeedOptions, feed, newBuilder, readerChoice } from "./feed";
import { GrowingLines } from "./growing-lines";
import { Intake } from "./intake";
import { mayGrow, type SourceFile } from "./source-file";

/** A file with its records assigned to sessions. */
interface SearchedFile {
  readonly reader: Reader;
  readonly sessions: FileSessions;
}

export interface ChosenSession extends ChosenRecords {
  readonly reader: Reader;
}

const LISTED = 100;

/** The session with this key or id. Throws `InputError` if the file holds no such session. */
export function chosenSession(file: SourceFile, wanted: string, options: FeedOptions): ChosenSession {
  const { reader, sessions } = searchFile(file, options);
  const chosen = sessions.choose(wanted);
  if (chosen === undefined) throw noSuchSession(options.name ?? file.name, sessions.sessions());
  return { ...chosen, reader };
}

/**
 * The sessions in a file, for its summary; `null` for a single session. Scans the file once more, but only if reading it found records of several
 * sessions, or if one was chosen. Throws `InputError`.
 */
export function fileSessions(
  file: SourceFile,
  { problems }: Pick<Transcript, "problems">,
  chosen: string | undefined,
  options: FeedOptions,
): SessionSummary["fileSessions"] {
  if (chosen === undefined && !problems.some(({ code }) => code === "several-sessions")) return null;
  const { reader, sessions } = searchFile(file, options);
  const found = sessions.sessions();
  if (found.length < 2) return null;
  return {
    total: found.length,
    chosen: chosen ?? null,
    sessions: found.slice(0, LISTED).map((session) => rowOf(session, reader)),
  };
}

/** Search results of open files: reading a session and listing the others need the same search. */
const opened = new WeakMap<SourceFile, SearchedFile>();

function searchFile(file: SourceFile, options: FeedOptions): SearchedFile {
  const known = opened.get(file);
  if (known !== undefined) return known;
  const placed = { path: file.path, ...options };
  const searched = growingOf(file, placed)?.read(file) ?? searchWhole(file, placed);
  opened.set(file, searched);
  return searched;
}

/** Maximum cached growing files. Only their new records are scanned. */
const GROWING_FILES = 4;
const growing = new LRUCache<string, GrowingSearch>({ max: GROWING_FILES });

/** The search through a file that may grow, for one format; `undefined` for other files. */
function growingOf(file: SourceFile, options: FeedOptions): GrowingSearch | undefined {
  const key = `${options.format ?? ""} ${file.inode}`;
  const known = growing.get(key);
  if (known !== undefined || !mayGrow(file.version)) return known;
  const search = new GrowingSearch(options);
  growing.set(key, search);
  return search;
}

/** Scans a growing file; later calls scan only new records. */
class GrowingSearch {
  readonly #lines: GrowingLines;
  #searched: SearchedFile | undefined;

  constructor(options: FeedOptions) {
    this.#lines = new GrowingLines(options, (name) =>
      searchingIntake(newBuilder(), name, options, (searched) => {
        this.#searched = searched;
      }),
    );
  }

  /** `undefined` for a file that does not consist of lines that may grow. Throws `InputError`. */
  read(file: SourceFile): SearchedFile | undefined {
    return this.#lines.read(file, true) === undefined ? undefined : this.#searched;
  }
}

function searchWhole(file: SourceFile, options: FeedOptions): SearchedFile {
  let searched: SearchedFile | undefined;
  const builder = newBuilder();
  const intake = searchingIntake(builder, options.name ?? file.name, options, (found) => {
    searched = found;
  });
  feed(file, intake, builder, options);
  intake.end();
  // Without a reader for the file, an error would have been thrown.
  if (searched === undefined) throw new Error("a reader to look through the file");
  return searched;
}

/** Passes every record to `FileSessions` instead of a parser. `onReader` is called whenever a reader accepts the file; the last call counts. */
function searchingIntake(
  builder: TranscriptBuilder,
  name: string,
  { format, path, sniffRecords }: FeedOptions,
  onReader: (searched: SearchedFile) => void,
): Intake {
  const choose = readerChoice({ format, path });
  const choice = (head: Parameters<typeof choose>[0]): Reader | undefined => {
    const reader = choose(head);
    if (reader === undefined) return undefined;
    const sessions = new FileSessions(reader.sessionMarks?.() ?? (() => ({})), reader.subagentMarks?.());
    onReader({ reader, sessions });
    const record = (one: SourceRecord): void => {
      counters.recordsLookedThrough += 1;
      sessions.add(one);
    };
    return { ...reader, parse: () => ({ record, end: () => undefined }) };
  };
  return new Intake(builder, name, choice, sniffRecords);
}

/** A session for lists, from its first records. */
function rowOf({ key, id, line, records, head }: FileSession, reader: Reader): FileSessionRow {
  const builder = newBuilder();
  const parser = reader.parse(builder);
  for (const record of head) parser.record(record);
  parser.end();
  const { title, startedAt, links } = builder.finish(reader.format, agentOfFormat(reader.format));
  const parents = [...links.parents];
  return { key, sessionId: id ?? null, title: title ?? null, startedAt: instant(startedAt), line, records, parents };
}

function noSuchSession(name: string, found: readonly FileSession[]): InputError {
  const [first] = found;
  const keys = found.slice(0, 10).map(({ key }) => key);
  const more = found.length > keys.length ? ` and ${found.length - keys.length} more` : "";
  const holds = found.length < 2 ? `one session, ${first?.key ?? "without a name"}` : `${keys.join(", ")}${more}`;
  return new InputError("not-found", `${name} holds no such session; it holds ${holds}.`);
}
