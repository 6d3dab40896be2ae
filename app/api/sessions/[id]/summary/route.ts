import { summaryRequest } from "@/lib/api/contract";
import { summaryEvents } from "@/lib/server/http/events/summary-events";
import { handler } from "@/lib/server/http/handler";
import { jsonBody } from "@/lib/server/http/json-body";

export const POST = handler<{ id: string }>(async (request, { params, server }) =>
  summaryEvents(request, server, params.id, summaryRequest.parse(await jsonBody(request))),
);
