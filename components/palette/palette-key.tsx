import { type ComponentType, type LazyExoticComponent, Suspense, useEffect, useState } from "react";

export interface OpenPaletteProps {
  readonly onClose: () => void;
}

const OPEN = "context-replay:palette";

/** Opens the palette of the page, as its key does. */
export function openPalette(): void {
  window.dispatchEvent(new Event(OPEN));
}

interface PaletteKeyProps {
  /** The page's palette; its code is loaded when it is first opened. */
  readonly palette: LazyExoticComponent<ComponentType<OpenPaletteProps>>;
}

/** Opens and closes a palette by Ctrl-K or ⌘K, from any field too. */
export function PaletteKey({ palette: Palette }: PaletteKeyProps) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onOpen = () => setOpen(true);
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setOpen((last) => !last);
    };
    window.addEventListener(OPEN, onOpen);
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener(OPEN, onOpen);
      window.removeEventListener("keydown", onKey);
    };
  }, []);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <Palette onClose={() => setOpen(false)} />
    </Suspense>
  );
}
