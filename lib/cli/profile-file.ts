import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { ProfileError, parseProfile } from "@/lib/api/context-profile";
import type { ContextProfile } from "@/lib/core/context/profile";
import { InputError, inputErrorOf } from "@/lib/server/ingest/input-error";
import { recordedProfile } from "@/lib/server/recorded-profile";
import { CliError, EXIT } from "./exit";
import { withSession } from "./session-file";

/**
 * The context profile of a file: a profile as JSON, or what a recording holds of its own overhead, such as an API request
 * log; none without a file. Rejects with `InputError` where it cannot be read, `CliError` where it is neither.
 */
export async function profileFile(path: string | undefined): Promise<ContextProfile | undefined> {
  if (path === undefined) return undefined;
  const name = basename(path);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw inputErrorOf(error, name);
  });
  try {
    return parseProfile(JSON.parse(text));
  } catch (error) {
    const recorded = await profileOfRecording(path);
    if (recorded !== undefined) return recorded;
    const why = error instanceof ProfileError ? error.message : "it is not JSON";
    throw new CliError(EXIT.badArguments, `${name} is not a context profile: ${why}.`);
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
