import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { replayResult, sweepRow } from "@/lib/queries/contract/schemas";
import { commandLine, jsonLines, LONG } from "../testing/program";

const { run, temporary, good, bad } = commandLine();

describe("sweep", () => {
  const args = ["--policy", "custom", "--vary", "triggerShare=0.2:0.4:0.1", "--set", "summaryTokens=800"];
  const both = [...args, "--vary", "keepRecentTokens=5000:10000:5000"];

  it("prints one row per point, grouped by file, equal to replay and to a second run", async () => {
    const first = await run(["sweep", LONG, good, ...both, "--json"]);
    const again = await run(["sweep", LONG, good, ...both, "--json"]);
    expect([first.code, first.err, first.out]).toEqual([0, "", again.out]);
    const rows = jsonLines(first.out).map((one) => sweepRow.parse(one));
    expect(rows.map(({ file }) => file)).toEqual([
      ...Array(6).fill("codex-sliding-window.jsonl"),
      ...Array(6).fill("good.jsonl"),
    ]);
    expect(rows.slice(0, 3).map(({ set }) => set)).toEqual([
      { triggerShare: 0.2, keepRecentTokens: 5000 },
      { triggerShare: 0.2, keepRecentTokens: 10_000 },
      { triggerShare: 0.3, keepRecentTokens: 5000 },
    ]);
    const settings = ["triggerShare=0.3", "keepRecentTokens=5000", "summaryTokens=800"];
    const set = settings.flatMap((setting) => ["--set", setting]);
    const alone = await run(["replay", LONG, "--policy", "custom", ...set, "--json"]);
    const { totals, compactions } = replayResult.parse(JSON.parse(alone.out));
    expect([rows[2]?.totals, rows[2]?.compactions]).toEqual([
      { ...totals, regret: null, bestUsd: null },
      compactions.length,
    ]);
    expect(totals.costUsd?.total).toBeGreaterThan(0);
  });

  it("gives the agent's own setting for every row, and for the cheapest point at the end of the text", async () => {
    const asked = ["sweep", LONG, "--policy", "codex", "--vary", "autoCompactLimit=80000:100000:20000"];
    const rows = jsonLines((await run([...asked, "--json"])).out);
    expect(rows.map((row) => Object(row).settingToType)).toEqual(
      [80_000, 100_000].map((limit) => [
        {
          key: "autoCompactLimit",
          text: `model_auto_compact_token_limit = ${limit}`,
          file: "~/.codex/config.toml",
          source: { kind: "code", text: expect.stringContaining("openai/codex") },
        },
      ]),
    );
    expect((await run(asked)).out.trimEnd().split("\n").at(-1)).toMatch(
      /^ {2}Setting to paste for autoCompactLimit=80000: model_auto_compact_token_limit = 80000 in ~\/\.codex\/config\.toml \(from the code: /,
    );
    expect(rows.every((row) => sweepRow.safeParse(row).success)).toBe(true);
  });

  it("ends with the reason if there is no setting to paste", async () => {
    const last = async (...asked: readonly string[]) =>
      (await run(["sweep", LONG, ...asked])).out.trimEnd().split("\n").at(-1);
    expect(await last("--policy", "custom", "--vary", "triggerShare=0.3:0.4:0.1")).toMatch(
      /^ {2}Setting to paste for triggerShare=0\.\d: none, since custom is the policy of no agent$/,
    );
    // A rule of the program, which no setting changes.
    expect(await last("--policy", "claude-code", "--vary", "keepToolResults=4:4:1")).toBe(
      "  Setting to paste for keepToolResults=4: no setting of the agent is known for keepToolResults",
    );
    expect(await last("--policy", "claude-code", "--window", "200000", "--vary", "autoBuffer=5000:5000:1000")).toBe(
      "  Setting to paste for autoBuffer=5000: pctOverride reaches up to 167,000 tokens",
    );
    expect(
      await last("--policy", "claude-code", "--window", "200000", "--vary", "autoBuffer=104500:104500:500"),
    ).toMatch(/PCT_OVERRIDE=42, compacts at 75,600 tokens; the results are for 75,500 \(/);
    expect(await last("--policy", "claude-code", "--vary", "keepToolResults=5:5:1")).toBe(
      "  Setting to paste for keepToolResults=5: none, since these are the defaults",
    );
  });

  it("with --regret prints how much more each point costs than the best timing", async () => {
    const { out } = await run(["sweep", LONG, ...both, "--regret", "--json"]);
    const rows = jsonLines(out).map((one) => sweepRow.parse(one));
    expect(rows.every(({ totals }) => (totals.regret ?? -1) >= 0)).toBe(true);
    expect(new Set(rows.map(({ totals }) => totals.regret)).size).toBeGreaterThan(1);
    // Each set of kept items has its own hindsight optimum, whatever triggers compactions.
    const bestsOf = (kept: number) =>
      rows.filter(({ set }) => set.keepRecentTokens === kept).map(({ totals }) => totals.bestUsd);
    expect([5000, 10_000].map((kept) => new Set(bestsOf(kept)).size)).toEqual([1, 1]);
    for (const { totals } of rows) {
      const [cost, best] = [totals.costUsd?.total ?? 0, totals.bestUsd ?? Number.NaN];
      expect(totals.regret).toBeCloseTo(Math.max(0, cost / best - 1), 9);
    }
    expect((await run(["sweep", LONG, ...both, "--regret"])).out).toMatch(
      /, above best timing [\d.]+ %, best timing \$\d/,
    );
    expect((await run(["sweep", LONG, ...both])).out).not.toContain("above best timing");
  });

  it("marks the Pareto front, which always includes the point that sends least", async () => {
    const { out } = await run(["sweep", LONG, ...both, "--json"]);
    const rows = jsonLines(out).map((one) => sweepRow.parse(one));
    const least = rows.reduce((best, row) => (row.totals.tokensSent < best.totals.tokensSent ? row : best));
    expect(least.pareto).toBe(true);
    expect(rows.some(({ pareto }) => !pareto)).toBe(true);
  });

  it("with --spent costUsd marks the Pareto front of cost against tokens kept", async () => {
    const { out } = await run(["sweep", LONG, ...both, "--spent", "costUsd", "--json"]);
    const rows = jsonLines(out).map((one) => sweepRow.parse(one));
    const cost = ({ totals }: (typeof rows)[number]) => totals.costUsd?.total ?? Number.NaN;
    const kept = ({ keptTokens }: (typeof rows)[number]) => keptTokens;
    const beats = (one: (typeof rows)[number], other: (typeof rows)[number]) =>
      cost(one) <= cost(other) && kept(one) >= kept(other) && (cost(one) < cost(other) || kept(one) > kept(other));
    expect(rows.map(({ pareto }) => pareto)).toEqual(rows.map((row) => !rows.some((other) => beats(other, row))));
    const plotted = await run(["sweep", LONG, ...both, "--spent", "costUsd"]);
    expect(plotted.out).toContain("points on the front of cost against tokens kept");
  });

  it("rejects too many replays before reading any file", async () => {
    const grid = ["--vary", "triggerShare=0.01:1:0.01", "--vary", "keepRecentTokens=100:10000:100"];
    const files = Array<string>(101).fill("nowhere.jsonl");
    const { code, out, err } = await run(["sweep", ...files, "--policy", "custom", ...grid]);
    expect([code, out, err]).toEqual([
      2,
      "",
      "context-replay: the sweep has 1,010,000 replays (10,000 points × 101 recordings); 1,000,000 are the most: take fewer values, or fewer recordings\n",
    ]);
  });

  it("reads standard input, and continues after an unreadable file", async () => {
    const text = readFileSync(LONG, "utf8");
    const piped = await run(["sweep", "-", ...args, "--estimator", "o200k", "--json"], text);
    // The size of standard input is unknown, so threads read and replay it; small files are replayed in this thread.
    const { out: here } = await run(["sweep", LONG, ...args, "--estimator", "o200k", "--json"]);
    const unnamed = (text: string) => jsonLines(text).map((row) => ({ ...sweepRow.parse(row), file: "" }));
    expect([piped.code, unnamed(piped.out), readdirSync(temporary)]).toEqual([0, unnamed(here), []]);
    expect(jsonLines(here)).toHaveLength(3);
    const { code, out, err } = await run(["sweep", bad, LONG, ...args]);
    expect([code, err]).toEqual([
      3,
      "context-replay: bad.jsonl is not a transcript: its one line is not a JSON object.\n",
    ]);
    expect(out).toMatch(/^codex-sliding-window.jsonl: \d of 3 points on the front/);
  });
});
