import { listQuery } from "@/lib/server/catalog/session-list";
import { handler } from "@/lib/server/http/handler";
import { jsonResponse } from "@/lib/server/http/json-response";

export const GET = handler(async (_request, { server, query }) =>
  jsonResponse(await server.list(listQuery.parse(Object.fromEntries(query)))),
);
