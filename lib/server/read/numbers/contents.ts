import { createHash } from "node:crypto";
import { CONTENT_MEASURE } from "@/lib/core/columns/content";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";

/**
 * The measure `CONTENT_MEASURE` over one session. Texts are numbered from 1 in the order in which they are first seen, and equal texts have the same
 * number. An item without text, or with only white space, has 0. Texts are held as digests (SHA-256), so a long session needs little memory.
 */
export function contentMeasures(): (
  message: Message,
  contents: readonly BlockContent[],
) => Readonly<Record<string, readonly number[]>> {
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    if (text.trim() === "") return 0;
    const digest = createHash("sha256").update(text).digest("base64");
    const known = numbers.get(digest);
    if (known !== undefined) return known;
    numbers.set(digest, numbers.size + 1);
    return numbers.size;
  };
  return (_message, contents) => ({ [CONTENT_MEASURE]: contents.map(({ text }) => numberOf(text)) });
}
