import { decodeTree, encodeTree } from "@/lib/core/columns/codec";
import { InputError, isInputError } from "../base/input-error";
import { type BadChoice, badChoiceOf, errorOf } from "../threads/bad-choice";

/** What a job came to, as it is kept until somebody takes it: its result, or why there is none. */
type Outcome =
  | { readonly value: unknown }
  | { readonly refusal: Pick<InputError, "code" | "message" | "formats" | "program"> }
  | { readonly badChoice: BadChoice };

const MAGIC = "CRJOB\0\0\0";

/** What a job came to as JSON in which any text and any array of numbers survives. Rejects with what is a bug of ours. */
export async function packedOutcome(work: () => Promise<unknown>): Promise<{ readonly packed: string }> {
  const outcome = await work().then((value): Outcome => ({ value }), refusalOf);
  return { packed: Buffer.from(encodeTree(MAGIC, outcome)).toString("base64") };
}

/** The result of a job. Throws `InputError`, `ChoiceError`, `SettingError` and `PolicyError` where the job rejected with that. */
export function unpackedResult({ packed }: { readonly packed: string }): unknown {
  const outcome = decodeTree(MAGIC, new Uint8Array(Buffer.from(packed, "base64"))) as Outcome; // `packedOutcome` wrote it
  if ("value" in outcome) return outcome.value;
  if ("badChoice" in outcome) throw errorOf(outcome.badChoice);
  const { code, message, formats, program } = outcome.refusal;
  throw new InputError(code, message, formats, program);
}

/** A file that cannot be read, or a setting that cannot be, is an answer like any other: trying again would give the same. */
function refusalOf(error: unknown): Outcome {
  const badChoice = badChoiceOf(error);
  if (badChoice !== undefined) return { badChoice };
  if (!isInputError(error)) throw error;
  const { code, message, formats, program } = error;
  return { refusal: { code, message, formats: [...formats], ...(program === undefined ? {} : { program }) } };
}
