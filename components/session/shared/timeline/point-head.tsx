import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Term } from "@/components/glossary/term";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { KindChip } from "@/components/ui/chip";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { useReplay, useSession, useView, useViewActions } from "../state/stores";
import { pointedRequest } from "../state/view";

interface PointHeadProps {
  /** The context at the current request; `null` if its size is unknown. */
  readonly tokens: number | null;
  readonly window: number;
  readonly kind: "measured" | "estimated";
}

/** The context at the current request, buttons to its neighbours, and the choice between recorded and simulated. */
export function PointHead({ tokens, window, kind }: PointHeadProps) {
  const t = useTranslations("session.composition");
  const common = useTranslations("common.kind");
  const words = usePolicyWords();
  const format = useFormat();
  const { points } = useSession("points");
  const at = useView(pointedRequest);
  const choice = useReplay(({ chosen }) => chosen);
  const { side } = useView("side");
  const { setSide } = useViewActions();
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
      <Stepper />
      {tokens === null ? (
        <span className="font-semibold" data-testid="composition-total">
          {t("noTotal", { window: format.count(window) })}
        </span>
      ) : (
        <>
          <span className="text-xl font-semibold" data-testid="composition-total">
            {format.count(tokens)}
          </span>
          <span className="text-t2">
            {t("ofWindow", { window: format.count(window), share: format.percent(tokens / window, 1) })}
          </span>
        </>
      )}
      <Term id={kind === "measured" ? "recorded" : "estimated"}>
        <KindChip kind={kind} label={common(kind)} />
      </Term>
      <span className="grow text-sm text-t2">{t("atRequest", { request: at, last: points - 1 })}</span>
      <ToggleGroup
        label={t("show")}
        value={side}
        options={[
          ["recorded", t("recorded")],
          ["policy", words.policy(choice.policy)],
        ]}
        onChange={setSide}
      />
    </div>
  );
}

/** Buttons that step back and forth by one request. */
export function Stepper() {
  const t = useTranslations("session.composition");
  const { points } = useSession("points");
  const at = useView(pointedRequest);
  const { pin } = useViewActions();
  return (
    <span className="flex gap-1">
      <Button size="icon" aria-label={t("previous")} disabled={at <= 0} onClick={() => pin(at - 1)}>
        <ChevronLeft aria-hidden />
      </Button>
      <Button size="icon" aria-label={t("next")} disabled={at >= points - 1} onClick={() => pin(at + 1)}>
        <ChevronRight aria-hidden />
      </Button>
    </span>
  );
}
