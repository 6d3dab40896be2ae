import { sessionEvents } from "@/lib/server/http/events/session-events";
import { handler } from "@/lib/server/http/handler";

export const GET = handler<{ id: string }>(async (request, { params, server }) =>
  sessionEvents(request, server, params.id),
);
