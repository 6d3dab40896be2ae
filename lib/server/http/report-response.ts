import type { ReportRequest } from "@/lib/queries/contract/schemas";
import { reportOf, type UsesSession } from "../export/report";
import type { AppServer } from "../server";
import { fileResponse } from "./export-response";

/** A report of sessions, in numbers alone. Rejects with `InputError`; a client that leaves ends the reading after the current session. */
export function reportResponse(request: Request, server: AppServer, { sessions }: ReportRequest): Promise<Response> {
  const uses = sessions.map(
    (id): UsesSession =>
      async (work) => {
        request.signal.throwIfAborted();
        await work({ ...(await server.openWithProfile(id)), bill: await server.listing.billOf(id) });
      },
  );
  return fileResponse("text/html; charset=utf-8", reportOf(uses));
}
