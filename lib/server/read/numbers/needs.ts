import { serverProfileOf } from "@/lib/agents/registry";
import { type NeedsIndex, NeedsIndexBuilder } from "@/lib/core/needs/index-builder";
import type { Transcript } from "@/lib/core/transcript/model";
import { eachMessage, type LoadedFile, type Pass, rowCount } from "../texts/each-message";

/** What of the text of a result its call put out, for recordings of an agent; `undefined` where that is all of it. */
export async function resultTextOf(agent: string | null): Promise<((text: string) => string) | undefined> {
  return serverProfileOf(agent)?.resultText?.();
}

/** What every text of a file says, as numbers, in one pass over it. Throws `InputError` where the file has changed. */
export function needsIndex(loaded: LoadedFile, resultText?: (text: string) => string, hasNames = false): NeedsIndex {
  return needsOf(loaded, resultText, hasNames).finish();
}

/** The same before it is finished: other texts can still be asked about. */
export function needsOf(
  loaded: LoadedFile,
  resultText?: (text: string) => string,
  hasNames = false,
): NeedsIndexBuilder {
  const needs = needsPass(loaded.transcript, resultText, hasNames);
  eachMessage(loaded, needs);
  return needs.result();
}

/** The same as one of several things that are made in a pass. */
export function needsPass(
  transcript: Transcript,
  resultText?: (text: string) => string,
  hasNames = false,
): Pass<NeedsIndexBuilder> {
  const builder = new NeedsIndexBuilder(rowCount(transcript), resultText, hasNames);
  return {
    message: (message, contents, firstRow) => {
      const texts = contents.map(({ text }) => text);
      builder.message(message, texts, firstRow);
    },
    result: () => builder,
  };
}
