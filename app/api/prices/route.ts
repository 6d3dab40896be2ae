import { pricesAnswerFor } from "@/lib/server/base/prices";
import { handler } from "@/lib/server/http/handler";
import { pricesQuery } from "@/lib/server/http/queries";

export const GET = handler(async (_request, { query }) => {
  const { model } = pricesQuery.parse(Object.fromEntries(query));
  return Response.json(pricesAnswerFor(model));
});
