const MAX_CHARS = 200;
const NEUTRAL = "upload.jsonl";

/** A file's name for display: its last part, without control and direction characters. Never used as a path. */
export function displayName(name: string): string {
  const last = name.normalize("NFC").split(/[\\/]/).at(-1) ?? "";
  const clean = last.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, "").trim();
  return clean === "" || clean === "." || clean === ".." ? NEUTRAL : [...clean].slice(0, MAX_CHARS).join("");
}

/** The name in an `x-file-name` header, which is percent-encoded UTF-8. */
export function nameFromHeader(header: string | null): string {
  try {
    return decodeURIComponent(header ?? "");
  } catch {
    // It is not percent-encoded, so it is shown unchanged.
    return header ?? "";
  }
}
