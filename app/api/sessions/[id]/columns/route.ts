import { columnsResponse } from "@/lib/server/http/columns-response";
import { handler } from "@/lib/server/http/handler";

export const GET = handler<{ id: string }>(async (request, { params, server, query }) =>
  columnsResponse(request, server, params.id, query),
);
