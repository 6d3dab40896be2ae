import { sweepRequest } from "@/lib/api/contract";
import { sweepEvents } from "@/lib/server/http/events/sweep-events";
import { handler } from "@/lib/server/http/handler";
import { jsonBody } from "@/lib/server/http/json-body";

export const POST = handler(async (request, { server }) =>
  sweepEvents(request, server, sweepRequest.parse(await jsonBody(request))),
);
