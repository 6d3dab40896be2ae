import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";

const START = Date.UTC(2026, 0, 12, 8);
const WINDOW = 200_000;
const OVERHEAD = 18_000;
const WORDS =
  "the parser reads a line and keeps its place so that a later question finds the text again without reading all of it ".repeat(
    40,
  );

/**
 * Writes a Claude Code session of that many items with short texts: many requests, few bytes. Its context rises and falls like one that is
 * compacted at 155,000 tokens.
 * @param number distinguishes sessions: they share no id, are hours apart, and results have other sizes
 */
export async function writeManyItems(path: string, items: number, number = 0): Promise<void> {
  const out = createWriteStream(path);
  for (const line of session(items, number)) if (!out.write(`${line}\n`)) await once(out, "drain");
  out.end();
  await finished(out);
}

/** Measurements of a session of each of these many items, as rows of a table. */
export async function rowsOfSizes(sizes: readonly number[], measured: (path: string) => string[][]) {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-bench-"));
  const rows: string[][] = [];
  for (const size of sizes) {
    const path = join(folder, `${size}.jsonl`);
    await writeManyItems(path, size);
    rows.push(...measured(path));
  }
  rmSync(folder, { recursive: true });
  return rows;
}

function* session(items: number, number: number): Generator<string> {
  let parent: string | null = null;
  let written = 0;
  let context = OVERHEAD;
  let step = 0;
  const own = number === 0 ? "" : `-${number}`;
  const start = START + number * 3_600_000;
  const record = (type: string, message: object, more: object = {}): string => {
    step += 1;
    const uuid = `u${own}-${step}`;
    const line = JSON.stringify({
      parentUuid: parent,
      isSidechain: false,
      userType: "external",
      cwd: `/work/long${number === 0 ? "" : number % 25}`,
      sessionId: `many-items${own}`,
      version: "2.1.37",
      gitBranch: "main",
      type,
      message,
      ...more,
      uuid,
      timestamp: new Date(start + step * 4000).toISOString(),
    });
    parent = uuid;
    return line;
  };
  for (let request = 0; written < items; request++) {
    if (request % 12 === 0) {
      yield record("user", { role: "user", content: `Question ${request / 12}: ${WORDS.slice(0, 200)}` });
      written += 1;
      context += 70;
    }
    const size = 300 + ((request * 7919 + number * 613) % 2400);
    const id = `t${own}-${request}`;
    const usage = {
      input_tokens: 6,
      cache_read_input_tokens: context - 206,
      cache_creation_input_tokens: 200,
      output_tokens: 160,
    };
    const block = (content: object) => ({
      model: "claude-opus-4-6",
      id: `m${own}-${request}`,
      type: "message",
      role: "assistant",
      content: [content],
      usage,
    });
    const more = { requestId: `r${own}-${request}` };
    yield record("assistant", block({ type: "text", text: `Step ${request}. ${WORDS.slice(0, 160)}` }), more);
    yield record(
      "assistant",
      block({
        type: "tool_use",
        id,
        name: request % 3 === 0 ? "Bash" : "Read",
        input: { file_path: `src/file-${request % 400}.ts` },
      }),
      more,
    );
    yield record("user", {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content: WORDS.slice(0, size) }],
    });
    written += 3;
    context += 160 + Math.ceil(size / 4);
    if (context > WINDOW * 0.775) context = OVERHEAD + 24_000;
  }
}
