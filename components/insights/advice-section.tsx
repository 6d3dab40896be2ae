"use client";

import { type SetValues, useQueryStates } from "nuqs";
import { useEffect, useId } from "react";
import { useTranslations } from "use-intl";
import { UnpricedModels } from "@/components/format/unpriced-models";
import { useFormat } from "@/components/format/use-format";
import { MAX_VALUES } from "@/components/session/sweep/axes";
import { NumberField } from "@/components/settings/number-field";
import { PasteLines } from "@/components/settings/paste-lines";
import { RangeFields } from "@/components/settings/range-fields";
import type { NumberSpec } from "@/components/settings/trigger-setting";
import { usePolicyWords } from "@/components/settings/use-words";
import { Choice } from "@/components/ui/choice";
import { cn } from "@/components/ui/cn";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { ADVISED_BY, type AdvisedBy, conclusionOf } from "@/lib/core/advice/recommend";
import type { SettingLine } from "@/lib/core/compaction/policy/setting-to-type";
import { askAdvice } from "@/lib/queries/client/event-answers";
import type { AdviceAnswer, AdviceRequest, SettingLineWire } from "@/lib/queries/contract/types";
import { type AdviceSetup, adviceSetup, advisedPolicies, rangeOf } from "./advice-setup";
import { AssumedTable, SettingCurve, SettingsTable } from "./advice-tables";
import { becauseParts, type Found, missingOf, useAdviceWords } from "./advice-view";
import { AskingSection } from "./asking-section";
import { SessionLinks } from "./policies-table";
import { type AskedSelection, INSIGHTS_PARSERS } from "./selection";
import { useAnswer } from "./use-answer";

interface AdviceSectionProps {
  readonly selection: AskedSelection;
  /** The agent of most sessions; `undefined` until one of them is read. */
  readonly agent: string | null | undefined;
  /** A policy to run as soon as it is in the address; `null` for any policy in the address, `undefined` to run none. */
  readonly tried: string | null | undefined;
  readonly onTried: () => void;
}

/** Recommends a setting for the sessions that the address selects. */
export function AdviceSection({ selection, agent, tried, onTried }: AdviceSectionProps) {
  const [params, set] = useQueryStates(INSIGHTS_PARSERS);
  const setup = adviceSetup(params, agent ?? null);
  const isKnown = agent !== undefined || params.policy !== null;
  const { answered, start, stop } = useAnswer<AdviceRequest, AdviceAnswer>(askAdvice);
  const ask = (wanted: AdviceRequest) => {
    // The complete query is in the address, so that a link repeats it.
    void set({ policy: wanted.policy, preset: setup.preset, vary: [...wanted.vary], seed: params.seed });
    void start(wanted);
  };
  const wanted = isKnown ? wantedOf(setup, selection, params) : undefined;
  useEffect(() => {
    if (wanted === undefined || tried === undefined || (tried !== null && tried !== wanted.policy)) return;
    onTried();
    ask(wanted);
    // The query in the address replaces the link's own address, and with it the jump to this section, if that has not happened yet.
    document.getElementById("insights-advice")?.scrollIntoView();
  });
  return (
    <AskingSection
      name="advice"
      answered={answered}
      wanted={wanted}
      onStart={ask}
      onStop={stop}
      shortcut="r"
      controls={<AdviceControls setup={setup} params={params} set={set} />}
    >
      {(answer, asked) => <Answer answer={answer} setup={setup} asked={asked} />}
    </AskingSection>
  );
}

/** The query; `undefined` if the setup has no setting to vary, or a problem. */
function wantedOf(
  { policy, preset, axis, problem }: AdviceSetup,
  selection: AskedSelection,
  { small, seed }: { readonly small: AdviceRequest["by"]; readonly seed: number },
): AdviceRequest | undefined {
  if (axis === undefined || problem !== undefined) return undefined;
  return { ...selection, policy: policy.id, preset, vary: [{ ...axis.range }], by: small, seed: Math.max(0, seed) };
}

interface AnswerProps {
  readonly answer: AdviceAnswer;
  readonly setup: AdviceSetup;
  readonly asked: AdviceRequest;
}

function Answer({ answer, setup, asked }: AnswerProps) {
  const t = useTranslations("insights.advice");
  const spec = setup.specs.find((one) => one.key === asked.vary[0]?.key);
  if (answer.found === null)
    return (
      <>
        <p role="status" className="text-sm" data-testid="no-sessions">
          {t("noSessions", { matched: answer.asked.matched, leftOut: answer.leftOut.length })}
        </p>
        <UnpricedOf answer={answer} />
      </>
    );
  // After another policy is chosen, the setting of the old answer has no name here.
  if (spec?.type !== "number" || asked.policy !== setup.policy.id) return null;
  return <AdviceCard answer={answer} found={answer.found} spec={spec} />;
}

interface AdviceCardProps {
  readonly answer: AdviceAnswer;
  readonly found: Found;
  readonly spec: NumberSpec;
}

/** A recommendation, or the lack of evidence for one: the answer first, then the reasons and the evidence. */
function AdviceCard({ answer, found, spec }: AdviceCardProps) {
  const t = useTranslations("insights.advice");
  const words = useAdviceWords();
  const conclusion = conclusionOf(found);
  return (
    <article aria-label={t("title")} className="rounded-lg border border-line2 bg-bg" data-testid="advice-card">
      <div className="border-b border-line px-4 py-3">
        <h3 className={cn("text-lg font-semibold", found.isEvidence && "text-better")} data-evidence={found.isEvidence}>
          {conclusion === "saves"
            ? t("saves", { setting: words.set(spec, found.advice.set), saving: words.saving(found.advice.saving) })
            : t(`conclusion.${conclusion}`)}
        </h3>
        {!found.isEvidence && <Missing found={found} spec={spec} />}
        <Thrash found={found} spec={spec} />
        <Because found={found} />
        <Pauses found={found} spec={spec} />
        <Evidence answer={answer} found={found} />
        <ToPaste toType={answer.settingToType} />
      </div>
      <div className="grid gap-x-6 gap-y-4 px-4 py-3 lg:grid-cols-2">
        <SettingCurve found={found} spec={spec} />
        <SettingsTable found={found} spec={spec} />
      </div>
      <AssumedTable found={found} spec={spec} />
      <div className="flex flex-col gap-1.5 border-t border-line px-4 py-3 text-sm text-t2">
        <OtherSavings found={found} />
        <p>{t("fixed")}</p>
        {found.by !== "neededAgain" && <p>{t("noLoss")}</p>}
        {found.lowerBounds > 0 && <p>{t("lowerBounds", { count: found.lowerBounds })}</p>}
        {found.by === "cost" && <p>{t("listPrices")}</p>}
        <Unaffected found={found} answer={answer} />
      </div>
    </article>
  );
}

function Missing({ found, spec }: Pick<AdviceCardProps, "found" | "spec">) {
  const t = useTranslations("insights");
  const words = useAdviceWords();
  return (
    <ul className="mt-1 list-disc pl-5 text-sm" data-testid="missing">
      {missingOf(found).map(({ under, missing }) => (
        <li key={`${under} ${missing}`}>
          {/* Both come from the contract, which the compiler sees as plain texts here. */}
          {t(`missing.${missing}` as "missing.sessions")}
          {under !== "as-set" && `, ${t(`under.${under}` as "under.5m", { model: "" })}`}
        </li>
      ))}
      <li className="text-t2">
        {t("advice.bestOfAll", {
          setting: words.set(spec, found.advice.set),
          saving: words.saving(found.advice.saving),
        })}
      </li>
    </ul>
  );
}

function Thrash({ found, spec }: Pick<AdviceCardProps, "found" | "spec">) {
  const t = useTranslations("insights.advice");
  const words = useAdviceWords();
  if (found.thrashing === 0) return null;
  const { thrashing: count, sessions } = found;
  return (
    <p className="mt-1 text-sm" data-testid="thrashing">
      {t("thrash", { setting: words.set(spec, found.advice.set), count, sessions })}
    </p>
  );
}

/** One sentence of the reasons: the parts of the difference. */
function Because({ found }: Pick<AdviceCardProps, "found">) {
  const t = useTranslations("insights.advice");
  const format = useFormat();
  const parts = becauseParts(found);
  if (parts.length === 0) return null;
  return (
    <p className="mt-1 text-sm" data-testid="because">
      {t("because", {
        parts: format.list(parts.map(({ part, usd }) => `${t(`part.${part}`)} ${format.usdDifference(usd)}`)),
      })}
    </p>
  );
}

/** Actions of the best setting in pauses: idle compactions after which a session never continued are pure cost. */
export function Pauses({
  found: { pauses, advice },
  spec,
}: {
  readonly found: Pick<Found, "pauses" | "advice">;
  readonly spec: NumberSpec;
}) {
  const t = useTranslations("insights.advice");
  const words = useAdviceWords();
  const format = useFormat();
  if (pauses === null || pauses.idle + pauses.keepAliveRequests === 0) return null;
  return (
    <p className="mt-1 text-sm" data-testid="acted-pauses">
      {t("pauses", {
        setting: words.set(spec, advice.set),
        idle: pauses.idle,
        unused: pauses.unusedIdle,
        share: format.percent(pauses.idle === 0 ? 0 : pauses.unusedIdle / pauses.idle),
        requests: pauses.keepAliveRequests,
        keepAlive: format.usdListed(pauses.keepAliveUsd),
        usd: format.usdListed(pauses.unusedUsd),
      })}
    </p>
  );
}

function Evidence({ answer: { asked }, found }: Pick<AdviceCardProps, "answer" | "found">) {
  const t = useTranslations("insights.advice");
  const { sessions, projects, crossing, seed } = found;
  return (
    <p className="mt-1 text-sm text-t2" data-testid="evidence">
      {t("evidence", { sessions, projects, crossing, seed: String(seed), digest: asked.digest })} {t("heldOut")}
    </p>
  );
}

/** The setting of the real agent, under each window of the sessions. */
function ToPaste({ toType }: { readonly toType: AdviceAnswer["settingToType"] }) {
  const t = useTranslations("insights.advice");
  const format = useFormat();
  if (toType.length === 0) return null;
  return (
    <div className="mt-1 text-sm">
      {toType.map(({ window, lines }) => (
        <PasteLines
          key={window}
          window={window}
          lines={lines.map(lineOf)}
          {...(toType.length === 1 ? {} : { label: t("pasteUnder", { window: format.short(window) }) })}
        />
      ))}
    </div>
  );
}

function lineOf({ key, text, file, source, reaches }: SettingLineWire): SettingLine {
  return {
    key,
    ...(text === null ? {} : { text }),
    ...(file === null ? {} : { file }),
    ...(source === null ? {} : { source }),
    ...(reaches === undefined ? {} : { reaches }),
  };
}

function OtherSavings({ found: { whatIf, sessions: all } }: Pick<AdviceCardProps, "found">) {
  const t = useTranslations("insights.advice");
  const format = useFormat();
  if (whatIf === null) return null;
  const { beforeBreaks, lifetimes: ttls } = whatIf;
  const known = (of: number) => (of < all ? t("knownOf", { known: of, all }) : "");
  const saved = {
    known: known(beforeBreaks.sessions),
    usd: format.usd(Math.abs(beforeBreaks.savedUsd)),
    pauses: beforeBreaks.pauses,
  };
  return (
    <>
      {beforeBreaks.pauses > 0 && <p>{t(beforeBreaks.savedUsd < 0 ? "breaksDearer" : "breaksCheaper", saved)}</p>}
      {ttls.sessions > 0 && (
        <p>
          {t("lifetimes", {
            short: format.usd(ttls.shortUsd),
            long: format.usd(ttls.longUsd),
            known: known(ttls.sessions),
          })}
        </p>
      )}
    </>
  );
}

/** The sessions that no setting changes, and those that could not be replayed. */
function Unaffected({ found, answer }: Pick<AdviceCardProps, "found" | "answer">) {
  const t = useTranslations("insights.advice");
  const { leftOut, asked } = answer;
  const ids = [
    ...found.unaffected.map((id) => [id, ""] as const),
    ...leftOut.map(({ session, why }) => [session, t(`why.${why}`)] as const),
  ];
  if (ids.length === 0) return null;
  return (
    <details>
      <summary>
        {t("apart", { unaffected: found.unaffected.length, leftOut: leftOut.length, asked: asked.ids.length })}
      </summary>
      <UnpricedOf answer={answer} />
      <SessionLinks sessions={ids} />
    </details>
  );
}

/** The models without a price, of sessions without a cost. */
function UnpricedOf({ answer: { leftOut } }: Pick<AdviceCardProps, "answer">) {
  return <UnpricedModels models={leftOut.flatMap(({ unpricedModels = [] }) => unpricedModels)} className="text-sm" />;
}

interface AdviceControlsProps {
  readonly setup: AdviceSetup;
  readonly params: { readonly small: AdvisedBy; readonly seed: number };
  readonly set: SetValues<typeof INSIGHTS_PARSERS>;
}

/** The policy, the setting with its range, the metric to minimise, and the folded seed. */
function AdviceControls({ setup, params: { small, seed }, set }: AdviceControlsProps) {
  const t = useTranslations("insights.advice");
  const ts = useTranslations("sweep.controls");
  const words = usePolicyWords();
  const { by } = useAdviceWords();
  const id = useId();
  const { policy, preset, axis, offered, problem } = setup;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Choice
        label={t("policy")}
        value={policy.id}
        options={advisedPolicies().map((one) => [one.id, words.policy(one)] as const)}
        onChange={(next) => void set({ policy: next, preset: null, vary: null })}
        className="w-44"
        testId="advice-policy"
      />
      {policy.presets.length > 1 && (
        <Choice
          label={t("preset")}
          value={preset}
          options={policy.presets.map((one) => [one, words.preset(one, policy)] as const)}
          onChange={(next) => void set({ policy: policy.id, preset: next, vary: null })}
          className="w-56"
        />
      )}
      <Choice
        label={t("setting")}
        value={axis?.spec.key}
        options={offered.map((spec) => [spec.key, words.setting(spec)] as const)}
        onChange={(key) => {
          const range = rangeOf(setup, key);
          if (range !== undefined) void set({ vary: [range] });
        }}
        className="w-52"
        testId="advice-setting"
      />
      {axis !== undefined && <RangeFields {...axis} onRange={(range) => void set({ vary: [range] })} />}
      <ToggleGroup
        label={t("by")}
        value={small}
        options={ADVISED_BY.map((one) => [one, by(one)] as const)}
        onChange={(value) => void set({ small: value })}
      />
      <details className="text-sm">
        <summary className="text-t2">{t("advanced")}</summary>
        <label htmlFor={`${id}-seed`} className="mr-1.5 text-t2">
          {t("seed")}
        </label>
        <NumberField
          id={`${id}-seed`}
          value={seed}
          changed={false}
          limits={{ min: 0, max: 999_999_999, whole: true }}
          parse={(text) => (/^\d{1,9}$/u.test(text.trim()) ? Number(text) : undefined)}
          onValue={(value) => void set({ seed: value })}
        />
      </details>
      {problem !== undefined && (
        <p role="alert" className="w-full text-xs text-danger">
          {ts(`problem.${problem}`, { most: MAX_VALUES })}
        </p>
      )}
    </div>
  );
}
