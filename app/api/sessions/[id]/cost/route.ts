import { usablePrices } from "@/lib/server/base/prices";
import { handler } from "@/lib/server/http/handler";
import { costQuery } from "@/lib/server/http/queries";
import { costOfSession } from "@/lib/server/questions/questions";

export const GET = handler<{ id: string }>(async (_request, { params, server, query }) => {
  const wanted = costQuery.parse(Object.fromEntries(query));
  const { session } = await server.openWithProfile(params.id);
  const cost = costOfSession(session, wanted, usablePrices());
  // The list knows the subagents that have files of their own, by the prices that it was made with.
  const isListed = wanted.on === undefined && (wanted.priceDate ?? "recorded") === "recorded";
  const subagents = isListed ? (await server.listing.billOf(params.id))?.subagents : undefined;
  return Response.json(subagents == null ? cost : { ...cost, bill: { ...cost.bill, subagents } });
});
