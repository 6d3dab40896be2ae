import { serverProfileOf } from "@/lib/agents/registry";
import { type RefetchIndex, RefetchIndexBuilder } from "@/lib/core/refetch/index-builder";
import type { Transcript } from "@/lib/core/transcript/model";
import { eachMessage, type LoadedFile, type Pass, rowCount } from "../texts/each-message";

/** What of the text of a result its call put out, for recordings of an agent; `undefined` where that is all of it. */
export async function resultTextOf(agent: string | null): Promise<((text: string) => string) | undefined> {
  return serverProfileOf(agent)?.resultText?.();
}

/** What every text of a file says, as numbers, in one pass over it. Throws `InputError` where the file has changed. */
export function refetchIndex(
  loaded: LoadedFile,
  resultText?: (text: string) => string,
  hasNames = false,
): RefetchIndex {
  return refetchesOf(loaded, resultText, hasNames).finish();
}

/** The same before it is finished: other texts can still be asked about. */
export function refetchesOf(
  loaded: LoadedFile,
  resultText?: (text: string) => string,
  hasNames = false,
): RefetchIndexBuilder {
  const needs = refetchPass(loaded.transcript, resultText, hasNames);
  eachMessage(loaded, needs);
  return needs.result();
}

/** The same as one of several things that are made in a pass. */
export function refetchPass(
  transcript: Transcript,
  resultText?: (text: string) => string,
  hasNames = false,
): Pass<RefetchIndexBuilder> {
  const builder = new RefetchIndexBuilder(rowCount(transcript), resultText, hasNames);
  return {
    message: (message, contents, firstRow) => {
      const texts = contents.map(({ text }) => text);
      builder.message(message, texts, firstRow);
    },
    result: () => builder,
  };
}
