import { TITLE_CHARS } from "@/lib/core/transcript/title";

/** A prompt can be a megabyte long: its beginning is enough. */
const SEARCHED_CHARS = 2000;

/** The first line of a text that is not blank, cut between characters to a title's length; `undefined` where there is none. */
export function titleOf(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const lines = text.slice(0, SEARCHED_CHARS).split("\n");
  const cut = lines
    .map((line) => line.trim())
    .find((line) => line !== "")
    ?.slice(0, TITLE_CHARS);
  return cut !== undefined && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
