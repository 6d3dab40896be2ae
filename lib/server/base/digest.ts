import { createHash } from "node:crypto";

/** Sixteen bytes of a digest, in base64url: an id without readable content. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest().subarray(0, 16).toString("base64url");
}
