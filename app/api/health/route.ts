import { VERSION } from "@/lib/server/base/version";
import { handler } from "@/lib/server/http/handler";

export const GET = handler(async () => Response.json({ status: "ok", version: VERSION }));
