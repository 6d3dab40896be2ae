import { agentOfFormat } from "@/lib/agents/formats";
import type { FileSessionRow, SessionSummary } from "@/lib/api/contract";
import { instant } from "@/lib/api/instant";
import { type FileSession, FileSessions } from "@/lib/core/transcript/file-sessions";
import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { type FeedOptions, feed, newBuilder, readerChoice } from "./feed";
import { InputError } from "./input-error";
import { Intake } from "./intake";
import type { SourceFile } from "./source-file";

/** A file whose records were looked through for the sessions that they are of. */
interface LookedThrough {
  readonly reader: Reader;
  readonly sessions: FileSessions;
}

/** One session of a file: which of its records are read, in order, and by whom. */
export interface ChosenSession {
  readonly key: string;
  readonly reader: Reader;
  readonly takes: () => boolean;
}

/** Sessions that are listed at most. */
const LISTED = 100;

/** The session with this key or id. Throws `InputError` where the file holds none such. */
export function chosenSession(file: SourceFile, wanted: string, options: FeedOptions): ChosenSession {
  const { reader, sessions } = lookThrough(file, options);
  const found = sessions.sessions();
  const key = (found.find((one) => one.key === wanted) ?? found.find(({ id }) => id === wanted))?.key;
  const takes = key === undefined ? undefined : sessions.filter(key);
  if (key === undefined || takes === undefined) throw noSuchSession(options.name ?? file.name, found);
  return { key, reader, takes };
}

/**
 * The sessions that a file holds, for its summary; `null` where it is one. Looks through the file once more, and only where reading it met records of
 * several, or one was chosen. Throws `InputError`.
 */
export function fileSessions(
  file: SourceFile,
  { problems }: Pick<Transcript, "problems">,
  chosen: string | undefined,
  options: FeedOptions,
): SessionSummary["fileSessions"] {
  if (chosen === undefined && !problems.some(({ code }) => code === "several-sessions")) return null;
  const { reader, sessions } = lookThrough(file, options);
  const found = sessions.sessions();
  if (found.length < 2) return null;
  return {
    total: found.length,
    chosen: chosen ?? null,
    sessions: found.slice(0, LISTED).map((session) => rowOf(session, reader)),
  };
}

/** What was found in files while they are open: reading a session and listing the others need the same. */
const cache = new WeakMap<SourceFile, LookedThrough>();

function lookThrough(file: SourceFile, options: FeedOptions): LookedThrough {
  const known = cache.get(file);
  if (known !== undefined) return known;
  const choose = readerChoice(options.format);
  let looked: LookedThrough | undefined;
  const builder = newBuilder();
  const intake = new Intake(builder, options.name ?? file.name, (head) => {
    const reader = choose(head);
    if (reader === undefined) return undefined;
    const sessions = new FileSessions(reader.sessionMarks?.() ?? (() => ({})));
    looked = { reader, sessions };
    return { ...reader, parse: () => ({ record: (record) => sessions.add(record), end: () => undefined }) };
  });
  feed(file, intake, builder, options);
  intake.end();
  // A file that nobody reads has thrown.
  if (looked === undefined) throw new Error("a reader to look through the file");
  cache.set(file, looked);
  return looked;
}

/** A session as a list shows it: what its first records say. */
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
