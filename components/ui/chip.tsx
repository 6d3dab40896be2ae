import type { ComponentProps } from "react";
import { cn } from "./cn";

/** A short word in a box: a sample, an upload, a state. */
export function Chip({ className, ...props }: ComponentProps<"span">) {
  return (
    <span
      className={cn(
        "inline-flex h-4 shrink-0 items-center rounded-sm border border-line2 px-1 text-sm leading-[14px] font-normal whitespace-nowrap text-t2",
        className,
      )}
      {...props}
    />
  );
}

interface KindChipProps extends Omit<ComponentProps<"span">, "children"> {
  readonly kind: "measured" | "estimated" | "inferred" | "na";
  /** The word, in the user's language: the mark alone would not be enough. */
  readonly label: string;
  /** Classes of the word; in narrow places it may be only for screen readers. */
  readonly labelClass?: string;
}

/** Source of a number: a filled dot for measured, a ring and italics for estimated, half-filled for inferred, a dash for not available. */
export function KindChip({ kind, label, labelClass, className, ...props }: KindChipProps) {
  return (
    <span
      className={cn(
        "inline-flex items-center gap-1 text-sm font-normal whitespace-nowrap text-t3",
        kind === "estimated" && "italic",
        className,
      )}
      {...props}
    >
      <svg aria-hidden="true" viewBox="0 0 8 8" className="size-2 shrink-0">
        {kind === "measured" && <circle cx="4" cy="4" r="3" className="fill-t2" />}
        {(kind === "estimated" || kind === "inferred") && (
          <circle cx="4" cy="4" r="2.75" className="fill-none stroke-t3" strokeWidth="1.5" />
        )}
        {kind === "inferred" && <path d="M4 1.25a2.75 2.75 0 0 0 0 5.5Z" className="fill-t3" />}
        {kind === "na" && <path d="M1 4h6" className="stroke-t3" strokeWidth="1.5" />}
      </svg>
      {labelClass === undefined ? label : <span className={labelClass}>{label}</span>}
    </span>
  );
}

/** A number next to the name of the counted things. It is filled and round, so that it is not mistaken for a key. */
export function Count({ className, ...props }: ComponentProps<"span">) {
  return (
    <span
      className={cn(
        "inline-block h-4 min-w-4 rounded-full bg-sunk px-1.5 text-center text-sm leading-4 font-normal text-t2",
        className,
      )}
      {...props}
    />
  );
}

/** A key, in the quietest style, next to the element that it controls. */
export function Kbd({ className, ...props }: ComponentProps<"kbd">) {
  return (
    <kbd
      className={cn(
        "inline-block h-4 min-w-4 rounded-sm border border-line2 bg-bg px-1 text-center font-sans text-sm leading-[14px] text-t3",
        className,
      )}
      {...props}
    />
  );
}
