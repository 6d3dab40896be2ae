import { handler } from "@/lib/server/http/handler";
import { jsonResponse } from "@/lib/server/http/json-response";
import { withConditions } from "@/lib/server/http/queries";
import { choicesQuery } from "@/lib/server/list/choices";

export const GET = handler(async (_request, { server, query }) =>
  jsonResponse(await server.listing.choices(choicesQuery.parse(withConditions(query)))),
);
