import type { ContextProfile } from "@/lib/core/context/profile";
import { NestingError, parseJson } from "@/lib/core/records/nesting";
import { InputError } from "@/lib/server/base/input-error";
import { regularFileText } from "@/lib/server/base/regular-file";
import { recordedProfile } from "@/lib/server/sessions/recorded-profile";
import { ProfileError, parseProfile } from "@/lib/server/store/context-profile";
import { CliError, EXIT } from "../process/exit";
import { withSession } from "./session-file";
import { type InputFile, onceOnly, withInputFile } from "./standard-input";

/**
 * Reads a context profile from a file, or from standard input for `-`. The file is a profile as JSON, or a recording with its own overhead, such as
 * an API request log. Returns undefined if no file is given. Rejects with `InputError` if the file cannot be read, and with `CliError` if it is
 * neither, or if standard input is also a session file.
 */
export async function profileFile(
  file: string | undefined,
  beside: readonly string[],
): Promise<ContextProfile | undefined> {
  if (file === undefined) return undefined;
  onceOnly([...beside, file]);
  return withInputFile(file, profileOf);
}

async function profileOf({ path, name }: InputFile): Promise<ContextProfile> {
  const text = regularFileText(path);
  try {
    return parseProfile(parseJson(text));
  } catch (error) {
    const recorded = await profileOfRecording(path);
    if (recorded !== undefined) return recorded;
    const why =
      error instanceof ProfileError
        ? error.message
        : `it is ${error instanceof NestingError ? error.message : "not JSON"}`;
    throw new CliError(
      EXIT.badArguments,
      `${name === "-" ? "standard input" : name} is not a context profile: ${why}.`,
    );
  }
}

async function profileOfRecording(path: string): Promise<ContextProfile | undefined> {
  try {
    return await withSession(path, {}, recordedProfile);
  } catch (error) {
    // No recording, or one without overhead: the caller reports why the file is not a profile either.
    if (error instanceof InputError || error instanceof ProfileError) return undefined;
    throw error;
  }
}
