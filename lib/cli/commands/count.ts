import { constants } from "node:buffer";
import { LineSplitter } from "@/lib/core/records/jsonl";
import { NestingError, parseJson } from "@/lib/core/records/nesting";
import type { ItemEstimator } from "@/lib/core/tokens/item-estimator";
import { bytesInWords } from "@/lib/server/base/byte-words";
import { LIMITS } from "@/lib/server/base/limits";
import { decodeUtf8 } from "@/lib/server/read/decode";
import { estimatorOf } from "@/lib/server/read/numbers/estimators";
import { CliError, EXIT } from "../process/exit";
import { write } from "../text/output";

export interface CountOptions {
  readonly estimator: string;
  readonly model?: string;
  readonly jsonl?: boolean;
}

/** `count`: counts the tokens of standard input as a whole, or of each of its lines. */
export async function count({ estimator, model, jsonl }: CountOptions): Promise<void> {
  const rule = await estimatorOf(estimator, model);
  if (jsonl) return countLines(rule);
  await write(`${rule.text(decodeUtf8(await wholeInput(process.stdin)))}\n`);
}

async function countLines(rule: ItemEstimator): Promise<void> {
  let output: string[] = [];
  const splitter = new LineSplitter({
    decode: decodeUtf8,
    maxLineBytes: LIMITS.maxLineBytes,
    onLine: ({ text, line }) => {
      if (text.trim() !== "") output.push(`{"tokens": ${tokensOfLine(rule, text, line)}}\n`);
    },
    onTooLong: ({ line }) => refuse(line, "is too long"),
  });
  const flush = async () => {
    const done = output.join("");
    output = [];
    if (done !== "") await write(done);
  };
  for await (const chunk of process.stdin) {
    splitter.push(new Uint8Array(chunk));
    await flush();
  }
  splitter.end();
  await flush();
}

/** Each line is a JSON string, which is counted as text, or an object that holds a message in the rule's own format. */
function tokensOfLine(rule: ItemEstimator, json: string, line: number): number {
  const value = valueOfLine(json, line);
  if (typeof value === "string") return rule.text(value);
  if (typeof value !== "object" || value === null || !("message" in value)) {
    refuse(line, 'is neither a JSON string nor {"message": …}');
  }
  if (rule.message === undefined) refuse(line, `holds a message; ${rule.id} counts texts only`);
  return rule.message(value.message) ?? refuse(line, `holds no message of the shape that ${rule.id} counts`);
}

function valueOfLine(json: string, line: number): unknown {
  try {
    return parseJson(json);
  } catch (error) {
    return refuse(line, `is ${error instanceof NestingError ? error.message : "not JSON"}`);
  }
}

function refuse(line: number, why: string): never {
  throw new CliError(EXIT.unreadable, `line ${line} of standard input ${why}.`);
}

/**
 * All bytes of an input that must be counted in one piece. Rejects with `CliError` as soon as the input exceeds one string.
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
      const sentence = `standard input is more than ${bytesInWords(limit)}, the most that is counted as one text; --jsonl counts line by line.`;
      throw new CliError(EXIT.unreadable, sentence);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
