import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Dialog, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from "@/components/ui/dialog";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { SessionSummary } from "@/lib/api/types";

interface ProblemsSheetProps {
  readonly summary: SessionSummary;
  /** The button that opens the sheet. */
  readonly children: ReactNode;
}

/** What could not be read, and what was odd but read all the same. It shows no text of the transcript. */
export function ProblemsSheet({ summary, children }: ProblemsSheetProps) {
  const t = useTranslations("session.problems");
  return (
    <Dialog>
      <DialogTrigger asChild>{children}</DialogTrigger>
      <DialogContent>
        <DialogTitle>{t("title")}</DialogTitle>
        <DialogDescription>{t("about")}</DialogDescription>
        <DamagedLines summary={summary} />
        <Oddities summary={summary} />
      </DialogContent>
    </Dialog>
  );
}

function DamagedLines({ summary }: { readonly summary: SessionSummary }) {
  const t = useTranslations("session.problems");
  const format = useFormat();
  const { damaged, damagedTotal } = summary.records;
  if (damagedTotal === 0) return null;
  return (
    <section className="mt-4">
      <h3 className="font-semibold">{t("damaged", { count: damagedTotal })}</h3>
      <Table data-testid="damaged-lines">
        <thead>
          <TableRow>
            <TableHead numeric>{t("line")}</TableHead>
            <TableHead>{t("reason")}</TableHead>
            <TableHead numeric>{t("size")}</TableHead>
          </TableRow>
        </thead>
        <tbody>
          {damaged.map(({ line, reason, bytes }) => (
            <TableRow key={line}>
              <TableCell numeric>{format.count(line)}</TableCell>
              <TableCell>{t(`reasons.${reason}`)}</TableCell>
              <TableCell numeric>{format.bytes(bytes)}</TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
      {damaged.length < damagedTotal && (
        <p className="mt-1 text-sm text-t3">{t("firstOnly", { shown: damaged.length, count: damagedTotal })}</p>
      )}
    </section>
  );
}

function Oddities({ summary }: { readonly summary: SessionSummary }) {
  const t = useTranslations("session.problems");
  const format = useFormat();
  const rows = summary.problems.filter(({ code }) => code !== "damaged-line");
  if (rows.length === 0) return null;
  return (
    <section className="mt-4">
      <h3 className="font-semibold">{t("oddities")}</h3>
      <Table data-testid="problems">
        <thead>
          <TableRow>
            <TableHead>{t("what")}</TableHead>
            <TableHead>{t("detail")}</TableHead>
            <TableHead numeric>{t("firstLine")}</TableHead>
            <TableHead numeric>{t("count")}</TableHead>
          </TableRow>
        </thead>
        <tbody>
          {rows.map(({ code, detail, line, count }) => (
            <TableRow key={`${code} ${detail} ${line}`}>
              {/* The core defines the codes. A code that only a newer build knows is shown as it is. */}
              <TableCell>{t.has(`codes.${code}` as never) ? t(`codes.${code}` as never) : code}</TableCell>
              <TableCell className="font-mono text-xs [overflow-wrap:anywhere]">{detail}</TableCell>
              <TableCell numeric>{line === null ? "–" : format.count(line)}</TableCell>
              <TableCell numeric>{format.count(count)}</TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
