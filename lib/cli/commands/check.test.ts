import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandLine, jsonLines, LONG } from "../testing/program";

const { run, folder, bad } = commandLine();
const recordings = join(folder, "recordings");
mkdirSync(join(recordings, "deep"), { recursive: true });
copyFileSync(LONG, join(recordings, "deep", "a.jsonl"));
copyFileSync("public/samples/claude-code-report-timezone.jsonl", join(recordings, "b.jsonl"));
const baseline = join(folder, "baseline.json");
const EAGER = ["check", recordings, "--policy", "custom", "--set", "triggerShare=0.5"];
const LATE = ["check", recordings, "--policy", "custom", "--set", "triggerShare=0.95"];

it("the check compares metrics with an earlier check, and exits with 1 if a budget is exceeded", async () => {
  const first = await run([...EAGER, "--budget", "requestsOverWindow==0", "--write-baseline", baseline, "--json"]);
  expect([first.code, first.err]).toEqual([0, ""]);
  const same = [...EAGER, "--baseline", baseline, "--budget", "tokensSent<=1x baseline", "--json"];
  expect((await run(same)).code).toBe(0);
  const junit = join(folder, "report.xml");
  const later = await run([
    ...[...LATE, "--baseline", baseline, "--budget", "tokensSent<=1.01x baseline", "--budget", "peak<=1e9"],
    ...["--junit", junit],
  ]);
  expect(later.code).toBe(1);
  expect(later.out).toContain("1 of 2 budgets do not hold");
  expect(later.out).toMatch(/\| ✗ \| `tokensSent<=1\.01x baseline` \| [\d,]+ \| [\d,.]+ \|/);
  expect(later.out).toContain("| deep/a.jsonl |");
  const xml = readFileSync(junit, "utf8");
  expect(xml).toContain('tests="2" failures="1"');
  expect(xml).toContain('name="tokensSent&lt;=1.01x baseline"><failure');
});

it("the check sums the metrics that replay prints, without paths or times", async () => {
  const { out } = await run([...EAGER, "--budget", "cost<=1e9", "--json"]);
  const [answer] = jsonLines(out) as [
    { figures: Record<string, number>; recordings: Record<string, Record<string, number>> },
  ];
  expect(Object.keys(answer.recordings)).toEqual(["b.jsonl", "deep/a.jsonl"]);
  const replay = ["replay", LONG, "--policy", "custom", "--set", "triggerShare=0.5", "--json"];
  const [alone] = jsonLines((await run(replay)).out) as [
    { totals: { tokensSent: number; costUsd: { total: number } } },
  ];
  const own = answer.recordings["deep/a.jsonl"];
  expect([own?.tokensSent, own?.costUsd]).toEqual([alone.totals.tokensSent, alone.totals.costUsd.total]);
  expect(answer.figures.tokensSent).toBe((own?.tokensSent ?? 0) + (answer.recordings["b.jsonl"]?.tokensSent ?? 0));
  expect(out).not.toContain(folder);
});

it("the check uses list prices even if the user has a price file", async () => {
  const home = join(folder, "home");
  const config = join(home, ".config", "context-replay");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "prices.json"), "not a list");
  const args = [...EAGER, "--budget", "cost<=1e9", "--json"];
  expect(await run(args, "", { HOME: home, XDG_CONFIG_HOME: "" })).toEqual(await run(args));
});

it.each([
  ["a budget with an unknown metric", ["--budget", "price<=1"], 2, "metrics are"],
  ["a budget without its baseline", ["--budget", "cost<=1x baseline"], 2, "--baseline"],
  [
    "a missing baseline file",
    ["--budget", "cost<=1x baseline", "--baseline", join(folder, "absent.json")],
    3,
    "--write-baseline",
  ],
  ["a file that is not a baseline", ["--budget", "cost<=1x baseline", "--baseline", bad], 3, "not a baseline"],
  ["no budget", [], 2, "--budget"],
] as const)("%s ends the check with exit code %s", async (_, args, code, message) => {
  const ran = await run(["check", LONG, "--policy", "custom", ...args]);
  expect(ran.code).toBe(code);
  expect(ran.err).toContain(message);
});

it("the check fails on an incomplete baseline, on a file that is not a session and on an empty folder", async () => {
  writeFileSync(baseline, JSON.stringify({ version: 1, policy: "custom", recordings: {} }));
  const lacking = await run([...EAGER, "--budget", "cost<=1x baseline", "--baseline", baseline]);
  expect([lacking.code, lacking.err]).toEqual([2, expect.stringContaining("lacks b.jsonl")]);
  expect((await run(["check", bad, "--policy", "custom", "--budget", "cost<=1"])).code).toBe(3);
  const empty = join(folder, "empty");
  mkdirSync(empty);
  expect((await run(["check", empty, "--policy", "custom", "--budget", "cost<=1"])).code).toBe(3);
});

it("the example workflow passes with a baseline written by the command in its comment", async () => {
  const workflow = readFileSync(join("docs", "check.yml"), "utf8");
  const commandOf = (pattern: RegExp) =>
    Array.from(pattern.exec(workflow)?.[1]?.matchAll(/"([^"]*)"|[^\s>"]+/g) ?? [], ([word, quoted]) =>
      (quoted ?? word)
        .replace(/^recordings$/, recordings)
        .replace(/^(baseline\.json|report\.xml)$/, join(folder, "$1")),
    );
  const written = await run(commandOf(/# {3}npx context-replay@\S+ (.*)/));
  expect([written.code, written.err]).toEqual([0, ""]);
  const checked = await run(commandOf(/npx --yes context-replay@\S+ ([\s\S]*?)>>/));
  expect([checked.code, checked.err]).toEqual([0, ""]);
  expect(checked.out.match(/\| ✓ \|/g)).toHaveLength(2);
});

it.each(["--write-baseline", "--junit"])(
  "an unwritable %s is reported as such, and not as a failed budget",
  async (option) => {
    const { code, out, err } = await run([...EAGER, "--budget", "cost<=1e9", option, join(folder, "nowhere", "file")]);
    expect([code, out, err]).toEqual([3, "", "context-replay: file cannot be written: ENOENT.\n"]);
  },
);
