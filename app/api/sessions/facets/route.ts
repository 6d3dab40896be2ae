import { handler } from "@/lib/server/http/handler";
import { jsonResponse } from "@/lib/server/http/json-response";
import { withConditions } from "@/lib/server/http/queries";
import { facetsQuery } from "@/lib/server/list/facets";

export const GET = handler(async (_request, { server, query }) =>
  jsonResponse(await server.listing.facets(facetsQuery.parse(withConditions(query)))),
);
