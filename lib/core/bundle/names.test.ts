import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSourceFile } from "@/lib/agents/clawdcode/base/source-file";
import { SHIPPED_TOOLS } from "@/lib/agents/shared/shipped-tools";
import { serversOf } from "../base/mcp-server";
import type { SessionColumns } from "../columns/columns";
import { LISTED_PRICES } from "../prices/price-list";
import { knownWindow } from "../prices/windows";
import { tokenizerMatch } from "../tokens/model-tokenizer";
import { PublicNames } from "./names";

function publicTables(tables: Partial<SessionColumns["tables"]>): SessionColumns["tables"] {
  const whole = { tools: [], files: [], models: [], terms: [], overhead: [], ...tables };
  return new PublicNames(SHIPPED_TOOLS).tables(whole);
}

const word = fc.stringMatching(/^[a-z]{3,12}$/).filter((name) => !SHIPPED_TOOLS.has(name));
const tool = fc.oneof(
  word,
  fc.tuple(word, word).map(([server, name]) => `mcp__${server}__${name}`),
  fc.tuple(word, word).map(([server, name]) => `mcp_${server}_${name}`),
  fc.tuple(word, word).map(([server, name]) => `${server}__${name}`),
  fc.constantFrom(...SHIPPED_TOOLS),
);

describe("the public names of tools", () => {
  it("keep the server of a tool and the length of its name", () => {
    fc.assert(
      fc.property(fc.uniqueArray(tool, { maxLength: 40 }), (tools) => {
        const named = publicTables({ tools }).tools;
        expect(new Set(named).size).toBe(tools.length);
        expect(named.map(({ length }) => length)).toEqual(tools.map(({ length }) => length));
        expect(Array.from(serversOf(named).ofTool)).toEqual(Array.from(serversOf(tools).ofTool));
      }),
    );
  });

  it("are the same for a tool's declaration and its calls", () => {
    const { tools, overhead } = publicTables({
      tools: ["mcp__shop__refund"],
      overhead: ["x", "mcp__shop__refund", ""],
    });
    expect(overhead[1]).toBe(tools[0]);
    expect(overhead[2]).toBe("");
  });
});

const path = fc
  .tuple(
    fc.constantFrom(
      "",
      "/home/ada/",
      "node_modules/",
      ".git/",
      "https://",
      "/home/ada/.claude/plans/",
      "C:\\.claude\\plans\\",
    ),
    word,
    fc.constantFrom("", ".md", ".ts", ".png", ".PDF", ".tar"),
  )
  .map((parts) => parts.join(""));
/** Files that one agent's policy attaches again after a compaction. */
const PLAN = /[\\/]\.claude[\\/]plans[\\/][^\\/]+\.md$/;

it("paths keep only their length and the parts that rules use", () => {
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 40 }), (files) => {
      const named = publicTables({ files }).files;
      expect(new Set(named).size).toBe(files.length);
      for (const [index, name] of named.entries()) {
        const was = files[index] ?? "";
        expect([name.length, isSourceFile(name), PLAN.test(name)]).toEqual([
          was.length,
          isSourceFile(was),
          PLAN.test(was),
        ]);
        expect(name).not.toMatch(/ada|home/);
      }
    }),
  );
});

it("a model keeps its price, window and vocabulary, and loses its private name", () => {
  const models = [
    ...["claude-opus-4-6", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "gpt-5-codex", "acme/gpt-4o-secret"],
    ...["arn:aws:bedrock:us-east-1:1234:inference-profile/claude-opus-4-6", "claude-acme", "acme-own", "gemini-acme"],
    ...["acme/secret:free", "z-ai/glm-4.5-air:free"],
  ];
  const named = publicTables({ models }).models;
  expect(named.join(" ")).not.toMatch(/acme|1234|secret/);
  expect(new Set(named).size).toBe(models.length);
  for (const [index, name] of named.entries()) {
    const was = models[index] ?? "";
    expect(LISTED_PRICES.find(name), was).toBe(LISTED_PRICES.find(was));
    expect(tokenizerMatch("o200k", [name])).toBe(tokenizerMatch("o200k", [was]));
    expect(knownWindow(name), was).toEqual(knownWindow(was));
  }
});

it("request terms that are not documented become distinct numbers", () => {
  const terms = [
    { effort: "high", serviceTier: "acme" },
    { effort: "acme-high", missReason: "the prompt said so", process: 3 },
  ];
  expect(publicTables({ terms }).terms).toEqual([
    { effort: "high", serviceTier: "other0" },
    { effort: "other1", process: 3, missReason: "other" },
  ]);
});
