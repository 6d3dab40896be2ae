import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compactReport } from "@/lib/agents/clawdcode/index";
import { estimateTokens as quickTokens } from "@/lib/agents/clawdcode/messages/token-counter";
import { textTokens } from "@/lib/agents/codex/messages/tokens";
import { truncateText } from "@/lib/agents/codex/sent/truncate";
import { estimateTokens } from "@/lib/agents/mini-claude-code/messages/message";
import { chunkRatioOf } from "@/lib/agents/openclaw/policy/chunk-sizes";
import { contextTextTokens } from "@/lib/agents/qwen-code/messages/estimates";
import { documentedShares } from "@/lib/agents/qwen-code/report/context-shares";
import { agentPolicies, policyById } from "@/lib/agents/registry";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { commandLine } from "./testing/program";

const { run } = commandLine();
const document = readFileSync("docs/worked-examples.md", "utf8");

/** Commands in the document, each with its output. A line `…` stands for omitted lines. */
const shown = Array.from(
  document.matchAll(/```text\n\$ node bin\/context-replay\.mjs (?<command>[^\n]+)\n(?<output>[^`]+)```/g),
  ({ groups = {} }) => ({ command: groups.command ?? "", output: groups.output ?? "" }),
);

/** The document without printed outputs, tables and reports, which have their own checks. */
const text = document.replace(/```[^`]*```|`Token [^`]*`/g, "").replace(/^\|.*$/gm, "");

/** Numbers quoted from documents or releases, which no computation gives. */
const GIVEN = new Set([2026.2, 50_000, 8000]);

function metricsOf(words: string): readonly number[] {
  return (words.match(/\d+(?:,\d{3})*(?:\.\d+)?/g) ?? []).map((metric) => Number(metric.replaceAll(",", "")));
}

const NUMBER = String.raw`(?:\d[\d,]*(?:\.\d+)?|\(1 − \d\.\d+\))`;
const EQUATION = new RegExp(String.raw`(⌈?${NUMBER}(?:\s[×−]\s${NUMBER})+⌉?)\s=\s(\d[\d,]*(?:\.\d+)?)`, "g");

function equationsOf(words: string) {
  return Array.from(words.matchAll(EQUATION), ([, left = "", right = ""]) => ({
    left,
    right: right.replaceAll(",", ""),
  }));
}

/** The value of an expression of products and differences. Products come first. */
function resultOf(words: string): number {
  if (words.startsWith("⌈")) return Math.ceil(resultOf(words.slice(1, -1)));
  const factor = (part: string) =>
    part.startsWith("(") ? 1 - Number(part.slice(5, -1)) : Number(part.replaceAll(",", ""));
  const product = (part: string) => part.split(/\s×\s/).reduce((value, one) => value * factor(one), 1);
  const [first = "", ...others] = words.split(/\s−\s(?![\d.]+\))/);
  return others.reduce((value, one) => value - product(one), product(first));
}

/** Formats a value with as many decimals as another number has. */
function decimals(value: number, like: string): string {
  return value.toFixed(like.split(".")[1]?.length ?? 0);
}

describe("docs/worked-examples.md", () => {
  it("has an example of each of the five agents", () => {
    for (const policy of ["codex", "qwen-code", "clawdcode", "mini-claude-code", "openclaw"]) {
      expect(shown.filter(({ command }) => command.includes(`--policy ${policy}@as-documented`))).not.toEqual([]);
    }
  });

  it.each(shown)("shows the output of $command", async ({ command, output }) => {
    const { out } = await run(command.split(" "));
    let rest = out;
    const [first = "", ...others] = output.split(/^…\n/m).map((part) => part.trimEnd());
    expect(rest.startsWith(first), `${first}\nat the start of\n${rest}`).toBe(true);
    for (const part of others) {
      const at = rest.indexOf(part);
      expect(at, part).toBeGreaterThanOrEqual(0);
      rest = rest.slice(at + part.length);
    }
    if (!output.endsWith("…\n")) expect(out.trimEnd().endsWith(others.at(-1) ?? first)).toBe(true);
  });

  it("states the share of OpenClaw's summary call that the rule gives", () => {
    const rows = Array.from(
      document.matchAll(/^\| (?<average>\d+) % \| (?<share>0\.\d+) \|$/gm),
      ({ groups }) => groups,
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { average, share } of rows.filter((row) => row !== undefined)) {
      expect(chunkRatioOf(Number(average), 1, 100).toFixed(2)).toBe(Number(share).toFixed(2));
    }
  });

  it("contains only correct equations", () => {
    const equations = equationsOf(text);
    expect(equations.length).toBeGreaterThan(14);
    for (const { left, right } of equations) expect([left, decimals(resultOf(left), right)]).toEqual([left, right]);
  });

  it("contains only numbers that a command prints or an equation yields", () => {
    const known = new Set([...shown.flatMap(({ command, output }) => metricsOf(`${command} ${output}`))]);
    for (const { left, right } of equationsOf(text))
      for (const metric of metricsOf(`${left} ${right}`)) known.add(metric);
    const metrics = metricsOf(text);
    expect(metrics.length).toBeGreaterThan(60);
    expect(metrics.filter((metric) => metric > 12 && !known.has(metric) && !GIVEN.has(metric))).toEqual([]);
  });

  it("shows Codex's truncation", () => {
    const [, whole = "", tokens, left] = /^\| `(.+⏎.+)` \| (\d+) tokens \| `(.+)` \|$/m.exec(document) ?? [];
    expect(truncateText(whole.replace("⏎", "\n"), { mode: "tokens", limit: Number(tokens) })).toBe(left);
  });

  it("states the free space of Qwen Code's two screens", () => {
    const rows = Array.from(
      document.matchAll(/^\| (?:A|B), (?<api>.+?) reported \| (?<cells>.+) \|$/gm),
      ({ groups = {} }) => ({
        api: Number(groups.api?.replaceAll(",", "")) || 0,
        cells: (groups.cells ?? "").split(" | "),
      }),
    );
    expect(rows).toHaveLength(2);
    for (const { api, cells } of rows) {
      const [system = 0, tools = 0, skills = 0, memory = 0] = cells.map((cell) => Number(cell.replaceAll(",", "")));
      const sizes = { system, tools: tools + skills, skills, mcp: 0, memory };
      const shares = documentedShares(sizes, { window: 131_072, threshold: 0.7, api });
      expect(cells.slice(4)).toEqual([
        api === 0 ? "–" : shares.messages.toLocaleString("en-US"),
        shares.autocompactBuffer.toLocaleString("en-US"),
        shares.freeSpace.toLocaleString("en-US"),
        `${((shares.freeSpace / 131_072) * 100).toFixed(1)} %`,
      ]);
    }
  });

  it("states the compactions of ClawdCode that the program reports", () => {
    const reports = Array.from(document.matchAll(/`(Token 变化: (\d+) → (\d+) .+?)`/g));
    expect(reports).toHaveLength(2);
    for (const [, line = "", preTokens, postTokens] of reports) {
      const sizes = { preTokens: Number(preTokens), postTokens: Number(postTokens) };
      const report = compactReport({ success: true, ...sizes, filesIncluded: [] }, "as-documented");
      expect(report.split("\n")).toContain(line);
    }
  });

  it("states the token counts that the rules give", () => {
    const rows = Array.from(
      document.matchAll(/^\| `(?<text>[^`]+)` \|(?<counts>(?: \d+ \|){4})$/gm),
      ({ groups = {} }) => groups,
    );
    expect(rows).toHaveLength(2);
    for (const { text: counted = "", counts = "" } of rows) {
      const rules = [textTokens, contextTextTokens, quickTokens, estimateTokens];
      expect(rules.map((tokensOf) => tokensOf(counted))).toEqual(counts.match(/\d+/g)?.map(Number));
    }
  });

  it("names the compaction point of every other preset", () => {
    const rows = Array.from(
      document.matchAll(/^\| `(?<policy>[\w-]+)@(?<preset>[\w.-]+)` \| (?<window>[\d,]+) \| (?<limit>[\d,]+) \|/gm),
      ({ groups = {} }) => groups,
    );
    const number = (text = "") => Number(text.replaceAll(",", ""));
    for (const { policy: id = "", preset = "", ...row } of rows) {
      const policy = policyById(id);
      const window = number(row.window);
      const settings = resolveSettings(policy?.settings(preset, { window, agent: id }) ?? [], {});
      expect([id, preset, policy?.threshold?.({ preset, window, settings })]).toEqual([id, preset, number(row.limit)]);
    }
    const shownHere = new Set(rows.map(({ policy, preset }) => `${policy}@${preset}`));
    const all = agentPolicies().flatMap(({ id, presets }) => presets.map((preset) => `${id}@${preset}`));
    expect(all.filter((one) => !shownHere.has(one) && !one.endsWith("@as-documented"))).toEqual([]);
  });

  const rules = Array.from(
    document.matchAll(
      /^\| (?<rule>[^|]+) \| [^|]+ \| `(?<command>(?:replay|breakdown) docs\/rules\/[^`]+)` \| `(?<at>[^`]+)` (?<value>[^|]+) \|$/gm,
    ),
    ({ groups: { rule = "", command = "", at = "", value = "" } = {} }) => ({ rule, command, at, value }),
  );

  it("covers rules of all five documents, and every transcript of docs/rules", () => {
    for (const name of ["codex", "qwen", "clawdcode", "mini", "openclaw"])
      expect(rules.filter(({ command }) => command.includes(` docs/rules/${name}-`)).length, name).toBeGreaterThan(5);
    const used = new Set(rules.flatMap(({ command }) => command.match(/docs\/rules\/[\w.-]+/g) ?? []));
    expect(readdirSync("docs/rules").filter((name) => !used.has(`docs/rules/${name}`))).toEqual([]);
  });

  it.each(rules)("prints the hand-computed value: $rule ($at)", async ({ command, at, value }) => {
    const { out, err } = await run([...command.split(" "), "--json"]);
    expect(err).toBe("");
    expect(valueAt(JSON.parse(out), at.split("."))).toEqual(JSON.parse(value));
  });
});

/** A value within JSON; an element of a list is named by its index, its id or its name. */
function valueAt(json: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return json;
  const element = Array.isArray(json)
    ? (json[Number(key)] ?? json.find(({ id, name }) => id === key || name === key))
    : undefined;
  return valueAt(Array.isArray(json) ? element : Object(json)[key], rest);
}
