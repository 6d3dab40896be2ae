import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chunkRatioOf } from "@/lib/agents/openclaw/chunk-sizes";
import { agentPolicies, policyById } from "@/lib/agents/policies";
import { resolveSettings } from "@/lib/core/compaction/settings";
import { builtProgram } from "@/lib/server/testing/bundles";

const root = builtProgram("worked-examples");
const document = readFileSync("docs/worked-examples.md", "utf8");

/** The commands that the document shows, each with what it prints; a line `…` stands for what is left out. */
const shown = Array.from(
  document.matchAll(/```text\n\$ node bin\/context-replay\.mjs (?<command>[^\n]+)\n(?<output>[^`]+)```/g),
  ({ groups = {} }) => ({ command: groups.command ?? "", output: groups.output ?? "" }),
);

describe("docs/worked-examples.md", () => {
  it("has an example of each of the five systems", () => {
    for (const policy of ["codex", "qwen-code", "clawdcode", "mini-claude-code", "openclaw"]) {
      expect(shown.filter(({ command }) => command.includes(`--policy ${policy}@as-documented`))).not.toEqual([]);
    }
  });

  it.each(shown)("shows what $command prints", ({ command, output }) => {
    const { stdout } = spawnSync(process.execPath, [join(root, "dist", "cli.mjs"), ...command.split(" ")], {
      encoding: "utf8",
    });
    let rest = stdout;
    const [first = "", ...others] = output.split(/^…\n/m).map((part) => part.trimEnd());
    expect(rest.startsWith(first), `${first}\nat the start of\n${rest}`).toBe(true);
    for (const part of others) {
      const at = rest.indexOf(part);
      expect(at, part).toBeGreaterThanOrEqual(0);
      rest = rest.slice(at + part.length);
    }
    if (!output.endsWith("…\n")) expect(stdout.trimEnd().endsWith(others.at(-1) ?? first)).toBe(true);
  });

  it("gives OpenClaw's share of a summary call as the rule does", () => {
    const rows = Array.from(
      document.matchAll(/^\| (?<average>\d+) % \| (?<share>0\.\d+) \|$/gm),
      ({ groups }) => groups,
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { average, share } of rows.filter((row) => row !== undefined)) {
      expect(chunkRatioOf(Number(average), 1, 100).toFixed(2)).toBe(Number(share).toFixed(2));
    }
  });

  it("says where every other preset fires", () => {
    const rows = Array.from(
      document.matchAll(/^\| `(?<policy>[\w-]+)@(?<preset>[\w.-]+)` \| (?<window>[\d,]+) \| (?<limit>[\d,]+) \|/gm),
      ({ groups = {} }) => groups,
    );
    const number = (text = "") => Number(text.replaceAll(",", ""));
    for (const { policy: id = "", preset = "", ...row } of rows) {
      const policy = policyById(id);
      const window = number(row.window);
      const settings = resolveSettings(policy?.settings(preset, { window, agent: id }) ?? [], {});
      expect([id, preset, policy?.threshold?.(window, settings)]).toEqual([id, preset, number(row.limit)]);
    }
    const shownHere = new Set(rows.map(({ policy, preset }) => `${policy}@${preset}`));
    const all = agentPolicies().flatMap(({ id, presets }) => presets.map((preset) => `${id}@${preset}`));
    expect(all.filter((one) => !shownHere.has(one) && !one.endsWith("@as-documented"))).toEqual([]);
  });
});
