import { Search } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "./cn";
import { Kbd } from "./kbd";

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
