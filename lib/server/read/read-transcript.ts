import { agentOfFormat } from "@/lib/agents/agents";
import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { counters } from "../base/counters";
import { InputError } from "../base/input-error";
import { type FeedOptions, feed, newBuilder, readerChoice } from "./feed";
import { chosenSession } from "./file-sessions";
import { Intake } from "./intake";
import { type FileVersion, SourceFile } from "./source-file";

export interface ReadOptions extends FeedOptions {
  /** Maximum bytes to read: for an earlier state of a grown file. */
  readonly upTo?: number;
  /** Key or id of the one session to read, if the file holds several; default: all of them. */
  readonly session?: string | undefined;
}

/** A file with its transcript. */
export interface ReadFile {
  readonly transcript: Transcript;
  readonly reader: Reader;
  readonly version: FileVersion;
  /** The same object for all versions of a growing file that one reading continued through: earlier content stays at its offsets. */
  readonly reading?: object;
}

/** Reads an unpacked session file, from end to end, in bounded memory. Throws `InputError` if it cannot be read at all. */
export function readTranscript(path: string, options: ReadOptions = {}): ReadFile {
  return SourceFile.use(path, (file) => readSource(file, options), options.upTo);
}

/** Reads an open file, packed or not. Throws `InputError`. */
export function readSource(file: SourceFile, options: ReadOptions = {}): ReadFile {
  counters.filesParsed += 1;
  return readUncounted(file, options);
}

/** The same for a part that is too small to count as reading the file. Throws `InputError`. */
export function readUncounted(file: SourceFile, options: ReadOptions = {}): ReadFile {
  const name = options.name ?? file.name;
  if (file.size === 0) throw new InputError("empty", `${name} is empty.`);
  const builder = newBuilder();
  const chosen = options.session === undefined ? undefined : chosenSession(file, options.session, options);
  const choice = chosen === undefined ? readerChoice(options.format) : () => chosen.reader;
  const intake = new Intake(builder, name, choice, options.sniffRecords, chosen?.newTakes());
  feed(file, intake, builder, options);
  if (file.unpacking !== "whole") builder.problem("unpacking-stopped", undefined, file.unpacking);
  const reader = intake.end();
  const { bytes, mtimeMs } = file.version;
  return {
    transcript: builder.finish(reader.format, agentOfFormat(reader.format)),
    reader,
    version: { bytes, mtimeMs, format: options.format, session: chosen?.key },
  };
}
