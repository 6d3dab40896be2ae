import { useTranslations } from "use-intl";
import { ExportMenu } from "@/components/export/export-menu";
import type { TableData } from "@/components/export/table-data";
import { listSessions } from "@/lib/api/client";
import { fetchAllSessions } from "./all-sessions";
import { type ListRequest, rowView } from "./use-session-list";

/** Rows of a page, the most that the server sends. */
const PAGE_ROWS = 200;

/** Saves the whole list as it is filtered and sorted, the rows included that nobody has scrolled to. */
export function ListExport({ request }: { readonly request: ListRequest }) {
  const t = useTranslations("sessions.table");
  const table = async (): Promise<TableData> => {
    const page = (cursor?: string) =>
      listSessions({ ...request, limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) });
    const { sessions } = await fetchAllSessions(page, undefined, Date.now, () => undefined);
    const { listTable } = await import("./list-table");
    return listTable(sessions.map(rowView), t);
  };
  return <ExportMenu name={t("label")} table={table} />;
}
