import { handler } from "@/lib/server/http/handler";
import { jsonResponse } from "@/lib/server/http/json-response";
import { withConditions } from "@/lib/server/http/queries";
import { insightsQuery } from "@/lib/server/insights/overview";

export const GET = handler(async (_request, { server, query }) =>
  jsonResponse(
    await server.listing.overview(insightsQuery.parse({ ...withConditions(query), by: query.get("by") ?? undefined })),
  ),
);
