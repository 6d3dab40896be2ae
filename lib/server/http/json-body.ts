import { HttpError } from "./http-error";

/** No request of ours is anywhere near as long. */
const MAX_BYTES = 256 * 1024;

/** The request's body as JSON. Rejects with `HttpError`. */
export async function jsonBody(request: Request): Promise<unknown> {
  const text = await limitedText(request);
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(400, "The body is not JSON.");
  }
}

async function limitedText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new HttpError(413, `The body is larger than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
