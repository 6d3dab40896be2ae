import { describe, expect, it } from "vitest";
import type { AgentId } from "@/lib/agents/agents";
import { PROFILES } from "@/lib/agents/registry";
import type { AgentPlaces } from "./places";

const LOCAL = new Date(2026, 0, 2, 3, 4, 5).getTime();

describe("session facts from a file's path", () => {
  it.each([
    ["claude-code", "projects/-home-ada-shop/7b1e.jsonl", { sessionId: "7b1e", projectFolder: "-home-ada-shop" }],
    ["claude-code", "projects/-p/agent-a1.jsonl", { agentId: "a1", projectFolder: "-p" }],
    ["claude-code", "-p/7b1e/subagents/agent-a1.jsonl", { agentId: "a1", parentSession: "7b1e", projectFolder: "-p" }],
    ["claude-code", "7b1e.jsonl", { sessionId: "7b1e" }],
    [
      "claude-code",
      "projects/-p/7b1e/subagents/workflows/run-1/agent-a1.jsonl",
      { agentId: "a1", parentSession: "7b1e", projectFolder: "-p" },
    ],
    [
      "claude-code",
      "projects/-p/7b1e3c5d-0000-4000-8000-000000000001/agent_a1.jsonl",
      { agentId: "a1", parentSession: "7b1e3c5d-0000-4000-8000-000000000001", projectFolder: "-p" },
    ],
    ["codex", "2026/01/02/rollout-2026-01-02T03-04-05-0f3a-1.jsonl", { sessionId: "0f3a-1", startedAt: LOCAL }],
    [
      "codex",
      "archived_sessions/rollout-2026-01-02T03-04-05-0f.jsonl",
      { sessionId: "0f", startedAt: LOCAL, variant: "archived" },
    ],
    ["codex", "other.jsonl", {}],
    ["qwen-code", "projects/-p/chats/9c.jsonl", { sessionId: "9c", projectFolder: "-p" }],
    ["qwen-code", "projects/-p/subagents/9c/agent-x.jsonl", { agentId: "x", parentSession: "9c", projectFolder: "-p" }],
    ["openclaw", "agents/main/sessions/5d.jsonl", { sessionId: "5d" }],
    ["openclaw", "5d-topic-12.jsonl", { sessionId: "5d" }],
    ["openclaw", "5d.jsonl.reset.2026-01-01T00-00-00.000Z", { sessionId: "5d", variant: "reset" }],
    ["openclaw", "5d.jsonl.deleted.1", { sessionId: "5d", variant: "deleted" }],
    ["clawdcode", "projects/home-ada/V1StGX.jsonl", { sessionId: "V1StGX", projectFolder: "home-ada" }],
    [
      "pi",
      "--home-ada--/2026-01-02T03-04-05-006Z_ab.jsonl",
      { sessionId: "ab", startedAt: Date.UTC(2026, 0, 2, 3, 4, 5, 6), projectFolder: "--home-ada--" },
    ],
    ["pi", "notes.jsonl", {}],
    [
      "mistral-vibe",
      "session_20260102_030405_0f3a/agents/session_20260102_030406_9c/messages.jsonl",
      { sessionId: "9c", startedAt: Date.UTC(2026, 0, 2, 3, 4, 6), parentSession: "0f3a" },
    ],
    [
      "gemini-cli",
      "tmp/p/chats/session-2026-01-02T03-04-0f3a91bc.json",
      { projectFolder: "p", startedAt: Date.UTC(2026, 0, 2, 3, 4) },
    ],
    ["gemini-cli", "tmp/p/chats/0f3a/sub.jsonl", { projectFolder: "p", agentId: "sub", parentSession: "0f3a" }],
  ] as const)("are read for %s: %s", (agent, path, placed) => {
    expect(PROFILES[agent].places.placed?.(path)).toEqual(placed);
  });
});

describe("a project's folder", () => {
  it.each([
    ["claude-code", "/home/ada/my.shop", "-home-ada-my-shop"],
    ["qwen-code", "/home/Ada/my.shop", "-home-Ada-my-shop"],
    ["qwen-code", "C:\\Work\\Shop", "c--work-shop"],
    ["clawdcode", "/home/ada/my.shop", "home-ada-my.shop"],
    ["pi", "/home/ada/my.shop", "--home-ada-my.shop--"],
    ["pi", "C:\\Work", "--C--Work--"],
  ] as const)("is named by the rule of %s for %s: %s", (agent, project, folder) => {
    expect(PROFILES[agent].places.projectFolder?.(project)).toBe(folder);
  });
});

it("roots are relative to the home folder, and patterns relative to a root", () => {
  for (const id of Object.keys(PROFILES) as AgentId[]) {
    const { roots, files, stores = [] }: AgentPlaces = PROFILES[id].places;
    for (const { folder } of roots) expect(folder).toMatch(/^(\.|Library\/|AppData\/)[^/]+(\/[^/]+)*$/);
    for (const pattern of [...files, ...stores.map(({ file }) => file)]) expect(pattern).not.toMatch(/^[/~]|\.\./);
  }
});
