import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";

/**
 * Writes a Gemini CLI session of lines as one JSON object, the format before 0.40: every message once, as in its last line. Messages that a
 * compaction replaced stay in the list.
 */
export async function writeDocument(source: string, target: string): Promise<void> {
  const messages = new Map<string, string>();
  let session = "{}";
  for await (const line of createInterface({ input: createReadStream(source), crlfDelay: Number.POSITIVE_INFINITY })) {
    const id = /^\{"id":"([^"]+)"/.exec(line)?.[1];
    if (id !== undefined) messages.set(id, line);
    else if (line.startsWith('{"sessionId"')) session = line;
  }
  const out = createWriteStream(target);
  out.write(`${session.slice(0, -1)},\n  "messages": [`);
  let between = "\n";
  for (const message of messages.values()) {
    if (!out.write(`${between}    ${message}`)) await once(out, "drain");
    between = ",\n";
  }
  out.end("\n  ]\n}\n");
  await finished(out);
}
