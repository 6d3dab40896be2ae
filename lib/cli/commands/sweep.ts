import { policyById } from "@/lib/agents/policies";
import { sweepPoints, sweepReplays, type VaryRange } from "@/lib/core/analysis/grid";
import type { Tokens } from "@/lib/core/base/units";
import { type Basis, isMixed } from "@/lib/core/compaction/counting";
import type { ContextProfile } from "@/lib/core/context/profile";
import { bandsOfTotals, metricsOfRow } from "@/lib/core/metrics/answered";
import { frontPoints } from "@/lib/core/metrics/front-points";
import { printedMetrics } from "@/lib/core/metrics/metric-text";
import { SPENT, type Spent } from "@/lib/core/metrics/registry";
import { type KnownMetric, metricsThere, SWEPT_METRICS } from "@/lib/core/metrics/values";
import { type SweepInput, sweepAll } from "@/lib/queries/answers/sweep";
import type { ReplayRequest, SettingLineWire, SweepRow } from "@/lib/queries/contract/schemas";
import { priceChoice as requirePrices } from "@/lib/queries/cost/cost-terms";
import { settingLines } from "@/lib/queries/replays/setting-lines";
import { policyWindow } from "@/lib/queries/session/session-context";
import { unpricedTexts } from "@/lib/queries/wire/least";
import { pricesOf } from "@/lib/server/base/prices";
import { windowUnderProfile } from "@/lib/server/read/numbers/overhead";
import type { OpenedSession } from "@/lib/server/sessions/opened-session";
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
import { setText, settingText } from "../text/setting-text";

export interface SweepOptions extends ReplayingOptions {
  readonly policy: string;
  readonly vary: readonly VaryRange[];
  readonly spent?: Spent;
  readonly regret?: boolean;
  readonly set?: NonNullable<ReplayRequest["settings"]>;
}

/**
 * `sweep FILE…`: prints one row per point, file by file, replayed in worker threads if there is much to replay. Reports unreadable files and
 * continues; an invalid setting ends the command.
 */
export async function sweep(files: readonly string[], options: SweepOptions): Promise<ExitCode> {
  onceOnly(files);
  const { json, vary, spent, regret } = options;
  const profile = await profileFile(options.overhead, files);
  const prices = pricesOf(options.prices);
  requirePrices(options, prices);
  const query = { ...requestOf(options.policy, options.set, options), vary, spent, regret, prices };
  const progress = await startProgress("replaying", sweepReplays(vary, files.length));
  const runner = await replayingRunner(files, sweepPoints(vary).length);
  const windows = new Map<string, Tokens>();
  const inputs: readonly SweepInput[] = files.map((file) => ({
    id: file,
    use: (work) =>
      withSession(
        file,
        options,
        async (session) => {
          windows.set(file, await sweptWindow(query, session, profile));
          return work(session, profile);
        },
        runner,
      ),
  }));
  const listener = { onReplays: (count: number) => progress.step(count) };
  let exitCode: ExitCode = EXIT.done;
  const bases = new Bases();
  try {
    for await (const { id, result } of sweepAll(inputs, query, runner, listener)) {
      if (!(result instanceof Error)) {
        // This program wrote the rows, so their type is known.
        const rows = Array.from(result, (row): SweepRow => JSON.parse(row));
        const toType = (row: SweepRow) => settingLines(query, row.set, windows.get(id) ?? 0);
        bases.add(rows);
        const paste = (row: SweepRow) =>
          `Setting to paste for ${setText(row.set)}: ${settingText(query.policy, toType(row))}`;
        await progress.apart(() => write(json ? lines(rows, toType) : readable(rows, paste, spent)));
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

/** Collects the counting basis of each file's metrics. */
class Bases {
  readonly #estimated = new Set<string>();
  readonly #all: Basis[] = [];

  add(rows: readonly SweepRow[]): void {
    for (const { file, basis } of rows) {
      this.#all.push(basis);
      if (basis === "estimate") this.#estimated.add(file);
    }
  }

  /** Names files on standard error whose rows cannot be compared with the others. */
  tell(): void {
    if (!isMixed(this.#all)) return;
    const files = [...this.#estimated];
    const more = files.length > MAX_NAMED_FILES ? ` and ${files.length - MAX_NAMED_FILES} more` : "";
    say(`rows of ${files.slice(0, MAX_NAMED_FILES).join(", ")}${more} rest on an estimate ${NOT_COMPARABLE}`);
  }
}

/** Maximum number of files in the message. */
const MAX_NAMED_FILES = 5;
const NOT_COMPARABLE =
  "that is not calibrated to recorded usage; the other rows are counted by usage. Do not compare or sum the two kinds.";

/** Window that the swept policy works with; 0 for a user's own policy, which only its thread knows. */
async function sweptWindow(
  { policy, preset, window }: ReplayRequest,
  session: OpenedSession,
  profile: ContextProfile | undefined,
): Promise<Tokens> {
  const known = policyById(policy);
  if (known === undefined) return 0;
  const facts = { ...session.summary, contextWindow: await windowUnderProfile(session, profile) };
  return policyWindow(known, facts, window, preset).tokens;
}

type ToType = (row: SweepRow) => readonly SettingLineWire[];

function lines(rows: readonly SweepRow[], toType: ToType): string {
  return rows.map((row) => `${JSON.stringify({ ...row, settingToType: toType(row) })}\n`).join("");
}

/** Names of the metric that the front weighs against tokens kept. */
const SPENT_WORDS: Readonly<Record<Spent, string>> = { tokensSent: "tokens sent", costUsd: "cost" };

/**
 * Points on the front, from the least spent to the most kept. Of points with equal metrics, only the first is shown.
 * @param paste the setting to paste for a point; the last line is for the first point, which spends least
 */
function readable(rows: readonly SweepRow[], paste: (row: SweepRow) => string, spent: Spent = SPENT[0]): string {
  const metrics = rows.map(metricsOfRow);
  const front = rows.map(({ pareto }) => pareto);
  const known = metricsThere(
    SWEPT_METRICS,
    metrics.map((one) => ({ metrics: one })),
  );
  const points = frontPoints(metrics, front, spent);
  const pointTexts = points.map(({ index, equal }) => pointLine(rows[index], known, metrics[index] ?? {}, equal));
  const counted = [...new Set(rows.map(countedText))].join(", ");
  const head = `${rows[0]?.file ?? ""}: ${front.filter(Boolean).length} of ${rows.length} points on the front of ${SPENT_WORDS[spent]} against tokens kept; counted by: ${counted}`;
  const notes = new Set([
    ...rows.flatMap(doubtLines),
    ...unpricedTexts(rows.flatMap(({ totals }) => totals.unpricedModels ?? [])),
  ]);
  const cheapest = rows[points[0]?.index ?? -1];
  const last = [...notes, ...(cheapest === undefined ? [] : [paste(cheapest)])].map((line) => `  ${line}`);
  return `${[head, ...pointTexts, ...last].map(printable).join("\n")}\n`;
}

function pointLine(
  row: SweepRow | undefined,
  known: readonly KnownMetric[],
  metrics: Readonly<Record<string, number | null>>,
  equal: number,
): string {
  const text = printedMetrics(known, "sweep", metrics, bandsOfTotals(row?.totals ?? {})).join(", ");
  return `  ${setText(row?.set ?? {})}: ${text}${equal === 0 ? "" : ` (and ${equal} equal points)`}`;
}
