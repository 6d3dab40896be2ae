"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useTranslations } from "use-intl";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { deleteUpload } from "@/lib/api/client";
import type { RowView } from "./row-view";
import { SESSIONS_KEY } from "./use-session-list";

interface RemoveUploadProps {
  readonly row: Pick<RowView, "id" | "title">;
  /** Called when the file is gone. */
  readonly onRemoved: () => void;
}

/** Removes a file that was sent here, after a question: no other copy of it may be left. */
export function RemoveUpload({ row: { id, title }, onRemoved }: RemoveUploadProps) {
  const t = useTranslations("sessions.upload");
  const errorText = useErrorText();
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteUpload(id),
    onSuccess: () => {
      onRemoved();
      return client.invalidateQueries({ queryKey: SESSIONS_KEY });
    },
  });
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button
          variant="ghost"
          size="tiny"
          className="relative z-1"
          aria-label={t("remove", { title })}
          title={t("remove", { title })}
        >
          <Trash2 aria-hidden />
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" aria-label={t("remove", { title })} className="w-72 p-3">
        <p className="text-sm">{t("removeQuestion")}</p>
        {error !== null && (
          <p role="alert" className="mt-1 text-sm text-danger">
            {errorText(error)}
          </p>
        )}
        <Button className="mt-2" disabled={isPending} onClick={() => mutate()}>
          {t("removeNow")}
        </Button>
      </PopoverContent>
    </Popover>
  );
}
