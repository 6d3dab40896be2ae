import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { Dialog, DialogTrigger, SheetContent, SheetTitle } from "@/components/ui/dialog";
import { useReplay, useReplayActions, useSession, useView, useViewActions } from "../shared/state/stores";
import { ReplayPanel } from "./replay-panel";

/** On narrow screens the panel is a bar at the bottom that opens as a sheet. */
export function ReplayBar() {
  const t = useTranslations("replay.panel");
  const words = usePolicyWords();
  const format = useFormat();
  const { choice, simulated, threshold } = useReplay("choice", "simulated", "threshold");
  const { reset } = useReplayActions();
  const { recorded } = useSession("recorded");
  const { isSheetOpen } = useView("isSheetOpen");
  const { setSheetOpen } = useViewActions();
  return (
    <div
      data-tour="policy"
      data-replay-bar=""
      data-pinned=""
      className="sticky bottom-0 z-30 flex items-center gap-3 border-t border-line bg-panel px-4 py-2 lg:hidden"
    >
      <div className="min-w-0 grow">
        <p className="truncate font-semibold">
          {t("barTitle", { policy: words.policy(choice.policy), preset: words.preset(choice.preset) })}
        </p>
        <p className="truncate text-sm text-t2">
          {threshold !== undefined && `${t("barTrigger", { tokens: format.short(threshold) })} · `}
          {t("barCompactions", { recorded: recorded.compactions.length, simulated: simulated.compactions.length })}
        </p>
      </div>
      <Dialog open={isSheetOpen} onOpenChange={setSheetOpen}>
        <DialogTrigger asChild>
          <Button size="md">{t("adjust")}</Button>
        </DialogTrigger>
        <SheetContent aria-describedby={undefined}>
          <div className="flex h-12 items-center gap-2 border-b border-line px-4">
            <SheetTitle className="pr-0">{t("title")}</SheetTitle>
            <Button variant="ghost" onClick={reset} className="mr-10 ml-auto">
              {t("reset")}
            </Button>
          </div>
          <ReplayPanel />
        </SheetContent>
      </Dialog>
    </div>
  );
}
