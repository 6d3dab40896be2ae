import { handler } from "@/lib/server/http/handler";
import { sessionEvents } from "@/lib/server/http/session-events";

export const GET = handler<{ id: string }>(async (request, { params, server }) =>
  sessionEvents(request, server, params.id),
);
