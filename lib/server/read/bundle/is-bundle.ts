import { basename } from "node:path";
import { BUNDLE_START } from "@/lib/core/bundle/arrays";
import { InputError } from "../../base/input-error";
import type { SourceFile } from "../source-file";

/** Whether a file is a bundle rather than a recording. */
export function isBundle(file: SourceFile): boolean {
  const start = file.head.subarray(0, BUNDLE_START.length);
  return Buffer.from(start).toString("latin1") === BUNDLE_START;
}

/** The refusal of a question that needs texts. @param what follows, as the end of a sentence */
export function refetchTexts(path: string, what: string): InputError {
  return new InputError("unreadable", `${basename(path)} is a bundle: it holds numbers and no texts, so ${what}.`);
}

/** The refusal of a bundle that could be read, but whose numbers a policy finds to be no session's. @param name of the file, without folders */
export function contradictoryBundle(name: string): InputError {
  return new InputError("unreadable", `${name} is a bundle whose numbers contradict each other.`);
}
