import { indexingRequest } from "@/lib/api/contract";
import { indexingEvents } from "@/lib/server/http/events/indexing-events";
import { handler } from "@/lib/server/http/handler";
import { jsonBody } from "@/lib/server/http/json-body";

export const GET = handler(async (request, { server }) => indexingEvents(request, server));

export const POST = handler(async (request, { server }) => {
  const { action } = indexingRequest.parse(await jsonBody(request));
  await server.listing.steerIndexing(action);
  return new Response(null, { status: 204 });
});
