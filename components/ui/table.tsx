import type { ComponentProps } from "react";
import { cn } from "./cn";

/** A dense table: rows of 24 px, heads in the quietest text. `numeric` aligns a column to the right. */
export function Table({ className, ...props }: ComponentProps<"table">) {
  return <table className={cn("w-full border-collapse text-sm", className)} {...props} />;
}

interface CellProps {
  readonly numeric?: boolean;
}

export function TableHead({ className, numeric = false, scope = "col", ...props }: ComponentProps<"th"> & CellProps) {
  return (
    <th
      scope={scope}
      className={cn(
        "h-6 px-2 text-xs font-medium whitespace-nowrap text-t3",
        numeric ? "text-right" : "text-left",
        className,
      )}
      {...props}
    />
  );
}

export function TableRow({ className, ...props }: ComponentProps<"tr">) {
  return <tr className={cn("border-b border-line", className)} {...props} />;
}

export function TableCell({ className, numeric = false, ...props }: ComponentProps<"td"> & CellProps) {
  return <td className={cn("h-6 px-2", numeric && "text-right", className)} {...props} />;
}
