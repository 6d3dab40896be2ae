import { Slot } from "radix-ui";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { loadedLater } from "./overlay";

interface TooltipProps {
  /** Text of the tooltip. It explains visible content; nothing necessary is shown only here. */
  readonly content: ReactNode;
  /** One element that takes a ref and can hold the focus. */
  readonly children: ReactNode;
}

const panel = loadedLater(() => import("./tooltip-panel"));

/** Delay before the tooltip appears, and before it closes, so that the pointer can reach it. */
const DELAY_MS = { open: 300, close: 150 };

/** A tooltip on hover and focus. */
export function Tooltip({ content, children }: TooltipProps) {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();
  const parts = panel.useModule(open);
  useEffect(() => () => clearTimeout(timer.current), []);
  const set = (next: boolean, after = 0): void => {
    clearTimeout(timer.current);
    if (after === 0) setOpen(next);
    else timer.current = setTimeout(() => setOpen(next), after);
  };
  return (
    <>
      <Slot.Root
        ref={anchor}
        aria-describedby={open && parts ? id : undefined}
        onPointerEnter={(event) => {
          panel.start();
          if (event.pointerType !== "touch") set(true, DELAY_MS.open);
        }}
        onPointerLeave={() => set(false, DELAY_MS.close)}
        onPointerDown={() => set(false)}
        onFocus={(event) => {
          if (event.currentTarget.matches(":focus-visible")) set(true);
        }}
        onBlur={() => set(false)}
      >
        {children}
      </Slot.Root>
      {open && parts && (
        <parts.TooltipPanel
          id={id}
          anchor={anchor}
          onPointerEnter={() => set(true)}
          onPointerLeave={() => set(false, DELAY_MS.close)}
          onClose={() => set(false)}
        >
          {content}
        </parts.TooltipPanel>
      )}
    </>
  );
}
