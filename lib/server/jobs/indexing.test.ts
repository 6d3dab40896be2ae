import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { policiesRequest, type SessionPage } from "@/lib/queries/contract/schemas";
import { configFrom } from "../base/config";
import { listQuery } from "../list/list-query";
import { AppServer } from "../server";
import { PostgresExecutor } from "../store/database/open";
import { builtProgram } from "../testing/bundles";
import { DIALECTS_HERE, postgresServer } from "../testing/databases";
import { assistantLine, put, temporaryFolder, userLine } from "../testing/files";

const FILES = 12;

describe.runIf(DIALECTS_HERE.includes("postgres"))("a server that shares its index database", () => {
  const base = temporaryFolder();
  const root = builtProgram();
  const postgres = postgresServer();

  it("reads files and replays sessions as jobs, and does them itself if there is no other worker", async () => {
    const address = await postgres.newDatabase();
    const dirs = [temporaryFolder()];
    for (let file = 0; file < FILES; file++)
      put(
        dirs[0] ?? "",
        `s-${file}.jsonl`,
        `${userLine(`One ${file}.`, "u1")}\n${assistantLine("Two.", "a1", "u1")}\n`.replaceAll(
          "T09:",
          `T${file + 10}:`,
        ),
      );
    put(dirs[0] ?? "", "odd.jsonl", "no session\n");
    const env = {
      HOME: base,
      CONTEXT_REPLAY_DATA: join(base, "data"),
      CONTEXT_REPLAY_DATABASE: address,
      CONTEXT_REPLAY_INDEX_TEXT: "messages",
    };
    const server = new AppServer({ ...configFrom(env), root, dirs });
    const listed = async (query = {}): Promise<SessionPage> =>
      JSON.parse(new TextDecoder().decode(await server.listing.list(listQuery.parse({ limit: 50, ...query }))));
    try {
      await vi.waitFor(async () => expect((await listed()).indexing).toEqual({ done: FILES + 1, total: FILES + 1 }), {
        timeout: 100_000,
        interval: 200,
      });
      const { sessions } = await listed();
      expect(sessions.filter(({ summary }) => summary?.requests === 1).length).toBe(FILES);
      // Answers are searched only if that is enabled.
      expect((await listed({ q: "Two." })).total).toBe(FILES);
      expect(sessions.find(({ name }) => name === "odd.jsonl")?.error).toContain("is not a transcript");
      const executor = new PostgresExecutor(address);
      const sql = "select state, count(*) as jobs from context_replay_jobs.job group by state";
      expect(await executor.run([{ sql, parameters: [] }])).toEqual([{ state: "completed", jobs: FILES + 1 }]);

      // A query over the sessions is a job for each, and none when repeated.
      const asked = policiesRequest.parse({ runs: [{ policy: "none" }, { policy: "custom" }], where: ["requests=1"] });
      const listener = { onFiles: () => undefined, onSessions: () => undefined, signal: new AbortController().signal };
      const answer = await server.insights.policies(asked, listener);
      expect([answer.sessions, answer.leftOut]).toEqual([FILES, []]);
      expect(await server.insights.policies({ ...asked, seed: 2 }, listener)).toMatchObject({ sessions: FILES });
      const replays = `${sql.replace(" group", " where name like 'replays-%' group")}`;
      expect(await executor.run([{ sql: replays, parameters: [] }])).toEqual([{ state: "completed", jobs: FILES }]);
      await executor.close();
    } finally {
      await server.close();
    }
  });
});
