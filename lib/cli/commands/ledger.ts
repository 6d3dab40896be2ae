import { countText, usdText } from "@/lib/core/base/number-text";
import { isChanceMatch, listedRefetches } from "@/lib/core/refetch/listed";
import { predictorVerdict } from "@/lib/core/refetch/verdict";
import { ledgerOfSession } from "@/lib/queries/answers/session-answers";
import type { CountingMode, LedgerAnswer, LedgerRequest } from "@/lib/queries/contract/schemas";
import { pricesOf } from "@/lib/server/base/prices";
import { splitPreset } from "../input/arguments";
import { costTermsOf, LIST_PRICES, type PriceOptions, termsNotes } from "../input/price-options";
import { profileFile } from "../input/profile-file";
import type { CountingOptions, ReadingOptions } from "../input/session-file";
import { onceOnly } from "../input/standard-input";
import type { ExitCode } from "../process/exit";
import { aligned } from "../text/aligned";
import { printable } from "../text/printable";
import { answerEach } from "./each-file";

export interface LedgerOptions extends ReadingOptions, CountingOptions, PriceOptions {
  readonly policy?: string;
  readonly set?: NonNullable<LedgerRequest["settings"]>;
  readonly counting?: CountingMode;
  readonly json?: boolean;
}

type Boundary = NonNullable<LedgerAnswer["needs"]>[number];
type Refetch = Boundary["needs"][number];

/** `ledger FILE…`: prints content re-fetched after compactions, in the order given. Reports unreadable files and continues. */
export async function ledger(files: readonly string[], options: LedgerOptions): Promise<ExitCode> {
  onceOnly(files);
  const { estimator, window, counting } = options;
  const { id, preset } = splitPreset(options.policy ?? "recorded");
  const request = { ...costTermsOf(options), policy: id, preset, settings: options.set, estimator, window, counting };
  const prices = pricesOf(options.prices);
  const profile = await profileFile(options.overhead, files);
  return answerEach<"ledger">(
    files,
    options,
    (session) => ledgerOfSession(session, request, profile, prices),
    readable,
  );
}

const UNKNOWN = {
  masked: "n/a, a publisher masked more than half of the results",
  tooLong: "n/a, too many lines to compare",
} as const;

function readable(answer: LedgerAnswer): string {
  const { file, policy, preset, needs: refetches, unknown, costTerms } = answer;
  if (refetches === null) return `${printable(file)}: ${UNKNOWN[unknown ?? "tooLong"]}\n`;
  const whose = policy === "recorded" ? "recorded" : `${policy}@${preset}`;
  const lines = [
    `${printable(file)}: ${countText(refetches.length)} ${refetches.length === 1 ? "boundary" : "boundaries"}, ${whose}`,
    ...refetches.flatMap((boundary) => ["", ...boundaryLines(boundary)]),
    ...predictorLines(answer.predictor),
    "",
    ...[...termsNotes(costTerms), LIST_PRICES].map((note) => `  ${note}`),
  ];
  return `${lines.join("\n")}\n`;
}

function boundaryLines(boundary: Boundary): readonly string[] {
  const { request, line, N3, N4, neededAgain, neededAgainTokens, usd } = boundary;
  const position = line === null ? "" : ` (line ${countText(line)})`;
  const origins = `${countText(N3.carried)} carried, ${countText(N3.foundAgain)} found again, ${countText(N3.unexplained)} unexplained`;
  return [
    `before request ${countText(request)}${position}: re-fetched ${countText(neededAgain)}, ${countText(neededAgainTokens)} tokens, ${usdText(usd)}`,
    `  paths ${countText(N3.count)} (${origins}), edits ${countText(N4.count)}`,
    ...refetchedLines(boundary),
    ...summaryLines(boundary.summary),
    ...refetchTable(boundary.needs),
  ];
}

function refetchedLines({ N1, N2, runAgain, boughtAgainTokens, sameFile }: Boundary): readonly string[] {
  if (N1 === null || N2 === null || runAgain === null || sameFile === null) return [];
  return [
    `  repeated by later results, not counted as re-fetched: ${countText(N1.count)} whole results, ${countText(N2.count)} lines, ${countText(boughtAgainTokens ?? 0)} tokens; run again: ${countText(runAgain.N2.count)} lines`,
    `  of these, ${countText(sameFile.lines)} lines, ${countText(sameFile.tokens)} tokens from a file that had held them; the others may be alike by chance`,
  ];
}

/** Re-fetched content that a summary mentions. */
export function summaryLines(summary: Boundary["summary"]): readonly string[] {
  if (summary === null) return [];
  const text = (name: string, { needed: refetched, neededNamed, named, namedUsed }: typeof summary.paths) =>
    `  the summary names ${countText(neededNamed)} of ${countText(refetched)} re-fetched ${name}; ${countText(namedUsed)} of the ${countText(named)} that it names were used`;
  return [text("paths", summary.paths), text("identifiers", summary.names)];
}

const SIDES = ["left", "left", "right", "right", "right", "left"] as const;

function refetchTable(refetches: readonly Refetch[]): readonly string[] {
  const rows = listedRefetches(refetches).map((refetch) => [
    `  ${refetch.kind}`,
    `item ${refetch.dropped} → ${refetch.needed}`,
    countText(refetch.requestsLater),
    countText(refetch.tokens),
    usdText(refetch.usd),
    refetchText(refetch),
  ]);
  return rows.length === 0
    ? []
    : [aligned(["  what", "dropped → re-fetched", "requests later", "tokens", "cost", ""], rows, SIDES)];
}

function refetchText(refetch: Refetch): string {
  const { kind, lines, path, origin, certainty } = refetch;
  if (path !== null) return `${printable(path)}, ${origin === "foundAgain" ? "found again" : origin}`;
  if (kind === "N4") return "text of an edit";
  if (lines === null) return `asked again, a ${certainty}`;
  return `${countText(lines)} lines${isChanceMatch(refetch) ? ", probably equal by chance" : ""}`;
}

function predictorLines(predictor: LedgerAnswer["predictor"]): readonly string[] {
  if (predictor === null) return [];
  const { foreseen: predicted, right: confirmed, bought: refetched, foreseenBought: refetchedPredicted } = predictor;
  const { foreseenTokens: predictedTokens, boughtTokens: refetchedTokens } = predictor;
  return [
    "",
    `The rule of simulated boundaries, here: ${countText(confirmed)} of ${countText(predicted)} predicted re-fetches are confirmed by a result that repeats the dropped content, and ${countText(refetchedPredicted)} of ${countText(refetched)} repeated results were predicted; predicted ${countText(predictedTokens)} tokens, repeated ${countText(refetchedTokens)}.${predictorVerdict(predictor) === "badly" ? " It is unreliable here." : ""}`,
  ];
}
