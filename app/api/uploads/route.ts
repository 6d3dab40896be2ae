import { handler } from "@/lib/server/http/handler";
import { receiveUpload } from "@/lib/server/http/receive-upload";

export const POST = handler(async (request, { server }) => receiveUpload(request, server), { waitsForClient: true });
