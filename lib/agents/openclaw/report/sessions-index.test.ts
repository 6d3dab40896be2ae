import fc from "fast-check";
import { expect, it } from "vitest";
import { promptReport } from "../report/prompt-report";
import { readSessionsIndex } from "../report/sessions-index";

const report = promptReport({
  source: "run",
  workspaceDir: "/home/mia/.openclaw/workspace",
  bootstrapMaxChars: 20,
  systemPrompt: "You are Lobster.\n\n# Project Context\n\n## AGENTS.md\nBe kind.\n## Silent Replies\nNO_REPLY",
  bootstrapFiles: [{ name: "AGENTS.md", path: "/w/AGENTS.md", content: "Be kind. ".repeat(9), missing: false }],
  injectedFiles: [{ path: "AGENTS.md", content: "Be kind." }],
  skillsPrompt: "<skill><name>weather</name></skill>",
  tools: [{ name: "exec", description: "Run", parameters: { type: "object", properties: { command: {} } } }],
});

const store = {
  "agent:main:main": {
    sessionId: "7c1b0a52",
    updatedAt: 1770105600000,
    label: " Backups ",
    systemPromptReport: report,
  },
  "agent:main:subagent:9f": {
    sessionId: "sub",
    spawnedBy: "agent:main:main",
    sessionFile: "C:\\oc\\sub-topic-4.jsonl",
  },
  "agent:main:telegram:group:1": { sessionId: "g", subject: "买菜" },
  broken: "text",
  "no id": { updatedAt: 1 },
};

it("the parser of `sessions.json` reads the store's facts about a conversation", () => {
  const [main, sub, group, ...others] = readSessionsIndex(JSON.stringify(store));
  expect(others).toEqual([]);
  expect(main).toMatchObject({
    key: "agent:main:main",
    sessionId: "7c1b0a52",
    file: "7c1b0a52.jsonl",
    title: "Backups",
  });
  expect(sub).toEqual({
    key: "agent:main:subagent:9f",
    sessionId: "sub",
    file: "sub-topic-4.jsonl",
    parentKey: "agent:main:main",
  });
  expect(group).toEqual({ key: "agent:main:telegram:group:1", sessionId: "g", file: "g.jsonl", title: "买菜" });
});

it("the parser of `sessions.json` reads the measured sizes of a prompt", () => {
  const [main] = readSessionsIndex(JSON.stringify(store));
  expect(main?.report).toMatchObject({
    source: "run",
    injectedWorkspaceFiles: [{ name: "AGENTS.md", injectedChars: 8, truncated: true }],
    skills: { entries: [{ name: "weather", blockChars: 35 }] },
    tools: { schemaChars: 45 },
  });
  expect(main?.report?.systemPrompt.projectContextChars).toBeGreaterThan(20);
});

it("the parser of `sessions.json` never throws", () => {
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json({ maxDepth: 4 }).map((json) => `{"k":{"sessionId":"s","systemPromptReport":${json}}}`),
  );
  fc.assert(fc.property(texts, (text) => Array.isArray(readSessionsIndex(text))));
  expect(readSessionsIndex("[]")).toEqual([]);
  expect(readSessionsIndex("{")).toEqual([]);
});
