import { useEffect, useRef } from "react";
import { ExportedTable } from "@/components/export/exported-table";
import { type Column, ScrollRegion } from "@/components/ui/table";

interface RequestTableProps<Row> {
  readonly title: string;
  readonly caption: string;
  readonly testId: string;
  /** Head of the first column, which holds the request numbers. */
  readonly request: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/** A chart's numbers, a row per request, for screen readers and for exact reading. */
export function RequestTable<Row extends { readonly request: number }>(props: RequestTableProps<Row>) {
  const { title, caption, testId, request: head, columns, rows } = props;
  const place = useRef<HTMLDivElement>(null);
  // It opens below the chart, where a window may end; on return to the tab the chart stays in view.
  useEffect(() => {
    const isJustPressed = document.activeElement?.getAttribute("aria-pressed") === "true";
    if (isJustPressed) place.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const first: Column<Row> = {
    head,
    numeric: true,
    namesRow: true,
    cellClass: "text-sm font-medium text-t3",
    cell: ({ request }) => request,
    value: ({ request }) => request,
  };
  return (
    <div ref={place}>
      <ScrollRegion aria-label={title} data-testid={testId} className="max-h-80 overflow-auto border-t border-line">
        <ExportedTable
          name={title}
          note={caption}
          caption={caption}
          captionClass="px-4 py-2 text-left text-sm text-t2"
          hasStickyHead
          columns={[first, ...columns]}
          rows={rows}
          rowKey={({ request }) => request}
        />
      </ScrollRegion>
    </div>
  );
}
