import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A session with a subagent and a fork, in files of their own, and two sessions in one file. */
export const PARENT = "parent.jsonl";
const FORK = "fork.jsonl";
const SUBAGENT = "agent-ag1.jsonl";
export const TWO_SESSIONS = "two-sessions.jsonl";
/** A session with the records of its subagent in its own file. */
export const INSIDE = "inside.jsonl";
/** A file with one session, and a second one without messages. */
export const SILENT_SECOND = "silent-second.jsonl";

export function writeRelatedFiles(folder: string): void {
  const earlier = [user(1, "Find the slow test.", null), response(2, text("I will ask for help."), 1)];
  const call = { type: "tool_use", id: "toolu_1", name: "Task", input: { prompt: "Look at the import test." } };
  const result = { type: "tool_result", tool_use_id: "toolu_1", content: "It reads every order." };
  put(folder, PARENT, [
    ...earlier,
    response(3, call, 2),
    { ...user(4, [result], 3), toolUseResult: { agentId: "ag1", status: "completed" } },
    response(5, text("The import test reads every order."), 4),
  ]);
  put(
    folder,
    FORK,
    [...earlier, response(6, text("The export test."), 2)].map((one) => of(one, "s-fork")),
  );
  const sidechain = [user(7, "Look at the import test.", null), response(8, text("It reads every order."), 7)];
  put(
    folder,
    SUBAGENT,
    sidechain.map((one) => ({ ...one, isSidechain: true, agentId: "ag1" })),
  );
  const inside = [
    user(21, "Find the slow query.", null),
    response(22, { ...call, id: "toolu_2" }, 21),
    ...[user(23, "Look at the query.", null), response(24, text("It joins every order."), 23)].map((one) => ({
      ...one,
      isSidechain: true,
      agentId: "ag2",
    })),
    {
      ...user(25, [{ ...result, tool_use_id: "toolu_2" }], 22),
      toolUseResult: { agentId: "ag2", status: "completed" },
    },
    response(26, text("The query joins every order."), 25),
  ];
  put(
    folder,
    INSIDE,
    inside.map((one) => of(one, "s-inside")),
  );
  put(folder, TWO_SESSIONS, [
    ...[user(11, "Rename the module.", null), response(12, text("Renamed."), 11)].map((one) => of(one, "s-first")),
    ...[user(13, "Write the changelog.", null), response(14, text("Written."), 13)].map((one) => of(one, "s-second")),
  ]);
  put(folder, SILENT_SECOND, [
    ...[user(15, "Bump the version.", null), response(16, text("Bumped."), 15)].map((one) => of(one, "s-spoken")),
    { type: "queue-operation", operation: "dequeue", timestamp: "2026-02-01T09:01:00.000Z", sessionId: "s-silent" },
  ]);
}

type Line = Readonly<Record<string, unknown>>;

function put(folder: string, name: string, lines: readonly Line[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
}

const of = (line: Line, sessionId: string): Line => ({ ...line, sessionId });
const text = (words: string) => ({ type: "text", text: words });

function line(second: number, parent: number | null): Line {
  return {
    parentUuid: parent === null ? null : `r${parent}`,
    isSidechain: false,
    userType: "external",
    cwd: "/home/ada/shop",
    sessionId: "s-parent",
    version: "2.1.37",
    uuid: `r${second}`,
    timestamp: `2026-02-01T09:00:${String(second).padStart(2, "0")}.000Z`,
  };
}

function user(second: number, content: unknown, parent: number | null): Line {
  return { ...line(second, parent), type: "user", message: { role: "user", content } };
}

function response(second: number, block: unknown, parent: number): Line {
  const usage = {
    input_tokens: 10 + second,
    output_tokens: 9,
    cache_read_input_tokens: 4000,
    cache_creation_input_tokens: 100 * second,
  };
  const message = { id: `msg_${second}`, type: "message", role: "assistant", model: "claude-opus-4-6" };
  return { ...line(second, parent), type: "assistant", message: { ...message, content: [block], usage } };
}
