import { handler } from "@/lib/server/http/handler";
import { VERSION } from "@/lib/server/version";

export const GET = handler(async () => Response.json({ status: "ok", version: VERSION }));
