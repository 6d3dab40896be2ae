import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Sessions of Qwen Code 0.12 with one response, sized so that they give the two example screens of its document. */
export const QWEN = {
  before: "5f0c2a10-1111-4111-8111-00000000000a.jsonl",
  after: "5f0c2a10-1111-4111-8111-00000000000b.jsonl",
};

export function writeQwenFiles(folder: string): void {
  const write = (file: string, usage: object) =>
    writeFileSync(join(folder, file), qwenSession(file.slice(0, -6), usage));
  write(QWEN.before, {});
  write(QWEN.after, { usageMetadata: { promptTokenCount: 25_300 } });
}

function qwenSession(sessionId: string, usage: object): string {
  const common = { sessionId, cwd: "/home/ada/shop", version: "0.12.0", timestamp: "2026-03-02T09:00:05.000Z" };
  const records = [
    { ...common, uuid: "1", parentUuid: null, type: "user", message: { role: "user", parts: [{ text: "Hello." }] } },
    {
      ...common,
      uuid: "2",
      parentUuid: "1",
      type: "assistant",
      model: "glm-5",
      message: { role: "model", parts: [{ text: "Hi." }] },
      ...usage,
    },
  ];
  return records.map((record) => JSON.stringify(record)).join("\n");
}
