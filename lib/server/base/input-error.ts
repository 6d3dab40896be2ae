import type { z } from "zod";
import { type Signature, sentenceOf } from "@/lib/agents/known-signatures";
import { MAX_CONTEXT } from "@/lib/core/base/units";
import { TooManyTokensError } from "@/lib/core/columns/token-columns";
import { MAX_LEVELS } from "@/lib/core/records/nesting";
import type { unreadableReason } from "@/lib/queries/contract/sessions";
import { bytesInWords } from "./byte-words";
import { LIMITS } from "./limits";

/** Reason why a file cannot be read as a session. */
export type InputErrorCode = z.infer<typeof unreadableReason>;

/** A format that a file may be read as, and the messages that it finds in the first records. */
export interface FormatOffer {
  readonly format: string;
  readonly messages: number;
}

/**
 * The input cannot be read at all. `message` is one sentence for the user; it names only the last part of the file's path, so that answers may show
 * it. A damaged line is not an `InputError`: the transcript counts it.
 */
export class InputError extends Error {
  override name = "InputError";
  /**
   * @param formats the formats to try, if none was recognised
   * @param program the program that wrote the file, if its files are not read
   */
  constructor(
    readonly code: InputErrorCode,
    message: string,
    readonly formats: readonly FormatOffer[] = [],
    readonly program?: string,
  ) {
    super(message);
  }
}

/** True for an `InputError`, including one from another bundle of this process. */
export function isInputError(error: unknown): error is InputError {
  return error instanceof Error && error.name === "InputError" && "code" in error;
}

/** The error for a failed system call on a file, with its sentence. */
export function inputErrorOf(error: unknown, name: string): InputError {
  if (error instanceof InputError) return error;
  switch (systemCode(error)) {
    case "ENOENT":
    case "ENOTDIR":
    case "ENAMETOOLONG":
      return new InputError("not-found", `${name}: there is no such file.`);
    case "EISDIR":
      return new InputError("not-a-file", `${name} is a folder, not a file.`);
    case "EACCES":
    case "EPERM":
      return new InputError("no-permission", `${name} may not be read: permission denied.`);
    default:
      return new InputError("unreadable", `${name} could not be read (${systemCode(error) ?? "unknown reason"}).`);
  }
}

/** The error for a file that is one large JSON value, which would have to be in memory completely. A file of lines needs only one line in memory. */
export function tooLargeDocument(name: string): InputError {
  const limit = bytesInWords(LIMITS.documentBytes);
  return new InputError(
    "too-large",
    `${name} is one JSON value of more than ${limit}, the most that is read in one piece. As a file with one record a line it may be larger.`,
  );
}

/** The error for a file that is one JSON value nested too deeply. In a file of lines, such a line only counts as damaged. */
export function tooDeepDocument(name: string): InputError {
  const limit = MAX_LEVELS.toLocaleString("en");
  return new InputError("unreadable", `${name} is one JSON value that is nested in more than ${limit} levels.`);
}

/** Does work on the tokens of a file. Throws `InputError` for more tokens than can be counted. */
export function withinTokens<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TooManyTokensError)) throw error;
    const most = MAX_CONTEXT.toLocaleString("en");
    throw new InputError("too-large", `${name} comes to more than ${most} tokens, the most that is counted.`);
  }
}

/** The file is from another program, whose files are not read. */
export function otherProgramError(
  signature: Signature,
  name: string,
  formats: readonly FormatOffer[] = [],
): InputError {
  const sentence = sentenceOf(signature, name);
  if (signature.readInPlace === true) return new InputError("binary", sentence);
  return new InputError("other-program", sentence, formats, signature.program);
}

/** The file no longer holds the content that was read. */
export function changedError(name: string): InputError {
  return new InputError("changed", `${name} has changed since it was read.`);
}

/** The code of a failed system call, such as ENOENT. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
