import { ownPriceList } from "@/lib/server/base/prices";
import { handler } from "@/lib/server/http/handler";

export const GET = handler(async (_request, { server }) =>
  Response.json({ sources: await server.listing.sources(), prices: ownPriceList() }),
);
