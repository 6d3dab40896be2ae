import { useCallback, useState } from "react";
import { useDropzone } from "react-dropzone";
import { useTranslations } from "use-intl";
import { SessionScreen } from "@/components/session/session-screen";
import { Button } from "@/components/ui/button";
import { handOver } from "./transport";

/** Takes a recording or a bundle by drop or from a dialog, and shows its session. Another one may be dropped at any time. */
export function Start() {
  const t = useTranslations("common.page");
  const [id, setId] = useState<string>();
  const onDrop = useCallback(async ([file]: File[]) => {
    if (file !== undefined) setId(await handOver(file));
  }, []);
  const { getRootProps, getInputProps, open, isDragActive } = useDropzone({
    onDrop,
    multiple: false,
    noClick: true,
    noKeyboard: true,
  });
  return (
    <div {...getRootProps()} className="flex min-h-dvh flex-col">
      <input {...getInputProps()} aria-label={t("choose")} />
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line px-4">
        <span className="font-semibold">{t("product")}</span>
        <span className="grow truncate text-sm text-t2">{t("local")}</span>
        {id !== undefined && <Button onClick={open}>{t("another")}</Button>}
      </header>
      {id === undefined ? (
        <main id="content" className={`grid grow place-items-center p-6 ${isDragActive ? "bg-sunk" : ""}`}>
          <div className="max-w-xl text-center">
            <h1 className="text-lg font-semibold">{t("title")}</h1>
            <p className="mt-2 text-t2">{t("body")}</p>
            <Button variant="primary" className="mt-4" onClick={open}>
              {t("choose")}
            </Button>
          </div>
        </main>
      ) : (
        <SessionScreen key={id} id={id} />
      )}
    </div>
  );
}
