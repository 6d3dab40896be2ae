import { LineSplitter } from "@/lib/core/transcript/jsonl";
import { estimatorOf } from "@/lib/server/estimators";
import { decodeUtf8 } from "@/lib/server/ingest/decode";
import { LIMITS } from "@/lib/server/ingest/limits";
import { CliError, EXIT } from "./exit";
import { write } from "./output";

export interface CountOptions {
  readonly estimator: string;
  readonly jsonl?: boolean;
}

/** `count`: tokens of standard input, or of every line of it. */
export async function count({ estimator, jsonl }: CountOptions): Promise<void> {
  const { text } = await estimatorOf(estimator);
  if (jsonl) return countLines(text);
  await write(`${text(decodeUtf8(await wholeInput()))}\n`);
}

async function wholeInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function countLines(tokens: (text: string) => number): Promise<void> {
  let output: string[] = [];
  const splitter = new LineSplitter({
    decode: decodeUtf8,
    maxLineBytes: LIMITS.maxLineBytes,
    onLine: ({ text, line }) => {
      if (text.trim() !== "") output.push(`{"tokens": ${tokens(textOfLine(text, line))}}\n`);
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

function textOfLine(json: string, line: number): string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    refuse(line, "is not JSON");
  }
  if (typeof value !== "string") refuse(line, "is not a JSON string");
  return value;
}

function refuse(line: number, why: string): never {
  throw new CliError(EXIT.unreadable, `line ${line} of standard input ${why}.`);
}
