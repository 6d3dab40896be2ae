import { readFile, writeFile } from "node:fs/promises";
import { basename, relative } from "node:path";
import { z } from "zod";
import { metricsOfReplay } from "@/lib/core/metrics/answered";
import { type Budget, type Judged, judged } from "@/lib/core/metrics/budget";
import type { MetricUnit } from "@/lib/core/metrics/metric";
import { metricText } from "@/lib/core/metrics/metric-text";
import { summedMetrics } from "@/lib/core/metrics/sums";
import { SWEPT_METRICS, type SweptMetrics, valuesBy } from "@/lib/core/metrics/values";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { replaySession } from "@/lib/queries/answers/session-answers";
import type { ReplayRequest } from "@/lib/queries/contract/schemas";
import { isInputError } from "@/lib/server/base/input-error";
import { pricesOf } from "@/lib/server/base/prices";
import { realFolder } from "@/lib/server/list/files/walk";
import { cannotWrite } from "../input/cannot-write";
import { sessionFilesOf } from "../input/folder-files";
import { type ReplayingOptions, requestOf } from "../input/price-options";
import { withSession } from "../input/session-file";
import { onceOnly } from "../input/standard-input";
import { CliError, EXIT, type ExitCode, say } from "../process/exit";
import { write } from "../text/output";
import { printable } from "../text/printable";

export interface CheckOptions extends ReplayingOptions {
  readonly policy: string;
  readonly set?: NonNullable<ReplayRequest["settings"]>;
  readonly budget: readonly Budget[];
  /** A file that an earlier check wrote. */
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly junit?: string;
}

type Recordings = Readonly<Record<string, SweptMetrics>>;

/**
 * `check PATH…`: replays recordings under a policy and judges metrics over all of them. The answer depends only on the recordings, the arguments and
 * the release: without `--prices`, list prices apply even if the user has a price file.
 */
export async function check(paths: readonly string[], options: CheckOptions): Promise<ExitCode> {
  onceOnly(paths);
  const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline);
  if (baseline === undefined && options.budget.some(({ ofBaseline }) => ofBaseline)) {
    throw new CliError(EXIT.badArguments, "a budget needs a baseline: name its file with --baseline.");
  }
  const recordings = await replayed(paths, options);
  const base = baseline === undefined ? undefined : sumOfBaseline(baseline, recordings);
  const metrics = summedMetrics(Object.values(recordings));
  const found: Checked = {
    policy: options.policy,
    judged: options.budget.map((budget) => judged(budget, metrics, base)),
    recordings,
  };
  if (options.writeBaseline !== undefined)
    await written(options.writeBaseline, baselineText(options.policy, recordings));
  if (options.junit !== undefined) await written(options.junit, checkJunit(found));
  await write(options.json ? `${JSON.stringify(wireOf(found, metrics))}\n` : `${checkMarkdown(found)}\n`);
  return found.judged.every(({ holds }) => holds) ? EXIT.done : EXIT.failed;
}

/** Metrics of the recordings by name, sorted. Files in folders that are not sessions are skipped. */
async function replayed(paths: readonly string[], options: CheckOptions): Promise<Recordings> {
  const request = requestOf(options.policy, options.set, options);
  const prices = options.prices === undefined ? LISTED_PRICES : pricesOf(options.prices);
  const found = new Map<string, SweptMetrics>();
  for (const [name, path] of await namedFiles(paths)) {
    if (found.has(name)) throw new CliError(EXIT.badArguments, `two recordings are called ${name}.`);
    try {
      const result = await withSession(path, options, (session) => replaySession(session, request, undefined, prices));
      const metrics = metricsOfReplay(result);
      found.set(
        name,
        valuesBy(SWEPT_METRICS, ({ key }) => metrics[key]),
      );
    } catch (error) {
      if (!isInputError(error) || paths.includes(path)) throw error;
      say(`${name} is skipped: ${error.message}`);
    }
  }
  if (found.size === 0) throw new CliError(EXIT.unreadable, `there is no session in ${paths.join(", ")}.`);
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Files with machine-independent names: the path from the given folder, else the file name. */
async function namedFiles(paths: readonly string[]): Promise<readonly (readonly [name: string, path: string])[]> {
  const lists = await Promise.all(
    paths.map(async (given) => {
      const folder = (await realFolder(given)) ?? given;
      const files = await sessionFilesOf([given]);
      return files.map(({ path, named }) => {
        const name = named ? basename(path) : relative(folder, path).replaceAll("\\", "/");
        return [name, path] as const;
      });
    }),
  );
  return lists.flat();
}

const BASELINE = z.object({
  version: z.literal(1),
  policy: z.string(),
  recordings: z.record(z.string(), z.record(z.string(), z.number().nullable())),
});

async function readBaseline(file: string): Promise<z.infer<typeof BASELINE>> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined)
    throw new CliError(EXIT.unreadable, `${file} cannot be read: --write-baseline writes a baseline.`);
  try {
    return BASELINE.parse(JSON.parse(text));
  } catch {
    throw new CliError(EXIT.unreadable, `${file} is not a baseline: --write-baseline writes one.`);
  }
}

/** Metrics of the baseline for the checked recordings. Throws `CliError` if one is missing. */
function sumOfBaseline(baseline: z.infer<typeof BASELINE>, recordings: Recordings): SweptMetrics {
  const metrics = Object.keys(recordings).map((name) => {
    const known = Object.hasOwn(baseline.recordings, name) ? baseline.recordings[name] : undefined;
    if (known === undefined) {
      throw new CliError(EXIT.badArguments, `the baseline lacks ${name}; write a new one with --write-baseline.`);
    }
    return valuesBy(SWEPT_METRICS, ({ key }) => known[key] ?? null);
  });
  return summedMetrics(metrics);
}

/** Writes a file, replacing an existing one. Rejects with `CliError`. */
async function written(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((error: unknown) => Promise.reject(cannotWrite(file, error)));
}

function baselineText(policy: string, recordings: Recordings): string {
  return `${JSON.stringify({ version: 1, policy, recordings }, null, 2)}\n`;
}

function wireOf({ policy, judged: all, recordings }: Checked, metrics: SweptMetrics) {
  const budgets = all.map(({ budget, value, limit, holds }) => ({
    budget: budget.text,
    figure: budget.metric.key,
    value,
    limit,
    holds,
  }));
  return { policy, passed: all.every(({ holds }) => holds), budgets, figures: metrics, recordings };
}

interface Checked {
  readonly policy: string;
  readonly judged: readonly Judged[];
  /** The recordings by name, with their metrics. */
  readonly recordings: Readonly<Record<string, SweptMetrics>>;
}

/** A summary in Markdown, as code hosts show it. */
function checkMarkdown({ policy, judged, recordings }: Checked): string {
  const names = Object.keys(recordings);
  const failed = judged.filter(({ holds }) => !holds).length;
  const verdict = failed === 0 ? "all budgets hold" : `${failed} of ${judged.length} budgets do not hold`;
  const budgets = judged.map(({ budget, value, limit, holds }) => {
    const { unit } = budget.metric;
    return [holds ? "✓" : "✗", `\`${budget.text}\``, metricText(unit, value), metricText(unit, limit)];
  });
  const metrics = [...new Map(judged.map(({ budget }) => [budget.metric.key, budget.metric])).values()];
  const rows = names.map((name) => [
    cell(name),
    ...metrics.map(({ key, unit }) => metricText(unit, recordings[name]?.[key] ?? null)),
  ]);
  return [
    `### ${cell(policy)} over ${names.length} recording${names.length === 1 ? "" : "s"}: ${verdict}`,
    table(["", "budget", "is", "limit"], budgets),
    table(["recording", ...metrics.map(({ key }) => key)], rows),
  ].join("\n\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A user's text as a table cell: without markup and line breaks. */
function cell(text: string): string {
  return printable(text)
    .replace(/[\\`|*_[\]<>&]/g, "\\$&")
    .replace(/\s+/g, " ");
}

/** The result as JUnit XML for continuous integration: one test case per budget. It holds no times, so that equal checks give equal files. */
function checkJunit({ policy, judged }: Checked): string {
  const failures = judged.filter(({ holds }) => !holds).length;
  const cases = judged.map(({ budget, value, limit, holds }) => {
    const name = `<testcase classname="${xml(policy)}" name="${xml(budget.text)}"`;
    if (holds) return `    ${name}/>`;
    const { key, unit } = budget.metric;
    return `    ${name}><failure message="${xml(`${key} is ${exact(unit, value)}, the limit ${exact(unit, limit)}`)}"/></testcase>`;
  });
  const suite = `<testsuite name="context-replay check" tests="${judged.length}" failures="${failures}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  ${suite}\n${cases.join("\n")}\n  </testsuite>\n</testsuites>\n`;
}

function exact(unit: MetricUnit, value: number | null): string {
  return value === null ? "n/a" : unit === "dollars" ? `$${value}` : String(value);
}

function xml(text: string): string {
  const entities: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;" };
  return printable(text).replace(/[<>&"]/g, (sign) => entities[sign] ?? "");
}
