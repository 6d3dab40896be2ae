import { Check, Search } from "lucide-react";
import type { ComponentProps } from "react";
import { Kbd } from "./chip";
import { cn } from "./cn";

/** A text or number field of control height. */
export function Input({ className, type = "text", ...props }: ComponentProps<"input">) {
  return (
    <input
      type={type}
      className={cn(
        "h-7 w-full min-w-0 rounded-md border border-line2 bg-bg px-2 text-sm text-t1 placeholder:text-t3 disabled:opacity-50 aria-invalid:border-danger touch:h-10 touch:text-[16px]",
        className,
      )}
      {...props}
    />
  );
}

interface SearchFieldProps extends Omit<ComponentProps<"input">, "type" | "aria-label"> {
  readonly label: string;
  /** The key that focuses the field, shown at its end. */
  readonly shortcut?: string;
}

/** A search input with a magnifying glass and its key. */
export function SearchField({ label, shortcut, className, ...props }: SearchFieldProps) {
  return (
    <div className={cn("relative flex h-7 items-center touch:h-10", className)}>
      <Search aria-hidden className="pointer-events-none absolute left-2 size-3.5 text-t3" />
      <input
        type="search"
        aria-label={label}
        {...(shortcut !== undefined && { "aria-keyshortcuts": shortcut })}
        autoComplete="off"
        spellCheck={false}
        className="peer size-full min-w-0 rounded-md border border-line2 bg-bg pr-2 pl-7 text-sm placeholder:text-t3 touch:text-[16px] [&::-webkit-search-cancel-button]:appearance-none"
        {...props}
      />
      {shortcut !== undefined && (
        <Kbd
          aria-hidden
          className="pointer-events-none absolute right-2 peer-focus:hidden peer-not-placeholder-shown:hidden touch:hidden"
        >
          {shortcut}
        </Kbd>
      )}
    </div>
  );
}

/** A box to tick, in the colours of the theme. It needs a label around it, or an `aria-label`. */
export function Checkbox({ className, ...props }: Omit<ComponentProps<"input">, "type">) {
  return (
    <span className={cn("relative grid size-3.5 shrink-0 place-items-center", className)}>
      <input
        type="checkbox"
        // The area around the box takes the pointer too.
        className="peer size-full cursor-pointer appearance-none rounded-sm border border-t3 bg-bg before:absolute before:-inset-2 checked:border-t1 checked:bg-t1 touch:before:-inset-3"
        {...props}
      />
      <Check
        aria-hidden
        strokeWidth={3}
        className="pointer-events-none absolute hidden size-2.5 text-bg peer-checked:block"
      />
    </span>
  );
}
