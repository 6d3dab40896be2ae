import { handler } from "@/lib/server/http/handler";

export const GET = handler<{ id: string }>(async (_request, { params, server }) =>
  Response.json(await server.session(params.id)),
);
