import { Info as Icon } from "lucide-react";
import type { ReactNode } from "react";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";

interface InfoProps {
  /** Name of the button. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A button next to a value that opens details of it, such as its source. */
export function Info({ label, children }: InfoProps) {
  return (
    <Popover>
      <PopoverTrigger
        aria-label={label}
        title={label}
        className="inline-flex size-6 shrink-0 items-center justify-center rounded-sm text-t3 hover:text-t1 touch:size-10"
      >
        <Icon aria-hidden className="size-3.5" />
      </PopoverTrigger>
      <PopoverContent aria-label={label} className="w-72 text-sm normal-nums">
        {children}
      </PopoverContent>
    </Popover>
  );
}
