import { decodeTree, encodeTree } from "@/lib/core/columns/codec";
import { InputError, isInputError } from "../base/input-error";
import { type BadChoice, badChoiceOf, errorOf } from "../threads/bad-choice";

/** A job's outcome as stored until it is read: its result, or the reason for its absence. */
type Outcome =
  | { readonly value: unknown }
  | { readonly refusal: Pick<InputError, "code" | "message" | "formats" | "program"> }
  | { readonly badChoice: BadChoice };

const MAGIC = "CRJOB\0\0\0";

/** A job's outcome as JSON, which preserves any text and any array of numbers. Rejects with errors that are bugs of this program. */
export async function packedOutcome(work: () => Promise<unknown>): Promise<{ readonly packed: string }> {
  const outcome = await work().then((value): Outcome => ({ value }), refusalOf);
  return { packed: Buffer.from(encodeTree(MAGIC, outcome)).toString("base64") };
}

/** The result of a job. Throws `InputError`, `ChoiceError`, `SettingError` and `PolicyError` if the job rejected with that. */
export function unpackedResult({ packed }: { readonly packed: string }): unknown {
  const outcome = decodeTree(MAGIC, new Uint8Array(Buffer.from(packed, "base64"))) as Outcome; // `packedOutcome` wrote it.
  if ("value" in outcome) return outcome.value;
  if ("badChoice" in outcome) throw errorOf(outcome.badChoice);
  const { code, message, formats, program } = outcome.refusal;
  throw new InputError(code, message, formats, program);
}

/** An unreadable file or an invalid setting is an answer like any other: a retry would give the same. */
function refusalOf(error: unknown): Outcome {
  const badChoice = badChoiceOf(error);
  if (badChoice !== undefined) return { badChoice };
  if (!isInputError(error)) throw error;
  const { code, message, formats, program } = error;
  return { refusal: { code, message, formats: [...formats], ...(program === undefined ? {} : { program }) } };
}
