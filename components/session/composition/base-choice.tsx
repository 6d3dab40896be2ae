import { useTranslations } from "use-intl";
import { NumberField } from "@/components/settings/number-field";
import { usePolicyWords } from "@/components/settings/use-words";
import { Choice } from "@/components/ui/choice";
import { usePolicyChoice } from "../state/replay-data";
import { useSession } from "../state/session-data";
import { useView } from "../state/view";
import { useBase } from "./use-base";

/** Chooses what the shown context is compared with: another request, or the other context at the same one. */
export function BaseChoice() {
  const t = useTranslations("session.composition");
  const words = usePolicyWords();
  const { points } = useSession();
  const { side } = useView();
  const { policy } = usePolicyChoice();
  const { against, setAgainst, choices } = useBase();
  const other = side === "recorded" ? words.policy(policy) : t("recorded");
  const listed = choices.map(({ id, request }) => [String(request), t(`base.${id}`, { request })] as const);
  const isListed = typeof against !== "number" || choices.some(({ request }) => request === against);
  return (
    <span className="flex flex-wrap items-center gap-2">
      {against !== null && (
        <span aria-hidden className="text-sm text-t2">
          {t("difference")}
        </span>
      )}
      <Choice
        label={t("difference")}
        value={against === null ? "none" : String(against)}
        options={[
          ["none", t("base.none")],
          ["other", t("base.other", { other })],
          ...listed,
          ...(isListed ? [] : [[String(against), t("base.request", { request: against })] as const]),
        ]}
        onChange={(value) => setAgainst(value === "none" ? null : value === "other" ? value : Number(value))}
        testId="composition-base"
      />
      {typeof against === "number" && (
        <label htmlFor="composition-base-request" className="flex items-center gap-2 text-sm text-t2">
          {t("baseRequest")}
          <NumberField
            id="composition-base-request"
            value={against}
            changed={false}
            parse={(text) => (/^\d{1,9}$/.test(text) && Number(text) < points ? Number(text) : undefined)}
            onValue={setAgainst}
          />
        </label>
      )}
    </span>
  );
}
