import type { Grouping } from "@/lib/core/analysis/contributor-groups";
import { countText, usdText } from "@/lib/core/base/number-text";
import { contributorsOfSession } from "@/lib/queries/answers/session-answers";
import type { Contributors, CountingMode, ReplayRequest } from "@/lib/queries/contract/schemas";
import { splitPreset } from "../input/arguments";
import { profileFile } from "../input/profile-file";
import { type CountingOptions, type ReadingOptions, withSession } from "../input/session-file";
import { countingText, partDoubtLines, recordedPartLines } from "../text/counting-text";
import { cutStart, padEnd } from "../text/display-width";
import { writeAnswer } from "../text/output";
import { printable } from "../text/printable";

export interface ContributorsOptions extends ReadingOptions, CountingOptions {
  readonly by: Grouping;
  readonly at?: number | "last";
  readonly policy?: string;
  readonly set?: NonNullable<ReplayRequest["settings"]>;
  readonly counting?: CountingMode;
  readonly limit?: number;
  readonly json?: boolean;
}

/** Default rows per printed list. JSON always holds all rows. */
const TEXT_LIMIT = 20;

/** `contributors FILE`: shows what filled the context up to a request. */
export async function contributors(file: string, options: ContributorsOptions): Promise<void> {
  const { json, at = "last", policy = "recorded", by, estimator, window, counting } = options;
  const profile = await profileFile(options.overhead, [file]);
  const { id, preset } = splitPreset(policy);
  const limit = options.limit ?? (json ? undefined : TEXT_LIMIT);
  const choice = { by, at, limit, policy: id, preset, settings: options.set, estimator, window, counting, profile };
  const result = await withSession(file, options, (session) => contributorsOfSession(session, choice));
  await writeAnswer<"contributors">(result, options, readable);
}

function readable(result: Contributors): string {
  const { request, policy, context, sent, full, leftOut } = result;
  const lines = [
    `request ${request}, ${policy}, ${countingText(result)}: ${countText(context)} tokens in the context, ${countText(sent)} sent until here${inputText(result)}`,
    ...(policy === "recorded" ? recordedPartLines : partDoubtLines)(result.calibration),
    ...full.map(({ share, request: at, turn }) =>
      at === null
        ? `window never ${share * 100} % full`
        : `window ${share * 100} % full with request ${at}, in turn ${turn}`,
    ),
    "",
    columns(`by ${result.by}`, "tokens", "share", "tokens × requests", "input cost"),
    ...result.contributors.map((row) =>
      columns(
        labelOf(row),
        row.tokens,
        `${(row.share * 100).toFixed(1)} %`,
        Math.round(row.residency),
        usdText(row.usd),
      ),
    ),
    ...rest(leftOut.contributors),
    ...section("sent more than once at a time", [
      ...result.repeated.map((one) =>
        columns(`${one.items.length} × ${one.file ?? one.tool ?? "text"}`, one.tokens, "", Math.round(one.residency)),
      ),
      ...rest(leftOut.repeated),
    ]),
    ...section(
      "declared, never called",
      (result.unusedTools ?? []).map((one) => columns(one.tool, one.tokens, "", Math.round(one.residency))),
    ),
  ];
  return `${lines.map((line) => printable(line).trimEnd()).join("\n")}\n`;
}

function inputText({ inputUsd }: Contributors): string {
  return inputUsd === null ? "" : `, for ${usdText(inputUsd)} by list prices`;
}

/** The last line of a list that was cut short. */
function rest(count: number): readonly string[] {
  return count === 0 ? [] : [`… ${countText(count)} more, not shown; --limit N shows more`];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", columns(title, "tokens", "", "tokens × requests"), ...lines];
}

function labelOf({ kind, name, number }: Contributors["contributors"][number]): string {
  if (kind === "unattributed") return "(not attributed)";
  if (kind === "server") return name ?? "(the agent's own tools)";
  if (kind === "category") return `(${name})`;
  if (number === -1) return "before the first turn";
  return name ?? `${kind} ${number}`;
}

/** A table row, or a heading with text in place of numbers. */
function columns(label: string, tokens: number | string, share: string, residency: number | string, cost = ""): string {
  const written = (cell: number | string) => (typeof cell === "number" ? countText(cell) : cell);
  return `${padEnd(cutStart(printable(label), 48), 48)}${written(tokens).padStart(12)}${share.padStart(9)}${written(residency).padStart(19)}${cost.padStart(13)}`;
}
