"use client";

import { useMutation } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useTranslations } from "use-intl";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { steerIndexing } from "@/lib/api/client";

/** Has the server read every file again. */
export function IndexAgain() {
  const t = useTranslations("sessions.sources");
  const errorText = useErrorText();
  const again = useMutation({ mutationFn: () => steerIndexing("again") });
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2 border-t border-line px-1 pt-2">
      <Button onClick={() => again.mutate()} disabled={again.isPending}>
        <RotateCw aria-hidden />
        {t("again")}
      </Button>
      <span className="text-xs text-t3" role="status">
        {again.isError ? errorText(again.error) : again.isSuccess ? t("againBegun") : t("againNote")}
      </span>
    </div>
  );
}
