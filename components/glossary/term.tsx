import { lazy, type PointerEvent, type ReactNode, Suspense, useId, useRef, useState } from "react";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import type { TermId } from "./explanation";

const Explanation = lazy(async () => ({ default: (await import("./explanation")).Explanation }));

/** Delay before a hovered term is explained, and time for the pointer to reach the explanation. */
const REST_MS = 250;

/** State of an explanation: absent, a hint that disappears with the pointer and the focus, or open until it is closed. */
type Shown = "not" | "hint" | "kept";

interface TermProps {
  readonly id: TermId;
  readonly children: ReactNode;
}

/** A term with an explanation. Hover or focus shows it as a hint; a press opens it and moves the focus into it. */
export function Term({ id, children }: TermProps) {
  const [shown, setShown] = useState<Shown>("not");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const content = useId();
  const later = (next: Shown): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown((now) => (now === "kept" ? now : next)), REST_MS);
  };
  const byMouse = (next: Shown) => (event: PointerEvent) => {
    if (event.pointerType === "mouse") later(next);
  };
  return (
    <Popover
      open={shown !== "not"}
      onOpenChange={(open) => {
        clearTimeout(timer.current);
        setShown(open ? "kept" : "not");
      }}
    >
      <PopoverTrigger
        data-term={id}
        aria-describedby={shown === "hint" ? content : undefined}
        className="-my-1 inline-flex min-h-6 cursor-help items-center rounded-sm text-left underline decoration-line2 decoration-dotted underline-offset-4 hover:decoration-t2"
        onPointerEnter={byMouse("hint")}
        onPointerLeave={byMouse("not")}
        onFocus={(event) => {
          if (event.currentTarget.matches(":focus-visible")) later("hint");
        }}
        onBlur={() => later("not")}
        onClick={(event) => {
          // A press during the hint keeps it open.
          if (shown !== "hint") return;
          event.preventDefault();
          clearTimeout(timer.current);
          setShown("kept");
        }}
      >
        {children}
      </PopoverTrigger>
      {shown !== "not" && (
        <PopoverContent
          key={shown}
          id={content}
          align="start"
          className="w-72 text-sm font-normal normal-case"
          aria-label={typeof children === "string" ? children : undefined}
          onOpenAutoFocus={(event) => {
            if (shown === "hint") event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            if (shown !== "kept") event.preventDefault();
          }}
          onPointerEnter={byMouse("hint")}
          onPointerLeave={byMouse("not")}
        >
          <Suspense fallback={<span className="block h-8" />}>
            <Explanation id={id} />
          </Suspense>
        </PopoverContent>
      )}
    </Popover>
  );
}
