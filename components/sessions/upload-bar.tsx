"use client";

import { TriangleAlert } from "lucide-react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { ApiError } from "@/lib/api/requests";
import type { Upload, UploadState } from "./use-upload";

interface UploadBarProps {
  readonly upload: Upload;
  readonly onChoose: () => void;
}

/** A file being sent; if that failed, why, and what can be done about it. */
export function UploadBar({ upload, onChoose }: UploadBarProps) {
  const t = useTranslations("sessions.upload");
  if (upload.state === null) return null;
  return (
    <section aria-label={t("label")} className="border-b border-line px-4 py-2">
      {upload.error === null ? (
        <UploadProgress state={upload.state} onCancel={upload.cancel} />
      ) : (
        <UploadFailure upload={upload} name={upload.state.name} error={upload.error} onChoose={onChoose} />
      )}
    </section>
  );
}

function UploadProgress({ state, onCancel }: { readonly state: UploadState; readonly onCancel: () => void }) {
  const t = useTranslations("sessions.upload");
  const tc = useTranslations("common.action");
  const format = useFormat();
  const { name, sent, total, index, count } = state;
  const progress = t("progress", {
    sent: format.bytes(sent),
    total: format.bytes(total),
    percent: format.percent(total === 0 ? 1 : sent / total),
  });
  const arrived = sent >= total;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span className="max-w-full truncate font-medium">{t("sending", { name })}</span>
      {count > 1 && <span className="text-sm text-t2">{t("several", { index, count })}</span>}
      <Progress
        value={sent}
        max={total}
        label={t("sending", { name })}
        valueText={progress}
        className="w-60 max-sm:w-full"
      />
      <span className="text-sm text-t2">{progress}</span>
      <div className="grow" />
      {arrived ? (
        <span className="text-sm text-t2">{t("finishing")}</span>
      ) : (
        <Button onClick={onCancel}>{tc("cancel")}</Button>
      )}
    </div>
  );
}

interface UploadFailureProps extends UploadBarProps {
  readonly name: string;
  readonly error: Error;
}

function UploadFailure({ upload, name, error, onChoose }: UploadFailureProps) {
  const t = useTranslations("sessions.upload");
  const reason = useFailureReason();
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <TriangleAlert aria-hidden className="size-4 shrink-0 text-danger" />
      <div className="min-w-0 grow basis-60">
        <p className="font-medium [overflow-wrap:anywhere]">{t("failed", { name })}</p>
        <p className="text-sm text-t2 [overflow-wrap:anywhere]">{reason(error)}</p>
      </div>
      <div className="flex gap-2">
        <Button onClick={onChoose}>{t("another")}</Button>
        <Button variant="ghost" onClick={upload.dismiss}>
          {t("dismiss")}
        </Button>
      </div>
    </div>
  );
}

function useFailureReason(): (error: Error) => string {
  const t = useTranslations("sessions.upload");
  const errorText = useErrorText();
  return (error) => {
    if (!(error instanceof ApiError)) return errorText(error);
    if (error.status === 413) return [error.detail, t("tooLarge")].filter(Boolean).join(" ");
    return error.kind === "unreadable" ? t("unknown", { status: error.status }) : errorText(error);
  };
}
