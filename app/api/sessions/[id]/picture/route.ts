import { handler } from "@/lib/server/http/handler";
import { HttpError } from "@/lib/server/http/http-error";
import { pictureQuery } from "@/lib/server/http/queries";
import { pictureType } from "@/lib/server/read/texts/picture";

export const GET = handler<{ id: string }>(async (_request, { params, server, query }) => {
  const { item, at = null } = pictureQuery.parse(Object.fromEntries(query));
  const session = await server.openAt(params.id, at);
  const bytes = await session.picture(item);
  const type = pictureType(bytes);
  if (type === undefined) throw new HttpError(404, "The item holds no picture that can be shown.");
  return new Response(bytes, { headers: { "Content-Type": type } });
});
