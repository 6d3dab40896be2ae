import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from "@/components/ui/dialog";
import { loadedLater } from "@/components/ui/loaded-later";
import type { SessionAnswer } from "@/lib/api/types";

const form = loadedLater(() => import("./export-form"));

/** Saves the session in another form; with texts only after what is masked in them was shown. */
export function ExportButton({ answer }: { readonly answer: SessionAnswer }) {
  const t = useTranslations("session.exporting");
  const [open, setOpen] = useState(false);
  const module = form.useModule(open);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="md" aria-label={t("title")}>
          <Download aria-hidden />
          <span className="max-md:hidden">{t("open")}</span>
        </Button>
      </DialogTrigger>
      <DialogContent className="flex flex-col" data-testid="export-dialog">
        <DialogTitle>{t("title")}</DialogTitle>
        <DialogDescription className="text-sm">{t("note")}</DialogDescription>
        {open && module !== undefined && <module.ExportForm answer={answer} onDone={() => setOpen(false)} />}
      </DialogContent>
    </Dialog>
  );
}
