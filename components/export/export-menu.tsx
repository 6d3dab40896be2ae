import { Download } from "lucide-react";
import { type RefObject, useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import type { Exported, FileKind } from "./export-file";
import type { TableData } from "./table-data";

interface ExportMenuProps {
  /** Title, such as "Timeline". */
  readonly name: string;
  /** Source of its numbers: recorded, estimated, or simulated by a named policy. */
  readonly note?: string;
  /** All its rows, made on request: they may come from the server. */
  readonly table?: () => TableData | Promise<TableData>;
  readonly image?: RefObject<HTMLElement | null>;
  /** True if it is in a dense line, such as a table's head. */
  readonly isSmall?: boolean;
}

/** Saves a chart as an image, and the numbers of a chart or table. The exporting code is loaded on first use. */
export function ExportMenu({ name, note = "", table, image, isSmall = false }: ExportMenuProps) {
  const t = useTranslations("common.export");
  const [outcome, setOutcome] = useState<"failed" | "copied" | "copyFailed">();
  const exported = (): Exported => ({
    words: { title: t("title", { page: document.title, name }), note },
    table,
    image: image?.current,
  });
  const save = async (kind: FileKind): Promise<void> => {
    setOutcome(undefined);
    try {
      const { exportFile } = await import("./export-file");
      await exportFile(kind, exported());
    } catch {
      setOutcome("failed");
    }
  };
  const copy = async (): Promise<void> => {
    setOutcome(undefined);
    try {
      // Some browsers allow copying only while they handle the click, so the clipboard gets a promise of the image.
      const png = import("./export-file").then(({ pngFile }) => pngFile(exported()));
      await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
      setOutcome("copied");
    } catch {
      setOutcome("copyFailed");
    }
  };
  const kinds: readonly FileKind[] = [
    ...(image === undefined ? [] : (["png", "svg"] as const)),
    ...(table === undefined ? [] : (["csv", "json"] as const)),
  ];
  return (
    <span data-image="off" className="inline-flex items-center gap-2 print:hidden">
      {outcome !== undefined && (
        <span
          role={outcome === "copied" ? "status" : "alert"}
          className={cn("text-sm", outcome === "copied" ? "text-t2" : "text-danger")}
        >
          {t(outcome)}
        </span>
      )}
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button
            variant="ghost"
            size={isSmall ? "tiny" : "icon"}
            aria-label={t("label", { name })}
            title={t("label", { name })}
          >
            <Download aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          {image !== undefined && <DropdownMenuItem onSelect={() => void copy()}>{t("copy")}</DropdownMenuItem>}
          {kinds.map((kind) => (
            <DropdownMenuItem key={kind} onSelect={() => void save(kind)}>
              {t(`as.${kind}`)}
            </DropdownMenuItem>
          ))}
        </DropdownMenuContent>
      </DropdownMenu>
    </span>
  );
}
