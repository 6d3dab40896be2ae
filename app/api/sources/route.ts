import { handler } from "@/lib/server/http/handler";
import { ownPriceList } from "@/lib/server/prices";

export const GET = handler(async (_request, { server }) =>
  Response.json({ sources: await server.listing.sources(), prices: ownPriceList() }),
);
