import type { z } from "zod";
import { type Signature, sentenceOf } from "@/lib/agents/known-signatures";
import { MOST_CONTEXT } from "@/lib/core/base/units";
import { TooManyTokensError } from "@/lib/core/columns/token-columns";
import { MOST_LEVELS } from "@/lib/core/records/nesting";
import type { unreadableReason } from "@/lib/queries/contract/sessions";
import { inWords } from "./byte-words";
import { LIMITS } from "./limits";

/** Why a file cannot be read as a session. */
export type InputErrorCode = z.infer<typeof unreadableReason>;

/** A format that a file may be read as, and how many messages it would find in the first records. */
export interface FormatOffer {
  readonly format: string;
  readonly messages: number;
}

/**
 * The input cannot be read at all. `message` is one sentence for a person; it names the file only by the last part of its path, so that it may be
 * shown in an answer. A damaged line is never one of these: it is counted in the transcript.
 */
export class InputError extends Error {
  override name = "InputError";
  /**
   * @param formats the formats to try, where none was recognised
   * @param program the program that wrote the file, where that is another one than those that are read
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

/** Whether it is an `InputError`, including one that another bundle of this process threw. */
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

/** A document has to be held whole, and so has a line; of a file of lines, only one line is held at a time. */
export function tooLargeDocument(name: string): InputError {
  const limit = inWords(LIMITS.documentBytes);
  return new InputError(
    "too-large",
    `${name} is one JSON value of more than ${limit}, the most that is read in one piece. As a file with one record a line it may be larger.`,
  );
}

/** In a file of lines, a line that is nested too deeply counts as damaged. A document is the whole file, so it is refused. */
export function tooDeepDocument(name: string): InputError {
  const limit = MOST_LEVELS.toLocaleString("en");
  return new InputError("unreadable", `${name} is one JSON value that is nested in more than ${limit} levels.`);
}

/** Does work on the tokens of a file. Throws `InputError` where there are more than can be counted. */
export function withinTokens<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TooManyTokensError)) throw error;
    const most = MOST_CONTEXT.toLocaleString("en");
    throw new InputError("too-large", `${name} comes to more than ${most} tokens, the most that is counted.`);
  }
}

/** The file is another program's, whose files are not read. */
export function otherProgramError(
  signature: Signature,
  name: string,
  formats: readonly FormatOffer[] = [],
): InputError {
  const sentence = sentenceOf(signature, name);
  if (signature.readInPlace === true) return new InputError("binary", sentence);
  return new InputError("other-program", sentence, formats, signature.program);
}

/** The file no longer holds what was read of it. */
export function changedError(name: string): InputError {
  return new InputError("changed", `${name} has changed since it was read.`);
}

/** The code of a failed system call, such as ENOENT. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
