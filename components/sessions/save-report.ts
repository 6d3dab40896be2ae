import { saveFile } from "@/components/export/save";
import { fileName } from "@/components/export/table-data";
import { getReport } from "@/lib/api/exports";

/** Has a report of sessions made and saves it. Rejects with `ApiError`. */
export async function saveReport(name: string, ids: readonly string[], signal: AbortSignal): Promise<void> {
  saveFile(fileName(`context-replay ${name}`, "html"), await getReport(ids, signal));
}
