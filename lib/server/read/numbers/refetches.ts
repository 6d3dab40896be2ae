import { serverProfileOf } from "@/lib/agents/registry";
import { RefetchIndexBuilder } from "@/lib/core/refetch/index-builder";
import type { Transcript } from "@/lib/core/transcript/model";
import { eachMessage, type LoadedFile, type Pass, rowCount } from "../texts/each-message";

/** The part of a result's text that its call printed, for recordings of an agent; `undefined` for all of it. */
export async function resultTextOf(agent: string | null): Promise<((text: string) => string) | undefined> {
  return serverProfileOf(agent)?.resultText?.();
}

/** Re-fetch data of every text of a file, as numbers, in one pass over it; further texts can still be queried. Throws `InputError` if the file has changed. */
export function refetchesOf(
  loaded: LoadedFile,
  resultText?: (text: string) => string,
  hasNames = false,
): RefetchIndexBuilder {
  const needs = refetchPass(loaded.transcript, resultText, hasNames);
  eachMessage(loaded, needs);
  return needs.result();
}

/** As `refetchesOf`, as a part of a shared pass. */
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
