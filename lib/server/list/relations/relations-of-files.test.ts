import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assistantLine, put, temporaryFolder, userLine } from "../../testing/files";
import { LocalRunner } from "../../threads/local-runner";
import { relate } from "./relations";

const folder = temporaryFolder();
const runner = new LocalRunner();

/** The relations of some files, by their names. */
async function relationsOf(paths: readonly string[]) {
  const inputs = await Promise.all(
    paths.map(async (path) => {
      const { summary, requestKeys: keys } = await runner.ingest({ path, summaryOnly: true });
      return { id: summary.file, summary, placed: {}, keys };
    }),
  );
  return relate(inputs);
}

/** A record at another second and in another session. */
const at = (line: string, second: number, session = "s-1") =>
  line.replace(/09:00:0\d/, `09:00:1${second}`).replace('"sessionId":"s-1"', `"sessionId":"${session}"`);

const EARLIER = [at(userLine("One.", "u1"), 1), at(assistantLine("Two.", "a1", "u1"), 2)];
const call = JSON.parse(at(assistantLine("", "a2", "a1"), 3));
call.message.content = [{ type: "tool_use", id: "toolu_1", name: "Task", input: { prompt: "Look." } }];
const answer = {
  ...JSON.parse(at(userLine("", "u2", "a2"), 4)),
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "Seen." }] },
  toolUseResult: { agentId: "ag1", status: "completed" },
};
const subagent = [at(userLine("Look.", "x1"), 5), at(assistantLine("Seen.", "x2", "x1"), 6)].map((line) =>
  JSON.stringify({ ...JSON.parse(line), isSidechain: true, agentId: "ag1" }),
);

it("a fork under a new id is recognised, and a subagent is linked to the call that started it", async () => {
  const whole = [...EARLIER, JSON.stringify(call), JSON.stringify(answer)];
  const copied = [
    ...EARLIER.map((line) => line.replaceAll("s-1", "s-2")),
    at(assistantLine("Else.", "b1", "a1"), 7, "s-2"),
  ];
  mkdirSync(join(folder, "subagents"));
  const found = await relationsOf([
    put(folder, "s-1.jsonl", whole.join("\n")),
    put(folder, "s-2.jsonl", copied.join("\n")),
    put(folder, "agent-ag1.jsonl", subagent.join("\n")),
  ]);
  expect(Object.fromEntries(found)).toEqual({
    "s-1.jsonl": {
      relations: [
        { kind: "has-fork", id: "s-2.jsonl" },
        { kind: "has-subagent", id: "agent-ag1.jsonl", callId: "toolu_1", item: 3 },
      ],
      elsewhere: [],
    },
    "s-2.jsonl": {
      relations: [{ kind: "fork-of", id: "s-1.jsonl" }],
      elsewhere: [{ row: 0, by: "s-1.jsonl" }],
    },
    "agent-ag1.jsonl": {
      relations: [{ kind: "subagent-of", id: "s-1.jsonl", callId: "toolu_1", item: 3 }],
      elsewhere: [],
    },
  });
});

it("requests and summary call that a compaction's file repeats count only in the session", async () => {
  const request = readFileSync("lib/agents/claude-code/fixtures/compaction-request-file.jsonl", "utf8");
  const lines = request.trimEnd().split("\n");
  const session = lines.slice(0, 4).map((line) => {
    const { agentId, ...record } = JSON.parse(line);
    return JSON.stringify({ ...record, isSidechain: false });
  });
  const found = await relationsOf([
    put(folder, "session.jsonl", session.join("\n")),
    put(folder, "agent-acompact-1f2e3d.jsonl", request),
  ]);
  expect(found.get("session.jsonl")).toMatchObject({ relations: [{ kind: "has-subagent" }], elsewhere: [] });
  expect(found.get("agent-acompact-1f2e3d.jsonl")).toMatchObject({
    relations: [{ kind: "subagent-of", id: "session.jsonl" }],
    elsewhere: [{ row: 0 }, { row: 1 }, { row: 2 }],
  });
});

it("subagents with simultaneous answers of equal size keep their requests, since response ids differ", async () => {
  const parallel = (agent: string) =>
    subagent
      .map((line) => ({ ...JSON.parse(line), agentId: agent }))
      .map((record) => JSON.stringify(record).replaceAll(/"msg_[^"]*"/g, `"msg_${agent}"`));
  const found = await relationsOf(
    ["ag2", "ag3"].map((agent) => put(folder, `agent-${agent}.jsonl`, parallel(agent).join("\n"))),
  );
  expect([...found.values()].flatMap(({ elsewhere }) => elsewhere)).toEqual([]);
});

const CHECKPOINTS = join(process.cwd(), "../shared/transcripts/claude-code");

describe.skipIf(!existsSync(CHECKPOINTS))("recordings with shared requests", () => {
  it("three states of one session count each request once", async () => {
    const names = readdirSync(CHECKPOINTS).filter((name) => name.includes("6113e919-67d3"));
    expect(names).toHaveLength(3);
    const found = await relationsOf(names.map((name) => join(CHECKPOINTS, name)));
    const largest = [...found].filter(([, { elsewhere }]) => elsewhere.length === 0);
    expect(largest).toHaveLength(1);
    expect(largest[0]?.[1].relations).toHaveLength(2);
  });
});
