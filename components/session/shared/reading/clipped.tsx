import { type ReactNode, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useSize } from "@/components/charts/use-size";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";

interface ClippedProps {
  /** Its height while clipped: a class such as `max-h-60`. */
  readonly height: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** The beginning of a long content, and a button that shows all of it: a panel has only one scroll area. */
export function Clipped({ height, className, children }: ClippedProps) {
  const t = useTranslations("session.reading");
  const [isWhole, setWhole] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const [content, { height: full }] = useSize<HTMLDivElement>();
  const isClipped = !isWhole && full > (frame.current?.clientHeight ?? full) + 1;
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the focus reaches a link in the hidden part */}
      <div ref={frame} onFocus={() => setWhole(true)} className={cn("overflow-hidden", className, !isWhole && height)}>
        <div ref={content}>{children}</div>
      </div>
      {isClipped && (
        <Button variant="ghost" className="-ml-2" onClick={() => setWhole(true)}>
          {t("showWhole")}
        </Button>
      )}
    </>
  );
}
