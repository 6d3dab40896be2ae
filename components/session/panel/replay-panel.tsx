import { useQuery } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import { SettingRows } from "@/components/settings/setting-rows";
import { Button } from "@/components/ui/button";
import { Choice } from "@/components/ui/choice";
import { Input } from "@/components/ui/input";
import { getPrices } from "@/lib/api/client";
import { AddToCompare } from "../shared/runs/add-to-compare";
import { WindowField } from "../shared/runs/window-field";
import { useCosts, useCostTerms } from "../shared/state/cost-data";
import { useAskedChoice, useReplayActions } from "../shared/state/replay-data";
import { useSession } from "../shared/state/session-data";
import { LIFETIME_CHOICES } from "../shared/state/url-state";
import { PolicyChoice } from "./policy-choice";
import { Results } from "./results";

/** What is replayed, how it is counted, the settings to turn, and the results. The rows are made from the policy's own settings. */
export function ReplayPanel() {
  return (
    <>
      <div className="min-h-0 grow lg:min-h-96 lg:overflow-y-auto whole-below-pin">
        <PolicyChoice />
        <Settings />
        <PriceChoice />
        <FirstOrder />
      </div>
      <Results />
      <AddToCompare />
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

/** What no replay can know: it scrolls with the settings, which need the height more than it does. */
function FirstOrder() {
  const t = useTranslations("replay.results");
  return <p className="border-t border-line px-4 py-3 text-xs text-t3">{t("firstOrder")}</p>;
}

function Settings() {
  const choice = useAskedChoice();
  const { setSetting } = useReplayActions();
  if (choice.policy.id === "recorded") return null;
  return (
    <div className="border-t border-line px-4 py-2">
      <WindowField />
      <SettingRows choice={choice} onChange={setSetting} />
    </div>
  );
}

/** The day whose prices apply, besides a day that the address names. */
const PRICE_DATES = ["recorded", "today"] as const;

/** Selects how costs are priced: the day of the prices, how long a cache keeps what is written to it, and the model whose prices apply. */
function PriceChoice() {
  const t = useTranslations("replay.prices");
  const [{ ttl, priceDate }, update] = useCostTerms();
  const dates = PRICE_DATES.map((date): [string, string] => [date, t(`date.${date}`)]);
  const day: [string, string][] = dates.some(([date]) => date === priceDate) ? [] : [[priceDate, priceDate]];
  return (
    <div className="grid grid-cols-2 gap-x-2 gap-y-1.5 border-t border-line px-4 py-3" data-testid="price-choice">
      <p className="col-span-2 text-xs text-t2">{t("title")}</p>
      <Choice
        label={t("date.label")}
        value={priceDate}
        options={[...dates, ...day]}
        onChange={(date) => void update({ priceDate: date })}
      />
      <Choice
        label={t("ttl.label")}
        value={ttl}
        options={LIFETIME_CHOICES.map((one) => [one, t(`ttl.${one}`)])}
        onChange={(chosen) => void update({ ttl: chosen })}
      />
      <ModelField />
    </div>
  );
}

/** The model that all requests are priced as; empty, each is priced as its own model. The list of models is fetched when the field is first used. */
function ModelField() {
  const t = useTranslations("replay.prices");
  const id = useId();
  const { answer } = useSession();
  const { missing } = useCosts();
  const [{ on }, update] = useCostTerms();
  const [isWanted, setWanted] = useState(false);
  const list = useQuery({
    queryKey: ["prices", null],
    queryFn: ({ signal }) => getPrices(undefined, signal),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  /** What was typed and not chosen yet. */
  const [typed, setTyped] = useState<string>();
  const choose = () => {
    if (typed === undefined) return;
    setTyped(undefined);
    void update({ on: typed.trim() || null });
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
      <div className="col-span-2 min-h-4 text-xs text-t3" aria-live="polite" data-testid="price-remark">
        <Remark />
      </div>
    </>
  );
}

function Remark() {
  const t = useTranslations("replay.prices");
  const { missing, terms } = useCosts();
  if (missing !== undefined) {
    const key = missing.isLoading ? "on.loading" : missing.hasFailed ? "on.failed" : "on.unknown";
    return <p className={missing.isLoading ? undefined : "text-danger"}>{t(key, { model: missing.model })}</p>;
  }
  return <p>{terms.on === undefined ? t("list") : t("on.tokenizer", { model: terms.on })}</p>;
}
