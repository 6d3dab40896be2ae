import { type AdvisedBy, conclusionOf, gapOf, type Saving } from "@/lib/core/advice/recommend";
import { countedText, countText, usdText } from "@/lib/core/base/number-text";
import type { LeftOutSession } from "@/lib/queries/answers/recommend";
import type { SettingsToType } from "@/lib/queries/contract/schemas";
import type { AdviceUnder, Coverage, Recommendation } from "@/lib/queries/replays/recommendation";
import { unpricedTexts } from "@/lib/queries/wire/least";
import { splitPreset } from "../input/arguments";
import { LIST_PRICES } from "../input/price-options";
import { aligned } from "./aligned";
import { printable } from "./printable";
import { setText, settingText } from "./setting-text";

/** Words for missing evidence. */
const MISSING = {
  sessions: "fewer than 8 sessions reach a trigger",
  interval: "the interval includes 0",
  size: "less than 3 % is saved",
} as const;

const UNDER: Readonly<Record<string, string>> = {
  "as-set": "as set",
  "cache-at-best": "if the cache returns as much as it can",
  "cache-at-worst": "if the cache returns as little as it can",
  "small-summaries": "with summaries of 995 tokens",
  "large-summaries": "with summaries of 6,143 tokens",
  "5m": "with a cache that lives 5 minutes",
  "1h": "with a cache that lives an hour",
  "no-pauses": "without pauses between requests",
  "all-return": "without the actions after the last requests",
};

const COLUMN: Readonly<Record<AdvisedBy, string>> = { cost: "cost", tokens: "tokens", neededAgain: "re-fetched" };

/** A recommendation: the answer first, then its grounds, and last the setting to paste. */
export function recommendationText(
  policy: string,
  found: Recommendation,
  leftOut: readonly LeftOutSession[],
  toType: SettingsToType,
): string {
  const { advice, worst, turns, isEvidence, flat } = found;
  const least = found.lowerBounds > 0 ? "≥ " : "";
  const amount = found.by === "cost" ? (usd: number) => `${least}${usdText(usd)}` : countText;
  const lines = [
    answer(found),
    `${policy}, ${countedText(found.sessions, "session")} of ${countedText(found.projects, "project")}, ${found.crossing} reach a trigger; seed ${found.seed}`,
    "",
    aligned(
      ["setting", COLUMN[found.by], "saves here"],
      [
        ["as it is", amount(found.current), ""],
        ...found.settings.map(({ set, total, saving }) => [setText(set), amount(total), shareText(saving)]),
      ],
    ),
    "",
    `Chosen on one half of the sessions and judged on the other, 200 times: ${savingText(advice)}.`,
    `At worst, ${UNDER[worst.under]}: ${setText(worst.set)} saves ${savingText(worst)}${coverageText(worst)}.`,
    ...turns.map((turn) => `${capital(underText(turn.under))}: ${turnText(turn)}.`),
    ...found.unknown.map(
      ({ under, unknown }) =>
        `${capital(underText(under))}: not known, ${countedText(unknown, "session")} without a price.`,
    ),
    `Within 1 % of the best: ${flat.map(setText).join(", ")}.`,
    ...(found.thrashing === 0
      ? []
      : [
          `With ${setText(advice.set)}, ${found.thrashing} of ${countedText(found.sessions, "session")} thrash: they compact again within 3 requests, or keep more than 80 % of the trigger.`,
        ]),
    ...(found.because === null ? [] : [becauseText(found.because)]),
    ...pausesText(found),
    ...whatIfText(found.whatIf, found.sessions),
    ...(isEvidence ? [] : [`Missing: ${missingOf(found).join("; ")}.`]),
    ...(found.unaffected.length === 0
      ? []
      : [`No setting makes a difference to ${countedText(found.unaffected.length, "session")}.`]),
    ...leftOutText(leftOut),
    ...(found.lowerBounds === 0
      ? []
      : [
          `For ${countedText(found.lowerBounds, "session")} not all output is recorded: costs that include them are lower bounds, and saved or lost shares are upper bounds.`,
        ]),
    ...(found.by === "cost" ? [LIST_PRICES] : []),
    "The recorded trajectories are held fixed; under another setting the agents would have gone on differently.",
    ...(found.by === "neededAgain"
      ? []
      : ["Lost content does not count; --by neededAgain minimises re-fetched tokens."]),
    ...(isEvidence ? pasteLines(splitPreset(policy).id, toType) : []),
  ];
  return `${lines.map((line) => line.split("\n").map(printable).join("\n")).join("\n")}\n`;
}

/** The setting to paste under each window, once if it is the same under all. */
function pasteLines(policy: string, toType: SettingsToType): readonly string[] {
  const texts = toType.map(({ lines }) => settingText(policy, lines));
  const [same = settingText(policy, [])] = texts;
  if (new Set(texts).size < 2) return [`Setting to paste: ${same}`];
  return toType.map(({ window }, at) => `Setting to paste in a window of ${countText(window)} tokens: ${texts[at]}`);
}

function answer(found: Recommendation): string {
  switch (conclusionOf(found)) {
    case "saves":
      return `${setText(found.advice.set)} saves ${savingText(found.advice)}.`;
    case "few":
      return "Too few sessions to recommend a setting.";
    case "unsure":
      return "A saving that does not hold under every assumption.";
    default:
      return "No evidence for another setting.";
  }
}

function pausesText({ pauses, advice }: Recommendation): readonly string[] {
  if (pauses === null) return [];
  const { idle, unusedIdle, keepAliveRequests, keepAliveUsd, unusedUsd } = pauses;
  const acts = [
    ...(idle === 0
      ? []
      : [
          `${countedText(idle, "idle compaction")}, after ${unusedIdle} of them (${Math.round((100 * unusedIdle) / idle)} %) no request followed`,
        ]),
    ...(keepAliveRequests === 0
      ? []
      : [`${countedText(keepAliveRequests, "keep-alive request")} for ${usdText(keepAliveUsd)}`]),
  ];
  if (acts.length === 0) return [];
  return [`With ${setText(advice.set)}: ${acts.join("; ")}. ${usdText(unusedUsd)} was spent after the last requests.`];
}

function missingOf({ advice, worst }: Recommendation): readonly string[] {
  if (advice.missing.length > 0) return advice.missing.map((one) => MISSING[one]);
  if (worst.missing.length > 0) return worst.missing.map((one) => `${UNDER[worst.under]} ${MISSING[one]}`);
  return [`${UNDER[worst.under]} another setting is the best`];
}

function underText(under: string): string {
  return UNDER[under] ?? under.replace(/^on /, "at the prices of ");
}

function turnText(turn: AdviceUnder<string>): string {
  const saves = `${setText(turn.set)} ${turn.missing.length > 0 ? "" : "saves "}${savingText(turn)}${coverageText(turn)}`;
  const gap = gapOf(turn.missing);
  return gap === undefined ? saves : `${gap === "few" ? "too few sessions" : "no evidence"}, ${saves}`;
}

/** Number of sessions that an assumption covers, if not all. */
function coverageText({ sessions, unknown, alike }: Coverage): string {
  const why = [
    ...(unknown === 0 ? [] : [`${unknown} without a price there`]),
    ...(alike === 0 ? [] : [`${alike} skipped, because their own models have the same cache prices`]),
  ];
  return why.length === 0 ? "" : `, over ${sessions} of ${sessions + unknown + alike} sessions: ${why.join(", ")}`;
}

function becauseText({ read, anew, output, summaryCalls }: NonNullable<Recommendation["because"]>): string {
  const parts = [
    ["cache reads", read],
    ["uncached tokens", anew],
    ["answers", output],
    ["calls for summaries", summaryCalls],
  ] as const;
  const reasons = parts
    .filter(([, usd]) => Math.abs(usd) >= 0.005)
    .map(([name, usd]) => `${name} ${usd < 0 ? "−" : "+"}${usdText(Math.abs(usd))}`);
  return reasons.length === 0 ? "Nothing of the cost changes." : `Because: ${reasons.join(", ")}.`;
}

function whatIfText(whatIf: Recommendation["whatIf"], sessions: number): readonly string[] {
  if (whatIf === null) return [];
  const known = (of: number) => (of < sessions ? ` (known of ${of} of ${countedText(sessions, "session")})` : "");
  const { beforeBreaks, lifetimes: ttls } = whatIf;
  const saved = (usd: number) => `${usd < 0 ? "would have cost" : "would have saved"} ${usdText(Math.abs(usd))}`;
  return [
    ...(beforeBreaks.pauses === 0
      ? []
      : [
          `Compacting before each of ${countedText(beforeBreaks.pauses, "pause")} longer than the cache TTL ${saved(beforeBreaks.savedUsd)}${known(beforeBreaks.sessions)}.`,
        ]),
    ...(ttls.sessions === 0
      ? []
      : [
          `Written for five minutes the recorded requests cost ${usdText(ttls.shortUsd)}, for an hour ${usdText(ttls.longUsd)}${known(ttls.sessions)}.`,
        ]),
  ];
}

/** Reasons for excluding a session, in words. */
export const WHY: Readonly<Record<LeftOutSession["why"], string>> = {
  "other-agent": "of another agent",
  "no-requests": "without requests",
  "no-figure": "without a price or usage",
  copy: "a copy of another",
  unreadable: "unreadable",
};

function leftOutText(leftOut: readonly LeftOutSession[]): readonly string[] {
  if (leftOut.length === 0) return [];
  const counts = Object.entries(WHY).flatMap(([why, words]) => {
    const count = leftOut.filter((one) => one.why === why).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return [
    `Left out: ${counts.join(", ")}.`,
    ...unpricedTexts(leftOut.flatMap(({ unpricedModels = [] }) => unpricedModels)),
  ];
}

function savingText({ saving }: Pick<AdviceUnder<string>, "saving">): string {
  return intervalText(saving);
}

/** A saved share with its interval, in per cent. */
export function intervalText({ estimate, low, high }: Saving): string {
  return `${shareText(estimate)} [${shareText(low)}, ${shareText(high)}]`;
}

function shareText(share: number): string {
  return `${(share * 100).toFixed(1).replace("-", "−")} %`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
