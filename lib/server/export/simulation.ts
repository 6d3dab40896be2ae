import { setImmediate } from "node:timers/promises";
import compile from "icu-minify/compile";
import { createTranslator } from "use-intl/core";
import {
  choice as choiceWords,
  policy as policyWords,
  setting as settingWords,
  unit as unitWords,
  verdict,
} from "@/app/i18n/messages/en/replay.json";
import { createFormat } from "@/components/format/format";
import { openingTrigger } from "@/components/session/timeline/cheapest-trigger";
import { noneCheaperText, triggerLead, verdictOf } from "@/components/session/timeline/verdict-sentence";
import { policyById } from "@/lib/agents/registry";
import { countText } from "@/lib/core/base/number-text";
import type { Steps } from "@/lib/core/base/steps";
import type { Tokens } from "@/lib/core/base/units";
import { defaultCounting } from "@/lib/core/compaction/counting";
import { customPolicy } from "@/lib/core/compaction/policies/custom";
import { isRecordedPolicy } from "@/lib/core/compaction/policies/recorded";
import type { SettingSpec, Settings } from "@/lib/core/compaction/policy/settings";
import type { ContextProfile } from "@/lib/core/context/profile";
import type { Recording } from "@/lib/core/context/recording";
import { bandsOfTotals, metricsOfReplay } from "@/lib/core/metrics/answered";
import { ownEstimator } from "@/lib/queries/accuracy/own-estimator";
import { compareSession, replayRecording } from "@/lib/queries/answers/session-answers";
import type { CompareAnswer, ComparedRun, ReplayRequest } from "@/lib/queries/contract/schemas";
import { ReplayCosts } from "@/lib/queries/cost/simulated-cost";
import { runReplay } from "@/lib/queries/replays/replay-result";
import { preparePolicy, presetOfVersion } from "@/lib/queries/session/session-context";
import { usablePrices } from "../base/prices";
import type { OpenedSession } from "../sessions/opened-session";

/** The simulation of a report; by default (also if only prices are chosen) the one that the session's page opens with. */
export type ReportedChoice = { readonly [Key in keyof ReplayRequest]?: ReplayRequest[Key] | undefined };

/** A simulation next to the recording, as the session's page shows it. */
export interface Simulation {
  readonly recorded: ComparedRun;
  readonly simulated: ComparedRun;
  readonly difference: CompareAnswer["difference"];
  /** Context at every request. */
  readonly contexts: ArrayLike<Tokens>;
  /** Its settings that are not at their defaults, as the page names them: "Trigger 45 %". */
  readonly changed: readonly string[];
  /** The page's sentences on it, in English. */
  readonly verdict: readonly string[];
}

/** The result of the quick sweep that a session's page opens with. */
type Sweep = ReturnType<typeof openingTrigger> extends Steps<infer Found> ? Found : never;

/**
 * Replays a session for a report; `undefined` for a session without requests, or if the recording itself is asked for.
 * Rejects with `ChoiceError`, `SettingError` and `UnknownEstimatorError`.
 */
export async function simulationOf(
  session: OpenedSession,
  choice: ReportedChoice,
  profile: ContextProfile | undefined,
): Promise<Simulation | undefined> {
  const { ttl, on, priceDate, ...run } = choice;
  const terms = { ttl, on, priceDate };
  const own = policyById(session.summary.agent ?? "") ?? customPolicy;
  const preset = presetOfVersion(own, session.summary);
  const asked: ReplayRequest = {
    ...run,
    ...terms,
    ...(run.policy === undefined ? { policy: own.id, preset: run.preset ?? preset } : { policy: run.policy }),
  };
  const named = policyById(asked.policy);
  if (session.columns.requests.length === 0 || (named !== undefined && isRecordedPolicy(named))) return undefined;
  const isOpening = Object.values(run).every((value) => value === undefined);
  const over = await replayRecording(session, { ...asked, estimator: ownEstimator(session.summary, asked) }, profile);
  const swept = isOpening ? await sweepOf(session, asked, over) : undefined;
  const settings = swept?.best === undefined ? asked.settings : { [swept.best.key]: swept.best.value };
  const estimator = run.estimator ?? ownEstimator(session.summary, asked);
  const { runs, difference } = await compareSession(
    session,
    {
      runs: [
        { policy: "recorded", ...terms, estimator },
        { ...asked, settings, estimator },
      ],
    },
    profile,
  );
  const [recorded, simulated] = runs;
  if (recorded === undefined || simulated === undefined) return undefined;
  const { prepared, replay } = runReplay({ ...asked, settings }, over);
  const changed = changedSettings(prepared.specs, simulated.settings);
  const found = { recorded, simulated, difference, contexts: replay.context, changed };
  return { ...found, verdict: sentences(found, swept) };
}

/** The quick sweep of triggers. Source: docs/decisions/0057-open-with-a-contrast.md. */
async function sweepOf(session: OpenedSession, asked: ReplayRequest, over: Recording): Promise<Sweep> {
  const costs = new ReplayCosts({ columns: session.columns }, usablePrices(), asked);
  const prepared = preparePolicy(asked, over, costs);
  const choice = {
    ...prepared,
    counting: defaultCounting(over),
    defaultWindow: prepared.window.tokens,
    changed: new Set<string>(),
  };
  const steps = openingTrigger({ choice, over, costs });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await setImmediate();
  }
}

function changedSettings(specs: readonly SettingSpec[], settings: Settings): readonly string[] {
  return specs.flatMap((spec) => {
    const value = settings[spec.key] ?? spec.default;
    if (value === spec.default) return [];
    const name = spec.own === true ? spec.label : nameIn(settingWords, spec.key, spec.label);
    if (typeof value !== "number") return [`${name} ${value === null ? "none" : nameIn(choiceWords, `${value}`)}`];
    const { unit } = spec.type === "number" ? spec : { unit: "" };
    const shown = unit === "share" ? Number((value * 100).toFixed(2)) : value;
    return [`${name} ${countText(shown)} ${nameIn(unitWords, unit)}`.trim()];
  });
}

function nameIn(words: Readonly<Record<string, string>>, key: string, otherwise: string = key): string {
  return words[key] ?? otherwise;
}

/** The server of the pages leaves out use-intl's parser (`next.config.mjs`): there, messages must be parsed before. */
function parsed<Tree extends object>(tree: Tree): Tree {
  const probe = createTranslator({ locale: "en", messages: { probe: "{word}" } });
  if (probe("probe", { word: "x" }) === "x") return tree;
  const all = (part: object): object =>
    Object.fromEntries(
      Object.entries(part).map(([key, value]) => [key, typeof value === "string" ? compile(value) : all(value)]),
    );
  return JSON.parse(JSON.stringify(all(tree))) as Tree; // use-intl types a message by its text, whatever its form.
}

/** The verdict as the page writes it, and a sentence if no trigger is cheaper. */
function sentences(found: Omit<Simulation, "verdict">, swept: Sweep): readonly string[] {
  const { policy, thresholdTokens } = found.simulated;
  const t = createTranslator({
    locale: "en",
    messages: { replay: { verdict: parsed(verdict) } },
    namespace: "replay.verdict",
  });
  const format = createFormat("en");
  const lead =
    thresholdTokens === null || thresholdTokens <= 0
      ? t("by", { policy: policyName(policy) })
      : triggerLead(swept, format.short(thresholdTokens), t);
  const recording = outcomeOf(found, 0);
  const summaryCallsUsd = found.simulated.totals.costUsd?.summaryCalls;
  const replayed = { ...outcomeOf(found, 1), summaryCallsUsd };
  const { parts, confidence } = verdictOf({ recording, replayed, lead }, t, format);
  const sentence = t.markup("sentence", { lead, parts: () => format.list(parts.map(({ text }) => text)) });
  return [
    [sentence, confidence].filter((text) => text !== undefined).join(" "),
    ...(swept !== undefined && swept.best === undefined ? [noneCheaperText(swept, replayed, t, format)] : []),
  ];
}

/** A run's metrics as the page has them. */
function outcomeOf({ recorded, simulated, difference }: Omit<Simulation, "verdict">, index: 0 | 1) {
  const run = index === 0 ? recorded : simulated;
  const values = Object.fromEntries(difference.map(({ metric, values }) => [metric, values[index] ?? null]));
  return {
    basis: run.basis,
    calibration: run.calibration ?? undefined,
    metrics: { ...metricsOfReplay(run), ...values, compactions: run.compactions.length },
    bands: bandsOfTotals(run.totals),
  };
}

/** A policy's name as the page writes it. */
export function policyName(id: string): string {
  return nameIn(policyWords, id, policyById(id)?.label ?? id);
}
