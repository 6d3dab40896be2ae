import { useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { CacheBreak, CacheBreaks } from "@/lib/core/cost/breaks";
import { useCursor } from "../state/cursor";
import { type CauseLine, causeLines, listedBreaks } from "./breaks-view";
import { RequestButton } from "./request-button";
import { useCostView } from "./use-cost";
import { useMicroUsd } from "./use-usd";

/** How many breaks are listed at first, and how many a press adds. */
const STEP = 15;

/** Where the cache broke: sums by cause, then the breaks, the dearest first. */
export function BreaksList({ breaks }: { readonly breaks: CacheBreaks | undefined }) {
  const t = useTranslations("cost.breaks");
  const [{ cause }, update] = useCostView();
  const [shown, setShown] = useState(STEP);
  if (breaks === undefined) return <NoBreaks text={t("notRecorded")} />;
  const causes = causeLines(breaks);
  if (causes.length === 0) return <NoBreaks text={t("none")} />;
  const listed = listedBreaks(breaks, causes.some((one) => one.cause === cause) ? cause : null);
  return (
    <section aria-label={t("title")} className="min-w-0">
      <h2 className="font-semibold">{t("title")}</h2>
      <Table className="mt-1" data-testid="break-causes">
        <caption className="sr-only">{t("byCause")}</caption>
        <Head first={t("cause")} second={t("count")} />
        <tbody>
          {causes.map((line) => (
            <CauseRow
              key={line.cause}
              line={line}
              pressed={line.cause === cause}
              onPress={() => void update({ cause: line.cause === cause ? null : line.cause })}
            />
          ))}
        </tbody>
      </Table>
      <Table className="mt-4" data-testid="breaks">
        <caption className="mb-1 text-left text-sm text-t2">
          {t("dearest", { count: listed.length, priced: listed.some(({ cost }) => cost !== undefined) ? "yes" : "no" })}
        </caption>
        <Head first={t("request")} second={t("gap")} className="max-md:hidden" />
        <tbody>
          {listed.slice(0, shown).map((one) => (
            <BreakRow key={one.request} one={one} />
          ))}
        </tbody>
      </Table>
      {listed.length > shown && (
        <Button variant="ghost" className="mt-2" onClick={() => setShown(shown + STEP)}>
          {t("more", { count: Math.min(STEP, listed.length - shown) })}
        </Button>
      )}
    </section>
  );
}

function NoBreaks({ text }: { readonly text: string }) {
  const t = useTranslations("cost.breaks");
  return (
    <section aria-label={t("title")}>
      <h2 className="font-semibold">{t("title")}</h2>
      <p className="mt-1 text-sm text-t2">{text}</p>
    </section>
  );
}

interface HeadProps {
  readonly first: string;
  readonly second: string;
  readonly className?: string;
}

function Head({ first, second, className }: HeadProps) {
  const t = useTranslations("cost.breaks");
  return (
    <thead>
      <TableRow>
        <TableHead>{first}</TableHead>
        <TableHead numeric className={className}>
          {second}
        </TableHead>
        <TableHead numeric className="whitespace-normal">
          {t("tokens")}
        </TableHead>
        <TableHead numeric className="whitespace-normal">
          {t("usd")}
        </TableHead>
      </TableRow>
    </thead>
  );
}

interface CauseRowProps {
  readonly line: CauseLine;
  readonly pressed: boolean;
  readonly onPress: () => void;
}

function CauseRow({ line: { cause, count, tokens, cost }, pressed, onPress }: CauseRowProps) {
  const t = useTranslations("cost");
  const format = useFormat();
  const usd = useMicroUsd();
  return (
    <TableRow data-cause={cause}>
      <TableHead scope="row" className="py-1 text-sm leading-tight font-normal whitespace-normal text-t1">
        <button
          type="button"
          aria-pressed={pressed}
          title={t(`causeNote.${cause}`)}
          onClick={onPress}
          className="rounded-sm text-left underline decoration-line2 underline-offset-2 hover:decoration-t1 aria-pressed:font-semibold touch:min-h-10"
        >
          {t(`cause.${cause}`)}
        </button>
      </TableHead>
      <TableCell numeric>{format.count(count)}</TableCell>
      <TableCell numeric>{format.count(tokens)}</TableCell>
      <TableCell numeric>
        <Value>{usd(cost)}</Value>
      </TableCell>
    </TableRow>
  );
}

/** One break; pressing it points at its request. */
function BreakRow({ one: { request, cause, tokens, cost, gap, reason } }: { readonly one: CacheBreak }) {
  const t = useTranslations("cost");
  const format = useFormat();
  const usd = useMicroUsd();
  const { pin } = useCursor();
  return (
    <TableRow data-break={request} className={cn(pin === request && "bg-sunk")}>
      <TableHead scope="row" className="py-1 text-sm leading-tight font-normal whitespace-normal text-t1">
        <RequestButton request={request}>
          <span className="whitespace-normal text-t2">
            {reason ?? (cause === "first" ? null : t(`cause.${cause}`))}
          </span>
        </RequestButton>
      </TableHead>
      <TableCell numeric className="whitespace-nowrap text-t2 max-md:hidden">
        <Value>{Number.isNaN(gap) ? null : format.duration(Math.max(0, gap))}</Value>
      </TableCell>
      <TableCell numeric>{format.count(tokens)}</TableCell>
      <TableCell numeric>
        <Value>{usd(cost)}</Value>
      </TableCell>
    </TableRow>
  );
}
