"use client";

import { useEffect, useState } from "react";
import type { DropzoneRootProps } from "react-dropzone";
import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";

/** Covers the page while files are dragged over it, and accepts them. */
export function DropOverlay({ rootProps }: { readonly rootProps: DropzoneRootProps }) {
  const t = useTranslations("sessions.drop");
  const dragging = useFileDrag();
  return (
    <div
      {...rootProps}
      className={cn(
        "fixed inset-0 z-50 grid place-items-center bg-bg/85 shadow-[inset_0_0_0_2px_var(--accent)]",
        !dragging && "hidden",
      )}
    >
      <div className="pointer-events-none text-center">
        <p className="text-xl font-semibold">{t("over")}</p>
        <p className="text-t2">{t("overNote")}</p>
      </div>
    </div>
  );
}

/** Whether files are being dragged over the window. */
function useFileDrag(): boolean {
  const [dragging, setDragging] = useState(false);
  useEffect(() => {
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent) => holdsFiles(event) && setDragging(true);
    // On leaving one element for another, the event names the other; on leaving the window it names nothing.
    const leave = (event: DragEvent) => event.relatedTarget === null && setDragging(false);
    const end = () => setDragging(false);
    // A file that is dropped just beside the overlay must not replace the page.
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
