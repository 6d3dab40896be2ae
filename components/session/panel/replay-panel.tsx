import { useQuery } from "@tanstack/react-query";
import { Pin, Plus, RotateCcw } from "lucide-react";
import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import { SettingRows, type StatedSettings } from "@/components/settings/setting-rows";
import { Button } from "@/components/ui/button";
import { Choice } from "@/components/ui/choice";
import { Input } from "@/components/ui/input";
import { isSharedKey } from "@/lib/core/compaction/policy/pause-settings";
import { ask } from "@/lib/queries/client/client";
import { placesOfKnown, runOf, runText, useAddedRuns } from "../shared/runs/run-param";
import { FIXED_RUNS, runStyle } from "../shared/runs/run-style";
import { settingsInAddress, useCurrentSettings } from "../shared/runs/use-current-settings";
import { WindowField } from "../shared/runs/window-field";
import { type ReplayChoice, withSettings } from "../shared/state/replay-choice";
import { useReplay, useReplayActions, useSession, useView, useViewActions } from "../shared/state/stores";
import { TTL_CHOICES } from "../shared/state/url-state";
import { CountingChoice, PolicyChoice } from "./policy-choice";
import { Results } from "./results";

/** The replay panel: policy, settings, estimator, prices, and results. The rows are made from the policy's own settings. */
export function ReplayPanel() {
  return (
    <>
      <div className="shrink-0 grow">
        <PolicyChoice />
        <Settings />
        <CountingChoice />
        <PriceChoice />
        <FirstOrder />
      </div>
      <div className="shrink-0 in-sight-in-panel" data-pinned="">
        <Results />
        <AddToCompare />
      </div>
    </>
  );
}

/** Title and reset button. */
export function ReplayHead() {
  const t = useTranslations("replay.panel");
  const { reset } = useReplayActions();
  return (
    <div className="flex h-9 shrink-0 items-center justify-between border-b border-line pr-2 pl-4">
      <h2 className="font-semibold">{t("title")}</h2>
      <Button variant="ghost" onClick={reset}>
        <RotateCcw aria-hidden />
        {t("reset")}
      </Button>
    </div>
  );
}

/** Limits of every replay: scrolls with the settings, which need the height more. */
function FirstOrder() {
  const t = useTranslations("replay.results");
  return <p className="border-t border-line px-4 py-3 text-sm text-t3">{t("firstOrder")}</p>;
}

function Settings() {
  const choice = useReplay(({ asked }) => asked);
  const { setSetting } = useReplayActions();
  const stated = useCurrentSettings(choice);
  if (choice.policy.id === "recorded") return null;
  return (
    <div className="border-t border-line px-4 py-1">
      <WindowField />
      <YourSettings choice={choice} stated={stated} />
      <SettingRows choice={choice} stated={stated} onChange={setSetting} />
    </div>
  );
}

interface YourSettingsProps {
  readonly choice: ReplayChoice;
  readonly stated: StatedSettings;
}

/** Applies the settings of the real agent: the values in the user's files, and the documented value of every other setting. */
function YourSettings({ choice, stated }: YourSettingsProps) {
  const t = useTranslations("replay.panel.yours");
  const { setOwn } = useReplayActions();
  if (stated.size === 0) return null;
  const values = settingsInAddress(choice.specs, stated);
  const inForce = withSettings(choice, values).settings;
  const isInForce = choice.specs.every(({ key }) => isSharedKey(key) || choice.settings[key] === inForce[key]);
  return (
    <Button disabled={isInForce} title={t("useNote")} onClick={() => setOwn(values)} data-testid="your-settings">
      {t(isInForce ? "allInForce" : "use")}
    </Button>
  );
}

/** Days whose prices can be selected, besides a day in the address. */
const PRICE_DATES = ["recorded", "today"] as const;

/** Selects the prices: their day, the cache TTL, and the model whose prices apply. */
function PriceChoice() {
  const t = useTranslations("replay.prices");
  const { ttl, priceDate } = useReplay(({ askedPrices }) => askedPrices);
  const { setPrices } = useReplayActions();
  const dates = PRICE_DATES.map((date): [string, string] => [date, t(`date.${date}`)]);
  const day: [string, string][] = dates.some(([date]) => date === priceDate) ? [] : [[priceDate, priceDate]];
  return (
    <div className="grid grid-cols-2 gap-x-2 gap-y-1.5 border-t border-line px-4 py-3" data-testid="price-choice">
      <p className="col-span-2 text-sm text-t2">{t("title")}</p>
      <Choice
        label={t("date.label")}
        value={priceDate}
        options={[...dates, ...day]}
        onChange={(date) => setPrices({ priceDate: date })}
      />
      <Choice
        label={t("ttl.label")}
        value={ttl}
        options={TTL_CHOICES.map((one) => [one, t(`ttl.${one}`)])}
        onChange={(chosen) => setPrices({ ttl: chosen })}
      />
      <ModelField />
    </div>
  );
}

/** The model that all requests are priced as; if empty, each request's own. The list of models is fetched on first use of the field. */
function ModelField() {
  const t = useTranslations("replay.prices");
  const id = useId();
  const { answer } = useSession("answer");
  const { missing, askedPrices } = useReplay("missing", "askedPrices");
  const { on } = askedPrices;
  const { setPrices } = useReplayActions();
  const [isWanted, setWanted] = useState(false);
  const list = useQuery({
    queryKey: ["prices", null],
    queryFn: ({ signal }) => ask("prices", {}, signal),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  /** Typed text that is not selected yet. */
  const [typed, setTyped] = useState<string>();
  const choose = () => {
    if (typed === undefined) return;
    setTyped(undefined);
    setPrices({ on: typed.trim() || null });
  };
  return (
    <>
      <Input
        aria-label={t("on.label")}
        placeholder={t("on.own")}
        value={typed ?? on ?? ""}
        list={id}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={missing !== undefined && !missing.isLoading}
        onFocus={() => setWanted(true)}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={choose}
        onKeyDown={({ key }) => {
          if (key === "Enter") choose();
        }}
        className="col-span-2"
      />
      <datalist id={id}>
        {(list.data?.models ?? Object.keys(answer.prices)).map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      <div className="col-span-2 min-h-4 text-sm text-t3" aria-live="polite" data-testid="price-remark">
        <Remark />
      </div>
    </>
  );
}

function Remark() {
  const t = useTranslations("replay.prices");
  const { missing, terms } = useReplay("missing", "terms");
  if (missing !== undefined) {
    const key = missing.isLoading ? "on.loading" : missing.hasFailed ? "on.failed" : "on.unknown";
    return <p className={missing.isLoading ? undefined : "text-danger"}>{t(key, { model: missing.model })}</p>;
  }
  return <p>{terms.on === undefined ? t("list") : t("on.tokenizer", { model: terms.on })}</p>;
}

/**
 * Adds the replay panel's policy, with its current settings, to the comparison. The panel's policy is always compared as B; this
 * freezes its settings under the next letter, so that later changes can be compared with them. Equal settings are added once.
 */
function AddToCompare() {
  const t = useTranslations("compare.runs");
  const { choice } = useReplay("choice");
  const { runs, add, canAdd } = useAddedRuns();
  const { tab } = useView("tab");
  const { setTab } = useViewActions();
  if (choice.policy.id === "recorded") return null;
  const run = runOf(choice);
  const frozen = runs.findIndex((one) => runText(one) === runText(run));
  const isCompared = tab === "compare";
  const places = placesOfKnown(runs);
  const { letter } = runStyle(FIXED_RUNS + (frozen === -1 ? places.length : places.indexOf(frozen)));
  const note = isCompared ? t("freezeNote", { letter }) : undefined;
  const Icon = isCompared ? Pin : Plus;
  return (
    <div className="border-t border-line px-4 py-2">
      <Button
        size="md"
        className="w-full"
        disabled={isCompared ? frozen !== -1 || !canAdd : frozen === -1 && !canAdd}
        title={canAdd ? note : t("full")}
        onClick={() => {
          if (frozen === -1) add(run);
          setTab("compare");
        }}
      >
        <Icon aria-hidden />
        {isCompared ? t(frozen === -1 ? "freeze" : "frozen", { letter }) : t("addCurrent")}
      </Button>
    </div>
  );
}
