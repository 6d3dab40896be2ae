import { Slot } from "radix-ui";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { loadedLater } from "./overlay";

interface TooltipProps {
  /** Text of the tooltip. It repeats or adds to visible content; it is never the only place for something. */
  readonly content: ReactNode;
  /** One element that takes a ref and can hold the focus. */
  readonly children: ReactNode;
}

const panel = loadedLater(() => import("./tooltip-panel"));

/** Time of hovering before the tooltip appears, and time for the pointer to reach it. */
const REST_MS = { comes: 300, goes: 150 };

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
          if (event.pointerType !== "touch") set(true, REST_MS.comes);
        }}
        onPointerLeave={() => set(false, REST_MS.goes)}
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
          onPointerLeave={() => set(false, REST_MS.goes)}
          onClose={() => set(false)}
        >
          {content}
        </parts.TooltipPanel>
      )}
    </>
  );
}
