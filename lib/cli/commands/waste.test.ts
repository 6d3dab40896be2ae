import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionSummary, waste } from "@/lib/queries/contract/schemas";
import { assistantLine, put, userLine } from "@/lib/server/testing/files";
import { commandLine } from "../testing/program";

const { run, folder, good } = commandLine();

/** A record of a session in which content blocks take the place of its text. */
function withBlocks(line: string, blocks: readonly object[]): string {
  const record = JSON.parse(line);
  return JSON.stringify({ ...record, message: { ...record.message, content: blocks } });
}

/** A session that reads the same file of 1,200 letters twice. */
function readTwice(sessionFolder: string, name: string, tool = "Read"): string {
  const call = (id: string, parent: string) =>
    withBlocks(assistantLine("", id, parent), [
      { type: "tool_use", id, name: tool, input: { file_path: "/shop/cart.ts" } },
    ]);
  const result = (id: string, uuid: string) =>
    withBlocks(userLine("", uuid, id), [
      { type: "tool_result", tool_use_id: id, content: "const sum = 1; ".repeat(80) },
    ]);
  const lines = [
    userLine("Look twice.", "u1"),
    ...[call("a1", "u1"), result("a1", "u2"), call("a2", "u2"), result("a2", "u3")],
    ...[assistantLine("Done.", "a3", "u3"), userLine("Thanks.", "u4", "a3"), assistantLine("Fine.", "a4", "u4")],
  ];
  return put(sessionFolder, name, lines.join("\n"));
}

/** A folder whose only file is not a transcript. */
function withoutSessions(name: string): string {
  const place = join(folder, name);
  mkdirSync(place);
  put(place, "notes.jsonl", "not a record\n");
  return place;
}

describe("waste", () => {
  it("reports a folder without any session, as does fidelity", async () => {
    const place = withoutSessions("only-notes");
    const message = `context-replay: there is no session in ${place}.\n`;
    for (const command of ["waste", "fidelity"])
      for (const json of [[], ["--json"]])
        expect(await run([command, place, ...json])).toEqual({ code: 3, out: "", err: message });
  });

  it("prints results that match the contract, at most the tokens and the cost of the session", async () => {
    const { code, out } = await run(["waste", readTwice(folder, "twice.jsonl"), "--json"]);
    const answer = waste.parse(JSON.parse(out));
    expect([code, answer.unknown]).toEqual([0, []]);
    expect(answer.findings.map(({ kind, count }) => [kind, count])).toEqual([["read-again", 1]]);
    const [row] = answer.findings[0]?.rows ?? [];
    // The second copy is in two of four requests.
    expect(row).toMatchObject({ name: "/shop/cart.ts", count: 1, request: 2 });
    expect(row?.tokens).toBeGreaterThan(0);
    expect(row?.tokens).toBeLessThan(answer.sent);
    expect(row?.usd).toBeLessThan(answer.inputUsd ?? Number.NaN);
  });

  it("counts the tokens that inspect counts, estimates for requests without usage included", async () => {
    const file = "lib/agents/openclaw/fixtures/delivery-mirror.jsonl";
    const [wasted, inspected] = await Promise.all(["waste", "inspect"].map((name) => run([name, file, "--json"])));
    const { sent, inherited } = waste.parse(JSON.parse(wasted?.out ?? ""));
    const { tokensSent } = sessionSummary.parse(JSON.parse(inspected?.out ?? ""));
    expect([sent, inherited]).toEqual([tokensSent, 0]);
  });

  it("counts no inherited requests, and says so", async () => {
    const [header = "", ...entries] = readFileSync("lib/agents/pi/fixtures/compactions.jsonl", "utf8").split("\n");
    const fork = { ...JSON.parse(header), timestamp: "2099-01-01T00:00:00.000Z", parentSession: "/home/ada/s1.jsonl" };
    const file = put(folder, "fork.jsonl", [JSON.stringify(fork), ...entries].join("\n"));
    const { requests, requestsWithoutUsage = 0 } = sessionSummary.parse(
      JSON.parse((await run(["inspect", file, "--json"])).out),
    );
    const all = requests + requestsWithoutUsage;
    const { out } = await run(["waste", file, "--json"]);
    expect(waste.parse(JSON.parse(out))).toMatchObject({ sent: 0, inputUsd: 0, inherited: all, findings: [] });
    const text = `fork.jsonl: no waste found; 0 tokens sent, $0.00 by list prices, without ${all} inherited requests\n`;
    expect((await run(["waste", file])).out).toContain(text);
  });

  it("states that nothing was found, or prints each finding with its fix and items", async () => {
    expect((await run(["waste", good])).out).toMatch(/^good\.jsonl: no waste found; \d+ tokens sent/);
    const { out } = await run(["waste", readTwice(folder, "again.jsonl")]);
    expect(out).toMatch(
      /1 file was read again, unchanged and still in the context: [\d,]+ tokens sent, \$[\d.]+ \(moderate confidence/,
    );
    expect(out).toMatch(/Fix: tell the agent/);
    expect(out).toMatch(/\/shop\/cart\.ts, item \d+ and \d+, request 2, read again 1 time/);
  });

  it("names MCP servers without a called tool, and how to turn each off", async () => {
    const tool = (name: string, server?: string) => ({
      name,
      server,
      schema: { description: "Long text. ".repeat(100) },
    });
    const tools = [tool("Read"), tool("create_issue", "github"), tool("list_issues", "github"), tool("query", "db")];
    tools.push(tool("look", "web"), tool("search", "web"));
    const profile = put(folder, "profile.json", JSON.stringify({ tools }));
    // A call of `web` names the server with the prefix `mcp__`.
    const path = readTwice(folder, "servers.jsonl", "mcp__web__look");
    const { out } = await run(["waste", path, "--overhead", profile, "--json"]);
    const [found] = waste.parse(JSON.parse(out)).findings.filter(({ kind }) => kind === "unused-tools");
    expect(found?.servers.map(({ name, tools: count, off }) => [name, count, off?.text])).toEqual([
      ["github", 2, "/mcp disable github"],
      ["db", 1, "/mcp disable db"],
    ]);
    expect(found?.rows.map(({ name }) => name).sort()).toEqual([
      "Read",
      "db__query",
      "github__create_issue",
      "github__list_issues",
      "web__search",
    ]);
    const sum = found?.rows.reduce((all, { tokens }) => all + (tokens ?? 0), 0);
    expect(found?.servers.reduce((all, { tokens }) => all + tokens, 0)).toBeLessThanOrEqual((sum ?? 0) + 2);
    const { out: text } = await run(["waste", path, "--overhead", profile]);
    expect(text).toMatch(/MCP server github, 2 tools, [\d,]+ tokens sent, \$[\d.]+; off with: \/mcp disable github/);
  });

  it("reads folders, skips files that are not transcripts, and counts shared requests once", async () => {
    const many = join(folder, "many");
    mkdirSync(many);
    readTwice(many, "one.jsonl");
    readTwice(many, "two.jsonl");
    put(many, "notes.jsonl", "no transcript");
    const { code, out, err } = await run(["waste", many]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(
      /Over 1 session; findings overlap, so they have no common sum; 1 session left out because they share requests/,
    );
    expect(out).toMatch(/files read again unchanged: 1 in 1 session, \$/);
  });
});
