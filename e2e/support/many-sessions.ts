import { writeFileSync } from "node:fs";
import { join } from "node:path";

const MODELS = ["claude-opus-4-5", "claude-sonnet-4-5"];
const PROJECTS = ["/home/ada/shop", "/home/ada/docs", "/srv/docs"];

/** The title of a session of `writeManySessions`. */
export function manyTitle(number: number): string {
  return `Task ${number}.`;
}

/** Writes sessions of two messages each; the highest number ended last. Every third is of the first project, every second of the first model. */
export function writeManySessions(folder: string, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    const text = linesOf(number)
      .map((line) => JSON.stringify(line))
      .join("\n");
    writeFileSync(join(folder, `many-${number}.jsonl`), `${text}\n`);
  }
}

function linesOf(number: number) {
  const at = Date.parse("2026-02-01T00:00:00.000Z") + number * 60_000;
  const line = (second: number) => ({
    parentUuid: second === 0 ? null : `m${number}-${second - 1}`,
    isSidechain: false,
    userType: "external",
    cwd: PROJECTS[number % 3],
    sessionId: `many-${number}`,
    version: "2.1.37",
    uuid: `m${number}-${second}`,
    timestamp: new Date(at + second * 1000).toISOString(),
  });
  const usage = { input_tokens: 3, cache_creation_input_tokens: 4000, cache_read_input_tokens: number * 100 };
  return [
    { ...line(0), type: "user", message: { role: "user", content: manyTitle(number) } },
    {
      ...line(1),
      type: "assistant",
      requestId: `req-${number}`,
      message: {
        id: `msg-${number}`,
        type: "message",
        role: "assistant",
        model: MODELS[number % 2],
        content: [{ type: "text", text: "Done." }],
        usage: { ...usage, output_tokens: number },
      },
    },
  ];
}
