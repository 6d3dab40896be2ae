"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/status";
import { ApiError } from "@/lib/queries/client/api-error";
import { ask, type UploadOptions, uploadFile } from "@/lib/queries/client/client";
import { SESSIONS_KEY } from "./use-session-list";

interface UploadBarProps {
  readonly upload: Upload;
  readonly onChoose: () => void;
}

/** The file being sent; after several files, how many were opened and why the others were not. */
export function UploadBar({ upload, onChoose }: UploadBarProps) {
  const t = useTranslations("sessions.upload");
  const { state, results } = upload;
  if (state === null && results === null) return null;
  const [only, ...others] = results ?? [];
  return (
    <section aria-label={t("label")} className="border-b border-line px-4 py-2">
      {state !== null ? (
        <UploadProgress state={state} onCancel={upload.cancel} />
      ) : only?.error != null && others.length === 0 ? (
        <UploadFailure upload={upload} name={only.name} error={only.error} onChoose={onChoose} />
      ) : (
        <UploadResults results={results ?? []} onDismiss={upload.dismiss} />
      )}
    </section>
  );
}

interface UploadResultsProps {
  readonly results: readonly UploadResult[];
  readonly onDismiss: () => void;
}

function UploadResults({ results, onDismiss }: UploadResultsProps) {
  const t = useTranslations("sessions.upload");
  const reason = useFailureReason();
  const failed = results.flatMap(({ name, error }) => (error === null ? [] : [{ name, error }]));
  return (
    <div role="status" className="flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="min-w-0 grow basis-60">
        <p className="font-medium">{t("result", { opened: results.length - failed.length, failed: failed.length })}</p>
        <ul className="max-h-32 overflow-y-auto text-sm text-t2 [overflow-wrap:anywhere]">
          {failed.map(({ name, error }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may share a name
            <li key={place}>{t("why", { name, reason: reason(error) })}</li>
          ))}
        </ul>
      </div>
      <Button variant="ghost" onClick={onDismiss}>
        {t("dismiss")}
      </Button>
    </div>
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

interface UploadState {
  readonly name: string;
  readonly sent: number;
  readonly total: number;
  /** The number of the file among those to send, counted from 1. */
  readonly index: number;
  readonly count: number;
}

interface UploadResult {
  readonly name: string;
  /** The session's id; empty if the file was refused. */
  readonly id: string;
  /** Reason why the file was refused, or is not a transcript. */
  readonly error: Error | null;
}

interface Upload {
  readonly state: UploadState | null;
  /** One result per file, once all were sent; `null` before, and after a single opened file. */
  readonly results: readonly UploadResult[] | null;
  readonly start: (files: readonly File[]) => void;
  readonly cancel: () => void;
  readonly dismiss: () => void;
}

/** Sends files one after another. A single file is opened when it has arrived; several appear in the list. */
export function useUpload(): Upload {
  const router = useRouter();
  const client = useQueryClient();
  const [state, setState] = useState<UploadState | null>(null);
  const [results, setResults] = useState<readonly UploadResult[] | null>(null);
  const abort = useRef<AbortController | null>(null);

  const mutation = useMutation({
    mutationFn: async (files: readonly File[]) => {
      abort.current = new AbortController();
      const { signal } = abort.current;
      const sent: UploadResult[] = [];
      setResults(null);
      for (const [position, file] of files.entries()) {
        const part = { name: file.name, total: file.size, index: position + 1, count: files.length };
        const onProgress = ({ sent }: { readonly sent: number }) => setState({ ...part, sent });
        onProgress({ sent: 0 });
        sent.push(await sendFile(file, { signal, onProgress, isRead: files.length > 1 }));
      }
      return sent;
    },
    onSuccess: (sent, files) => {
      if (files.length > 1 || sent.some(({ error }) => error !== null)) setResults(sent);
    },
    onSettled: async (sent, _, files) => {
      // The bar of a single file stays until its session is shown.
      if (files.length > 1 || sent?.[0]?.error !== null) setState(null);
      if (files.length > 1) await client.invalidateQueries({ queryKey: SESSIONS_KEY });
    },
  });

  return {
    state,
    results,
    start: (files) => {
      if (files.length === 0 || mutation.isPending) return;
      // Navigates only while the list is still shown: leaving it drops this callback.
      const open = ([only]: readonly UploadResult[]) => {
        if (only?.error === null) router.push(`/sessions/${encodeURIComponent(only.id)}`);
      };
      mutation.mutate(files, files.length === 1 ? { onSuccess: open } : {});
    },
    cancel: () => abort.current?.abort(),
    dismiss: () => setResults(null),
  };
}

interface SendOptions extends UploadOptions {
  /** Waits until the server has read the file, to know whether it is a transcript. */
  readonly isRead: boolean;
}

/** Sends one file. A refusal is part of the result; only a cancelled upload rejects. */
async function sendFile(file: File, { isRead, ...options }: SendOptions): Promise<UploadResult> {
  const { name } = file;
  let id = "";
  try {
    ({ id } = await uploadFile(file, options));
    if (isRead) await ask("session", { id }, options.signal);
    return { name, id, error: null };
  } catch (error) {
    if (!(error instanceof Error) || isCancelled(error)) throw error;
    return { name, id, error };
  }
}

function isCancelled(error: Error): boolean {
  return error.name === "AbortError";
}

/** True if files are being dragged over the window; `undefined` until that happens for the first time. */
export function useFileDrag(): boolean | undefined {
  const [dragging, setDragging] = useState<boolean>();
  useEffect(() => {
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent) => holdsFiles(event) && setDragging(true);
    // When the pointer moves to another element, the event names it; when it leaves the window, the event names none.
    const leave = (event: DragEvent) => event.relatedTarget === null && setDragging(false);
    const end = () => setDragging((was) => was && false);
    // A file dropped next to the overlay must not replace the page.
    const over = (event: DragEvent) => holdsFiles(event) && event.preventDefault();
    const drop = (event: DragEvent) => {
      if (holdsFiles(event)) event.preventDefault();
      end();
    };
    const stop = new AbortController();
    const { signal } = stop;
    window.addEventListener("dragenter", enter, { signal });
    window.addEventListener("dragover", over, { signal });
    window.addEventListener("dragleave", leave, { signal });
    window.addEventListener("dragend", end, { signal });
    window.addEventListener("drop", drop, { signal });
    return () => stop.abort();
  }, []);
  return dragging;
}
