import { handler } from "@/lib/server/http/handler";
import { jsonResponse } from "@/lib/server/http/json-response";
import { withConditions } from "@/lib/server/http/queries";
import { listQuery } from "@/lib/server/list/list-query";

export const GET = handler(async (_request, { server, query }) =>
  jsonResponse(await server.listing.list(listQuery.parse(withConditions(query)))),
);
