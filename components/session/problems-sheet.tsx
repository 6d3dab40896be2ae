import { lazy, type ReactNode, Suspense } from "react";
import { useTranslations } from "use-intl";
import { Dialog, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from "@/components/ui/dialog";
import type { SessionSummary } from "@/lib/api/types";

const Problems = lazy(async () => ({ default: (await import("./problems")).Problems }));

interface ProblemsSheetProps {
  readonly summary: SessionSummary;
  /** The button that opens the sheet. */
  readonly children: ReactNode;
}

/** A sheet that says what could not be read, and what was odd but read all the same. */
export function ProblemsSheet({ summary, children }: ProblemsSheetProps) {
  const t = useTranslations("session.problems");
  return (
    <Dialog>
      <DialogTrigger asChild>{children}</DialogTrigger>
      <DialogContent>
        <DialogTitle>{t("title")}</DialogTitle>
        <DialogDescription>{t("about")}</DialogDescription>
        <Suspense>
          <Problems summary={summary} />
        </Suspense>
      </DialogContent>
    </Dialog>
  );
}
