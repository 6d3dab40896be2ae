import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENGLISH, sampleLines } from "./files";

/** The sample with some empty thinking, and calls of several kinds at its end. */
export const READER = "reader.jsonl";
/** Number of responses that begin with thinking whose text the file lacks. */
export const SILENT = 3;

const ASSISTANT = {
  role: "assistant",
  type: "message",
  model: "claude-sonnet-4-5",
  usage: { input_tokens: 9, output_tokens: 9 },
};

/** An image of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The last calls of the file, and their results. */
const CALLS = [
  {
    name: "Edit",
    input: { file_path: "/srv/a.ts", old_string: "const one = 1;\nkeep();", new_string: "const two = 1;\nkeep();" },
    result: "The file has been updated.",
  },
  {
    name: "Bash",
    input: { command: "ls --color" },
    result: "\u001b[31mred\u001b[0m plain",
  },
  {
    name: "Screenshot",
    input: { of: "page" },
    result: [
      { type: "text", text: "taken" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
      {
        type: "image",
        source: { type: "base64", media_type: "image/png", data: "PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIj48L3N2Zz4PHN2ZyA" },
      },
      { type: "image", source: { type: "url", url: "http://192.0.2.1/picture.png" } },
    ],
  },
  { name: "Lookup", input: { key: "<b>k</b>" }, result: '{"found":{"deep":[1,2]}}' },
] as const;

export function writeReader(folder: string): void {
  const lines = sampleLines(ENGLISH);
  let silent = 0;
  const changed = lines.map((line) => {
    // One line of the sample is damaged on purpose.
    const record = line.endsWith("}") ? JSON.parse(line) : undefined;
    if (record?.type !== "assistant" || silent === SILENT) return line;
    silent += 1;
    record.message.content.unshift({ type: "thinking", thinking: "", signature: "" });
    return JSON.stringify(record);
  });
  const last = JSON.parse(changed.findLast((line) => line.endsWith("}")) ?? "{}");
  const calls = CALLS.flatMap(({ name, input, result }, at) => {
    const common = { ...last, timestamp: `2026-02-10T09:0${at}:00.000Z`, requestId: `req_call_${at}` };
    const ids = { id: `toolu_reader_${at}`, uuid: `call-${at}`, before: at === 0 ? last.uuid : `result-${at - 1}` };
    const call = { type: "tool_use", id: ids.id, name, input };
    const answer = { type: "tool_result", tool_use_id: ids.id, content: result };
    return [
      {
        ...common,
        type: "assistant",
        uuid: ids.uuid,
        parentUuid: ids.before,
        message: { ...ASSISTANT, id: `msg_call_${at}`, content: [call] },
      },
      {
        ...common,
        type: "user",
        uuid: `result-${at}`,
        parentUuid: ids.uuid,
        message: { role: "user", content: [answer] },
      },
    ];
  });
  writeFileSync(join(folder, READER), `${[...changed, ...calls.map((record) => JSON.stringify(record))].join("\n")}\n`);
}
