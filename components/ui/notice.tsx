import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn";

interface NoticeProps extends Omit<ComponentProps<"div">, "title"> {
  /** What happened. */
  readonly title: string;
  /** `h1` where it is all that the page says. */
  readonly heading?: "h1" | "p";
  /** Why it happened, and what can be done. */
  readonly body?: ReactNode;
  /** Buttons for the next step. */
  readonly children?: ReactNode;
}

/** Takes the place of content that is missing or failed to load. For a failure give it `role="alert"`. */
export function Notice({ title, heading: Heading = "p", body, children, className, ...props }: NoticeProps) {
  return (
    <div className={cn("mx-auto flex max-w-120 flex-col items-start gap-2 px-4 py-16", className)} {...props}>
      <Heading className="text-lg font-semibold">{title}</Heading>
      {body !== undefined && <div className="text-t2 [overflow-wrap:anywhere]">{body}</div>}
      {children !== undefined && <div className="mt-2 flex flex-wrap gap-2">{children}</div>}
    </div>
  );
}
