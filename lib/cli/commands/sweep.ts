import { sweepPoints, sweepReplays, type VaryRange } from "@/lib/core/analysis/grid";
import { type Basis, isMixed } from "@/lib/core/compaction/counting";
import { bandsOfTotals, metricsOfRow } from "@/lib/core/metrics/answered";
import { frontPoints } from "@/lib/core/metrics/front-points";
import { spokenMetrics } from "@/lib/core/metrics/metric-text";
import { SPENT, type Spent } from "@/lib/core/metrics/registry";
import { type KnownMetric, metricsThere, SWEPT_FIGURES } from "@/lib/core/metrics/values";
import { type SweepInput, sweepAll } from "@/lib/queries/answers/sweep";
import type { ReplayRequest, SweepRow } from "@/lib/queries/contract/schemas";
import { priceChoice as requirePrices } from "@/lib/queries/cost/cost-terms";
import { unpricedTexts } from "@/lib/queries/wire/least";
import { pricesOf } from "@/lib/server/base/prices";
import { type ReplayingOptions, requestOf } from "../input/price-options";
import { profileFile } from "../input/profile-file";
import { replayingRunner } from "../input/replaying-runner";
import { withSession } from "../input/session-file";
import { onceOnly } from "../input/standard-input";
import { EXIT, type ExitCode, exitCodeOf, say } from "../process/exit";
import { countedText, doubtLines } from "../text/counting-text";
import { write } from "../text/output";
import { printable } from "../text/printable";
import { startProgress } from "../text/progress";

export interface SweepOptions extends ReplayingOptions {
  readonly policy: string;
  readonly vary: readonly VaryRange[];
  readonly spent?: Spent;
  readonly regret?: boolean;
  readonly set?: NonNullable<ReplayRequest["settings"]>;
}

/**
 * `sweep FILE…`: prints one row per point, file after file, replayed in worker threads where there is much to replay. It names the files that it cannot read and goes on;
 * an invalid setting ends the command.
 */
export async function sweep(files: readonly string[], options: SweepOptions): Promise<ExitCode> {
  onceOnly(files);
  const { json, vary, spent, regret } = options;
  const profile = await profileFile(options.overhead, files);
  const prices = pricesOf(options.prices);
  requirePrices(options, prices);
  const question = { ...requestOf(options.policy, options.set, options), vary, spent, regret, prices };
  const progress = await startProgress("replaying", sweepReplays(vary, files.length));
  const runner = await replayingRunner(files, sweepPoints(vary).length);
  const inputs: readonly SweepInput[] = files.map((file) => ({
    id: file,
    use: (work) => withSession(file, options, (session) => work(session, profile), runner),
  }));
  const listener = { onReplays: (count: number) => progress.step(count) };
  let exitCode: ExitCode = EXIT.done;
  const bases = new Bases();
  try {
    for await (const { result } of sweepAll(inputs, question, runner, listener)) {
      if (!(result instanceof Error)) {
        const written = [...result];
        // This program wrote the rows, so their type is known.
        const rows = written.map((row): SweepRow => JSON.parse(row));
        bases.add(rows);
        await progress.apart(() => write(json ? lines(written) : readable(rows, spent)));
      } else {
        exitCode = await progress.apart(() => exitCodeOf(result));
        if (exitCode !== EXIT.unreadable) break;
      }
    }
  } finally {
    progress.end();
    await runner.close();
  }
  bases.tell();
  return exitCode;
}

/** Collects the basis of every file's figures. */
class Bases {
  readonly #estimated = new Set<string>();
  readonly #all: Basis[] = [];

  add(rows: readonly SweepRow[]): void {
    for (const { file, basis } of rows) {
      this.#all.push(basis);
      if (basis === "estimate") this.#estimated.add(file);
    }
  }

  /** Names on standard error the files whose rows cannot be compared with the others. */
  tell(): void {
    if (!isMixed(this.#all)) return;
    const files = [...this.#estimated];
    const more = files.length > FILES_SAID ? ` and ${files.length - FILES_SAID} more` : "";
    say(`rows of ${files.slice(0, FILES_SAID).join(", ")}${more} rest on an estimate ${UNLIKE}`);
  }
}

/** The most files that the message names. */
const FILES_SAID = 5;
const UNLIKE =
  "that is not brought to recorded usage, the other rows are counted by the usage: they are not to be set against each other, nor summed.";

function lines(rows: readonly string[]): string {
  return rows.map((row) => `${row}\n`).join("");
}

/** What the front sets against the tokens kept. */
const SPENT_WORDS: Readonly<Record<Spent, string>> = { tokensSent: "tokens sent", costUsd: "cost" };

/** The points on the front, from the least spent to the most kept. Of points with equal figures, only the first is shown. */
function readable(rows: readonly SweepRow[], spent: Spent = SPENT[0]): string {
  const figures = rows.map(metricsOfRow);
  const front = rows.map(({ pareto }) => pareto);
  const there = metricsThere(
    SWEPT_FIGURES,
    figures.map((one) => ({ figures: one })),
  );
  const said = frontPoints(figures, front, spent).map(({ index, equal }) =>
    pointLine(rows[index], there, figures[index] ?? {}, equal),
  );
  const counted = [...new Set(rows.map(countedText))].join(", ");
  const head = `${rows[0]?.file ?? ""}: ${front.filter(Boolean).length} of ${rows.length} points on the front of ${SPENT_WORDS[spent]} against tokens kept; counted by: ${counted}`;
  const notes = new Set([
    ...rows.flatMap(doubtLines),
    ...unpricedTexts(rows.flatMap(({ totals }) => totals.unpricedModels ?? [])),
  ]);
  return `${[head, ...said, ...[...notes].map((note) => `  ${note}`)].map(printable).join("\n")}\n`;
}

function pointLine(
  row: SweepRow | undefined,
  there: readonly KnownMetric[],
  figures: Readonly<Record<string, number | null>>,
  equal: number,
): string {
  const where = Object.entries(row?.set ?? {}).map(([key, value]) => `${key}=${value}`);
  const said = spokenMetrics(there, "sweep", figures, bandsOfTotals(row?.totals ?? {})).join(", ");
  return `  ${where.join(" ")}: ${said}${equal === 0 ? "" : ` (and ${equal} that come to the same)`}`;
}
