import { PolicyError } from "@/lib/core/compaction/policy/policy-error";
import { SettingError } from "@/lib/core/compaction/policy/settings";
import { ChoiceError } from "@/lib/queries/session/session-context";

/** An invalid choice or setting as a value, for threads and processes: an error would lose its class on the way. */
export interface BadChoice {
  readonly name: keyof typeof ERRORS;
  readonly message: string;
}

const ERRORS = {
  ChoiceError: (message: string) => new ChoiceError(message),
  SettingError: (message: string) => new SettingError(message),
  PolicyError: (message: string) => new PolicyError(message),
} as const;

/** The error of the value. */
export function errorOf({ name, message }: BadChoice): Error {
  return ERRORS[name](message);
}

/** The value of an error about a choice; `undefined` for any other error. */
export function badChoiceOf(error: unknown): BadChoice | undefined {
  if (error instanceof ChoiceError) return { name: "ChoiceError", message: error.message };
  if (error instanceof SettingError) return { name: "SettingError", message: error.message };
  return error instanceof PolicyError ? { name: "PolicyError", message: error.message } : undefined;
}
