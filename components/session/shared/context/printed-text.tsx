import { useId } from "react";
import { cn } from "@/components/ui/cn";
import { Clipped } from "../reading/clipped";

interface PrintedTextProps {
  readonly title: string;
  readonly text: string;
  readonly className?: string;
  readonly testId: string;
}

/** A report as an agent prints it in a terminal, under a separate heading. */
export function PrintedText({ title, text, className, testId }: PrintedTextProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={cn("min-w-0", className)}>
      <h2 id={id} className="pb-1 font-semibold">
        {title}
      </h2>
      <Clipped height="max-h-120" className="rounded-md border border-line bg-sunk">
        <pre
          // The keyboard has to be able to scroll a wide text too.
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region takes the focus
          tabIndex={0}
          className="overflow-x-auto p-3 font-mono text-sm leading-5"
          data-testid={testId}
        >
          {text}
        </pre>
      </Clipped>
    </section>
  );
}
