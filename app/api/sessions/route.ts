import { listQuery } from "@/lib/server/catalog/session-list";
import { handler } from "@/lib/server/http/handler";

export const GET = handler(async (_request, { server, query }) =>
  Response.json(await server.list(listQuery.parse(Object.fromEntries(query)))),
);
