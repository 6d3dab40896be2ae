/** An answer with encoded JSON. */
export function jsonResponse(json: Uint8Array<ArrayBuffer>): Response {
  return new Response(json, { headers: { "Content-Type": "application/json" } });
}
