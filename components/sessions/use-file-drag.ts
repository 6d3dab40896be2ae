import { useEffect, useState } from "react";

/** Whether files are being dragged over the window; `undefined` until that happens for the first time. */
export function useFileDrag(): boolean | undefined {
  const [dragging, setDragging] = useState<boolean>();
  useEffect(() => {
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent) => holdsFiles(event) && setDragging(true);
    // On leaving one element for another, the event names the other; on leaving the window it names nothing.
    const leave = (event: DragEvent) => event.relatedTarget === null && setDragging(false);
    const end = () => setDragging((was) => was && false);
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
