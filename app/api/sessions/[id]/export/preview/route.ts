import { previewTexts } from "@/lib/server/export/texts";
import { handler } from "@/lib/server/http/handler";

export const GET = handler<{ id: string }>(
  async (request, { params, server }) =>
    Response.json(await previewTexts(await server.open(params.id), request.signal)),
  { waitsForClient: true },
);
