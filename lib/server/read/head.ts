import { counters } from "../base/counters";
import { isInputError } from "../base/input-error";
import { LIMITS } from "../base/limits";
import { readUncounted } from "./read-transcript";
import type { SourceFile } from "./source-file";

/** What a file's beginning says about its session; null where it does not say, or where the file has to be read whole for it. */
export interface HeadFacts {
  readonly agent: string | null;
  readonly title: string | null;
  readonly project: string | null;
  readonly startedAt: number | null;
}

const NOTHING: HeadFacts = { agent: null, title: null, project: null, startedAt: null };

/** Reads the first lines of a file, so that a list can show more than its name before everything was read. */
export function headFacts(file: SourceFile): HeadFacts {
  const { linesParsed } = counters;
  try {
    const { transcript } = readUncounted(file.upTo(wholeLines(file)));
    const { agent, title = null, project = null, startedAt = null } = transcript;
    return { agent, title, project, startedAt };
  } catch (error) {
    // The beginning alone is not a session. If the whole is none either, reading it will say why.
    if (isInputError(error)) return NOTHING;
    throw error;
  } finally {
    // A beginning is too small to count as reading the file.
    counters.linesParsed = linesParsed;
  }
}

/** Number of bytes up to the end of the last line within the first `LIMITS.headBytes`; all bytes if the file is no longer than that. */
function wholeLines(file: SourceFile): number {
  if (file.size <= LIMITS.headBytes) return file.size;
  return file.read(0, LIMITS.headBytes).lastIndexOf(0x0a) + 1;
}
