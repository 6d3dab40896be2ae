import { handler } from "@/lib/server/http/handler";
import { costQuery } from "@/lib/server/http/queries";
import { usablePrices } from "@/lib/server/prices";
import { costOfSession } from "@/lib/server/questions/questions";

export const GET = handler<{ id: string }>(async (_request, { params, server, query }) => {
  const wanted = costQuery.parse(Object.fromEntries(query));
  const { session } = await server.openWithProfile(params.id);
  return Response.json(costOfSession(session, wanted, usablePrices()));
});
