import { describe, expect, it } from "vitest";
import type { SessionSummary } from "@/lib/queries/contract/schemas";
import { listedRow as row } from "../../testing/listed-rows";
import type { CatalogEntry } from "../files/entries";
import { Projects } from "./projects";
import { isShown, rowOf } from "./session-list";

it("a .json file is shown only once it is known to be a session", () => {
  expect(isShown(row("a", { name: "package.json" }))).toBe(false);
  expect(isShown(row("a", { name: "page.har" }))).toBe(false);
  expect(isShown(row("a", { name: "upload.json", upload: true }))).toBe(true);
  expect(isShown(row("a"))).toBe(true);
});

/** The projects that folders stand for, by the sessions that name them. */
function projectsByFolder(named: readonly { agent: string | null; project: string | null }[]): Projects["of"] {
  const projects = new Projects();
  for (const { agent, project } of named) if (project !== null) projects.add(agent, project);
  return (agent, folder) => projects.of(agent, folder);
}

describe("the list row of a file that is not fully read", () => {
  const entry: CatalogEntry = {
    id: "i",
    source: "s",
    kind: "agent",
    agent: "claude-code",
    path: "/nowhere",
    name: "s.jsonl",
    version: { bytes: 5, mtimeMs: 0 },
    placed: { sessionId: "s", projectFolder: "-home-ada-shop", startedAt: 1000 },
  };
  const head = { agent: "claude-code", title: "Fix it", project: "/home/ada/shop", startedAt: 2000 };

  it("comes from the beginning of the file", () => {
    expect(rowOf(entry, { indexed: undefined, head })).toMatchObject({
      title: "Fix it",
      project: "/home/ada/shop",
      startedAt: new Date(2000).toISOString(),
      summary: null,
    });
  });

  it("comes from the path if the beginning is unknown, with the project of a session in the same folder", () => {
    const other = { agent: "claude-code", project: "/home/ada/shop" } as SessionSummary; // The rest is not read.
    expect(rowOf(entry, { indexed: undefined, projectOf: projectsByFolder([other]) })).toMatchObject({
      title: null,
      project: "/home/ada/shop",
      startedAt: new Date(1000).toISOString(),
    });
    expect(rowOf(entry, { indexed: undefined }).project).toBe("-home-ada-shop");
  });

  it("shows the path behind a project digest if any session names it, else no project", () => {
    const digest = "ff0a01d53d837e70275074a42c9709b53c538c1476884575978bc79bc4b8637a"; // printf /home/ada/shop | sha256sum
    const gemini = { ...entry, agent: "gemini-cli", placed: { projectFolder: digest } };
    const other = { agent: "codex", project: "/home/ada/shop" } as SessionSummary; // The rest is not read.
    const projectOf = projectsByFolder([other]);
    expect(rowOf(gemini, { indexed: undefined, projectOf }).project).toBe("/home/ada/shop");
    const read = { summary: { ...other, agent: "gemini-cli", project: null } as SessionSummary };
    const indexed = { ...read, sparkline: null, error: null };
    expect(rowOf(gemini, { indexed, projectOf }).project).toBe("/home/ada/shop");
    expect(rowOf(gemini, { indexed: undefined }).project).toBeNull();
    const marked = { ...gemini, placed: { ...gemini.placed, project: "/home/ada/garden" } };
    expect(rowOf(marked, { indexed: undefined, projectOf }).project).toBe("/home/ada/garden");
  });
});
