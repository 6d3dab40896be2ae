import { basename } from "node:path";
import { BUNDLE_START } from "@/lib/core/bundle/arrays";
import { InputError } from "../../base/input-error";
import type { SourceFile } from "../source-file";

/** True for a bundle, false for a recording. */
export function isBundle(file: SourceFile): boolean {
  const start = file.head.subarray(0, BUNDLE_START.length);
  return Buffer.from(start).toString("latin1") === BUNDLE_START;
}

/** The rejection of a query that needs texts. @param what the end of its sentence */
export function noTextsError(path: string, what: string): InputError {
  return new InputError("unreadable", `${basename(path)} is a bundle: it holds numbers and no texts, so ${what}.`);
}

/** The rejection of a readable bundle whose numbers a policy finds invalid. @param name of the file, without folders */
export function contradictoryBundle(name: string): InputError {
  return new InputError("unreadable", `${name} is a bundle whose numbers contradict each other.`);
}
