import { CircleHelp } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useShortcuts } from "@/components/hooks/use-shortcuts";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import { KEYBOARD_MAP } from "./keyboard-map";

/** Lists every key; opened with `?`. */
export function HelpDialog() {
  const t = useTranslations("common.help");
  const [open, setOpen] = useState(false);
  useShortcuts({ "?": () => setOpen(true) });
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={t("label")} aria-keyshortcuts="?">
          <CircleHelp aria-hidden />
        </Button>
      </DialogTrigger>
      <DialogContent>
        <DialogTitle>{t("title")}</DialogTitle>
        <DialogDescription>{t("about")}</DialogDescription>
        <div className="mt-4 grid gap-x-8 gap-y-4 sm:grid-cols-2 sm:[&>:last-child]:col-start-2 sm:[&>:last-child]:row-span-2 sm:[&>:last-child]:row-start-1">
          {KEYBOARD_MAP.map(({ title, keys }) => (
            <section key={title} aria-label={t(title)}>
              <h3 className="mb-1 text-xs font-medium text-t3">{t(title)}</h3>
              <dl>
                {keys.map(({ does, press }) => (
                  <div key={does} className="flex min-h-7 items-center justify-between gap-4 border-b border-line py-1">
                    <dt className="text-t2">{t(does)}</dt>
                    <dd className="flex shrink-0 gap-1">
                      {press.map((key) => (
                        <Kbd key={key}>{key}</Kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </DialogContent>
    </Dialog>
  );
}
