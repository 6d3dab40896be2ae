import { adviceRequest } from "@/lib/api/contract";
import { answerEvents } from "@/lib/server/http/events/insights-events";
import { requireSwept } from "@/lib/server/http/events/sweep-events";
import { handler } from "@/lib/server/http/handler";
import { jsonBody } from "@/lib/server/http/json-body";

export const POST = handler(async (request, { server }) => {
  const wanted = adviceRequest.parse(await jsonBody(request));
  requireSwept(wanted, server);
  return answerEvents(request, (listener) => server.insights.advice(wanted, listener));
});
