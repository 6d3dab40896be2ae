import { parseProfile } from "@/lib/api/context-profile";
import { profileRequest } from "@/lib/api/contract";
import { handler } from "@/lib/server/http/handler";
import { jsonBody, PROFILE_BYTES } from "@/lib/server/http/json-body";
import { recordedProfile } from "@/lib/server/sessions/recorded-profile";

export const GET = handler(async (_request, { server }) => Response.json({ profiles: await server.profiles.list() }));

export const POST = handler(async (request, { server }) => {
  const { name, profile, session } = profileRequest.parse(await jsonBody(request, PROFILE_BYTES));
  const kept = session === undefined ? profile : await recordedProfile(await server.open(session));
  return Response.json(await server.profiles.add(name, parseProfile(kept)), { status: 201 });
});
