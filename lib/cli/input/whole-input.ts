import { constants } from "node:buffer";
import { inWords } from "@/lib/server/base/byte-words";
import { CliError, EXIT } from "../process/exit";

/**
 * All bytes of an input that is counted in one piece. Rejects with `CliError` as soon as the input exceeds one string.
 * @param limit in bytes, because no text has more characters than bytes
 */
export async function wholeInput(
  input: AsyncIterable<Uint8Array>,
  limit: number = constants.MAX_STRING_LENGTH,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunk.length;
    if (bytes > limit) {
      const sentence = `standard input is more than ${inWords(limit)}, the most that is counted as one text; --jsonl counts line by line.`;
      throw new CliError(EXIT.unreadable, sentence);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
