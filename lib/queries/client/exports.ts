import type { ExportForm, ExportPreview, ReportRequest } from "../contract/types";
import { getJson, request, sendJson, sessionPath } from "./requests";

/** A report of sessions as an HTML file. Aborting ends the reading on the server too. Rejects with `ApiError`. */
export async function getReport(sessions: readonly string[], signal: AbortSignal): Promise<Blob> {
  const response = await sendJson("/api/reports", "POST", { sessions: [...sessions] } satisfies ReportRequest, signal);
  return response.blob();
}

/** What an export of a session with its texts would hold. Aborting ends the reading on the server too. Rejects with `ApiError`. */
export function getExportPreview(id: string, signal: AbortSignal): Promise<ExportPreview> {
  return getJson<ExportPreview>(`${sessionPath(id)}/export/preview`, signal);
}

/**
 * A session in another form, as a file. Rejects with `ApiError`.
 * @param version with texts, of which version they were shown; without it only numbers are exported
 */
export async function getExport(
  id: string,
  to: ExportForm,
  version: string | null,
  signal: AbortSignal,
): Promise<Blob> {
  const texts = version === null ? {} : { texts: "masked", at: version };
  const response = await request(`${sessionPath(id)}/export?${new URLSearchParams({ to, ...texts })}`, signal);
  return response.blob();
}
