import { counters } from "../base/counters";
import { isInputError } from "../base/input-error";
import { LIMITS } from "../base/limits";
import { PACKING_HEAD_BYTES, packingOf } from "./packing";
import { readUncounted } from "./read-transcript";
import { SourceFile } from "./source-file";

/** Facts from a file's beginning about its session; null if it does not state them, or the whole file is needed. */
export interface HeadFacts {
  readonly agent: string | null;
  readonly title: string | null;
  readonly project: string | null;
  readonly startedAt: number | null;
}

const NOTHING: HeadFacts = { agent: null, title: null, project: null, startedAt: null };

/** Reads the first lines of a file, so that a list can show more than its name before it is read whole. */
export function headFacts(file: SourceFile): HeadFacts {
  const { linesParsed } = counters;
  try {
    const { transcript } = readUncounted(file.upTo(wholeLines(file)));
    const { agent, title = null, project = null, startedAt = null } = transcript;
    return { agent, title, project, startedAt };
  } catch (error) {
    // The beginning alone is not a session. Reading the whole file reports the reason.
    if (isInputError(error)) return NOTHING;
    throw error;
  } finally {
    // A beginning is too small to count as reading the file.
    counters.linesParsed = linesParsed;
  }
}

/** Bytes at a file's beginning that name its session and that session's parent. */
const NAMING_BYTES = 64 << 10;
/** `NAMING_BYTES` for a packed file: its decoder gives whole blocks, and stops at the first one beyond the limit. */
const UNPACKED_BYTES = 1 << 20;

/** The beginning of a file, unpacked; empty if it cannot be read. */
export async function headText(path: string): Promise<string> {
  const parts: Uint8Array[] = [];
  try {
    const file = SourceFile.open(path);
    try {
      const packing = packingOf(file.read(0, PACKING_HEAD_BYTES), path);
      if (packing === undefined) parts.push(file.read(0, Math.min(file.size, NAMING_BYTES)));
      else {
        const { unpack } = await import("./unpack"); // Few files are packed.
        await unpack(file, packing, (bytes) => parts.push(bytes.slice()), UNPACKED_BYTES);
      }
    } finally {
      file.close();
    }
  } catch {
    // The file vanished, is damaged, or is longer than the limit: the bytes read so far count.
  }
  return Buffer.concat(parts).toString("latin1");
}

/** Number of bytes up to the end of the last line within the first `LIMITS.headBytes`; all bytes if the file is no longer than that. */
function wholeLines(file: SourceFile): number {
  if (file.size <= LIMITS.headBytes) return file.size;
  return file.read(0, LIMITS.headBytes).lastIndexOf(0x0a) + 1;
}
