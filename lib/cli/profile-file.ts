import { ProfileError, parseProfile } from "@/lib/api/context-profile";
import type { ContextProfile } from "@/lib/core/context/profile";
import { NestingError, parseJson } from "@/lib/core/transcript/nesting";
import { InputError } from "@/lib/server/ingest/input-error";
import { ordinaryText } from "@/lib/server/ingest/ordinary-file";
import { recordedProfile } from "@/lib/server/recorded-profile";
import { CliError, EXIT } from "./exit";
import { withSession } from "./session-file";
import { type InputFile, onceOnly, withInputFile } from "./standard-input";

/**
 * The context profile of a file, or of standard input where that is `-`: a profile as JSON, or what a recording holds of its own
 * overhead, such as an API request log; none without a file. Rejects with `InputError` where it cannot be read, `CliError` where
 * it is neither, or where standard input is one of the files beside it as well.
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
  const text = ordinaryText(path);
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
    return await withSession(path, recordedProfile);
  } catch (error) {
    // No recording, or one without overhead: what is wrong with it as a profile is what is said.
    if (error instanceof InputError || error instanceof ProfileError) return undefined;
    throw error;
  }
}
