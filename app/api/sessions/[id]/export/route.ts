import { exportQuery, exportResponse } from "@/lib/server/http/export-response";
import { handler } from "@/lib/server/http/handler";

export const GET = handler<{ id: string }>(
  async (_request, { params, server, query }) =>
    exportResponse(server, params.id, exportQuery.parse(Object.fromEntries(query))),
  { waitsForClient: true },
);
