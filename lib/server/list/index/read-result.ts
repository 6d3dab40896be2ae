import type { RequestKeys } from "@/lib/core/columns/request-keys";
import type { SessionSummary, Sparkline } from "@/lib/queries/contract/schemas";
import type { InputErrorCode } from "../../base/input-error";
import type { IndexFacts } from "../../read/numbers/index-facts";
import type { FileVersion } from "../../read/source-file";

/** Result of reading a session's file. */
export interface ReadResult {
  readonly version?: FileVersion;
  readonly summary: SessionSummary | null;
  readonly sparkline: Sparkline | null;
  /** One sentence if it could not be read. */
  readonly error: string | null;
  readonly errorCode?: InputErrorCode;
  /** The program that wrote it, if its files are not read. */
  readonly errorProgram?: string;
  readonly requestKeys?: RequestKeys;
  readonly facts?: IndexFacts;
}
