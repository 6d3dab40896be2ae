import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SettingsToType } from "@/lib/queries/contract/schemas";
import { commandLine } from "../testing/program";
import { recommendationText } from "../text/recommendation-text";

const { run } = commandLine();
const SAMPLES = "public/samples";
const VARY = ["--vary", "pctOverride=30:60:15"];
const ARGUMENTS = ["recommend", SAMPLES, "--policy", "claude-code", ...VARY];

let folder = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "context-replay-advice-"));
  mkdirSync(join(folder, "deep"));
  for (const name of ["one", "deep/two"]) {
    await copyFile(join(SAMPLES, "claude-code-duplicate-shipments.jsonl"), join(folder, `${name}.jsonl`));
  }
  writeFileSync(join(folder, "notes.txt"), "no transcript");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("recommend", () => {
  it("states that two sessions are too few, and still prints the evidence", async () => {
    const { code, out } = await run(ARGUMENTS);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^Too few sessions to recommend a setting\.\nclaude-code, 2 sessions of 2 projects, \d reach a trigger; seed 1\n/,
    );
    expect(out).toContain("fewer than 8 sessions reach a trigger");
    expect(out).toMatch(/pctOverride=45 +\$\d/);
    expect(out).toContain("Left out: 5 of another agent, 1 without requests.");
    expect(out).toContain("With a cache that lives an hour: ");
  });

  it("prints the setting to paste at the end if there is enough evidence", async () => {
    const many = mkdtempSync(join(tmpdir(), "context-replay-evidence-"));
    const sample = readFileSync(join(SAMPLES, "claude-code-duplicate-shipments.jsonl"), "utf8");
    // Ten sessions of their own: every id of the sample gets a number.
    for (let at = 0; at < 10; at++) {
      const own = sample.replaceAll(/"(sessionId|requestId|id|uuid|parentUuid)":"([^"]+)"/g, `"$1":"$2-${at}"`);
      writeFileSync(join(many, `${at}.jsonl`), own);
    }
    try {
      const args = ["recommend", many, "--policy", "claude-code", ...VARY, "--by", "tokens"];
      const { settingToType, leftOut, ...found } = JSON.parse((await run([...args, "--json"])).out);
      const { isEvidence, advice } = found;
      const text = `CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=${advice.set.pctOverride}`;
      expect(isEvidence).toBe(true);
      expect(settingToType).toMatchObject([{ window: 200_000, lines: [{ key: "pctOverride", text, file: null }] }]);
      expect((await run(args)).out).toMatch(new RegExp(`\nSetting to paste: ${text} .*\n$`));
      // Under several windows once if it is the same; a default needs no setting.
      const pasted = (toType: SettingsToType) =>
        recommendationText("claude-code", found, leftOut, toType).match(/^Setting to paste.*$/gm);
      const line = { key: "a", text: "A=1", file: null, source: null };
      const windows = [{ window: 200_000, lines: [line] }] as const;
      expect(pasted([...windows, { window: 1_000_000, lines: [line] }])).toEqual(["Setting to paste: A=1"]);
      expect(pasted([...windows, { window: 1_000_000, lines: [{ ...line, text: null }] }])).toEqual([
        "Setting to paste in a window of 200,000 tokens: A=1",
        "Setting to paste in a window of 1,000,000 tokens: no setting of the agent is known for a",
      ]);
      expect(pasted([])).toEqual(["Setting to paste: none, since these are the defaults"]);
      const env = { HOME: many, CONTEXT_REPLAY_DATA: join(many, "data"), CLAUDE_CONFIG_DIR: "" };
      mkdirSync(join(many, ".claude"));
      const applied = await run([...args, "--apply", "--yes"], "", env);
      expect([applied.code, applied.out]).toEqual([0, expect.stringMatching(/settings\.json is written\..*--undo\n$/)]);
      const settings = () => readFileSync(join(many, ".claude", "settings.json"), "utf8");
      expect(settings()).toContain(`"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "${advice.set.pctOverride}"`);
      expect((await run(["recommend", "--undo"], "", env)).out).toContain("did not exist before, and is removed.");
      expect(settings).toThrow("ENOENT");
    } finally {
      rmSync(many, { recursive: true, force: true });
    }
  });

  it("prints this machine's settings for sessions in the agent's own folder", async () => {
    const home = mkdtempSync(join(tmpdir(), "context-replay-home-"));
    const project = join(home, ".claude", "projects", "p");
    mkdirSync(project, { recursive: true });
    copyFileSync(join(SAMPLES, "claude-code-duplicate-shipments.jsonl"), join(project, "s.jsonl"));
    const settings = '{\n  "env": { "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "60" } // mine\n}';
    writeFileSync(join(home, ".claude", "settings.json"), settings);
    const env = { HOME: home, CONTEXT_REPLAY_AGENT_SETTINGS: "" };
    try {
      const args = ["recommend", project, "--policy", "claude-code", ...VARY];
      const stated = "Set on this machine: pctOverride=60 (from ~/.claude/settings.json line 2).";
      expect((await run(args, "", env)).out).toContain(stated);
      const found = async (...more: string[]) => JSON.parse((await run([...args, "--json", ...more], "", env)).out);
      const { currentSettings, current, settings: swept } = await found();
      expect(currentSettings).toEqual([{ key: "pctOverride", value: 60, file: "~/.claude/settings.json", line: 2 }]);
      // The comparison starts from them, as if they had been given.
      expect(swept.at(-1)).toMatchObject({ set: { pctOverride: 60 }, total: current, saving: 0 });
      expect(await found("--no-agent-settings", "--set", "pctOverride=60")).toMatchObject({ current });
      const given = await found("--set", "pctOverride=30");
      expect([given.current, given.currentSettings]).toEqual([swept[0].total, []]);
      expect((await run([...args, "--no-agent-settings"], "", env)).out).not.toContain("Set on this machine");
      writeFileSync(join(home, ".claude", "settings.json"), '{\n  "env": ');
      const broken = await run(args, "", env);
      expect(broken.err).toMatch(
        /^context-replay: ~\/\.claude\/settings\.json: line 2 is not valid JSON.*; none of its settings count\.$/m,
      );
      expect(broken.out).not.toContain("Set on this machine");
      const elsewhere = ["recommend", SAMPLES, "--policy", "claude-code", ...VARY, "--json"];
      expect(JSON.parse((await run(elsewhere, "", env)).out).currentSettings).toEqual([]);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  it("gives the same JSON for the same seed, and the totals of single replays", async () => {
    const first = await run([...ARGUMENTS, "--json"]);
    expect((await run([...ARGUMENTS, "--json", "--seed", "1"])).out).toBe(first.out);
    const found = JSON.parse(first.out);
    const single = await Promise.all(
      ["claude-code-duplicate-shipments.jsonl", "claude-code-report-timezone.jsonl"].map(async (name) => {
        const { out } = await run([
          "replay",
          join(SAMPLES, name),
          "--policy",
          "claude-code",
          "--set",
          "pctOverride=30",
          "--json",
        ]);
        return JSON.parse(out).totals.costUsd.total;
      }),
    );
    expect(found.settings[0].total).toBeCloseTo(single[0] + single[1], 9);
    expect(found).toMatchObject({ policy: "claude-code", by: "cost", seed: 1, sessions: 2, isEvidence: false });
    expect(found.settingToType).toEqual([]);
  });

  it("applies the given prices to another schedule or cache TTL", async () => {
    const terms = ["--on", "claude-opus-5-5"];
    const { whatIf } = JSON.parse((await run([...ARGUMENTS, ...terms, "--json"])).out);
    const names = ["claude-code-duplicate-shipments.jsonl", "claude-code-report-timezone.jsonl"];
    const { out } = await run(["cost", ...names.map((name) => join(SAMPLES, name)), ...terms, "--json"]);
    const single = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).whatIf);
    const sum = (of: (one: typeof whatIf) => number) => single.reduce((all: number, one) => all + of(one), 0);
    expect(whatIf.lifetimes.shortUsd).toBeCloseTo(
      sum(({ lifetimes: ttls }) => ttls.shortUsd),
      9,
    );
    expect(whatIf.beforeBreaks.savedUsd).toBeCloseTo(
      sum(({ beforeBreaks }) => beforeBreaks.savedUsd),
      9,
    );
  });

  it("prints tokens as grouped numbers", async () => {
    const { code, out } = await run(["recommend", folder, "--policy", "claude-code", ...VARY, "--by", "tokens"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^as it is +\d{1,3}(,\d{3})+\b/m);
  });

  it("counts copies of a session once, and skips files that are not transcripts", async () => {
    const { out } = await run(["recommend", folder, "--policy", "claude-code", ...VARY, "--by", "tokens", "--json"]);
    const found = JSON.parse(out);
    expect(found.sessions).toBe(1);
    expect(found.leftOut.map(({ why }: { why: string }) => why)).toEqual(["copy"]);
    expect(found.because).toBeNull();
  });

  it("states why no session qualifies, and rejects invalid arguments", async () => {
    const none = await run(["recommend", SAMPLES, "--policy", "pi", "--vary", "reserveTokens=1000:2000:1000"]);
    expect([none.code, none.err]).toEqual([3, expect.stringContaining("(of another agent)")]);
    const wrong = await run(["recommend", SAMPLES, "--policy", "claude-code", "--vary", "nope=1:2:1"]);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("unknown setting nope")]);
  });
});
