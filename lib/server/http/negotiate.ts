import type { Encoding } from "../base/packing";

/** The best packing that the caller accepts. */
export function encodingFor(header: string | null): Encoding {
  const accepted = new Map((header ?? "").split(",").map(parsePart));
  const takes = (name: string) => (accepted.get(name) ?? accepted.get("*") ?? 0) > 0;
  if (takes("br")) return "br";
  return takes("gzip") ? "gzip" : "identity";
}

function parsePart(part: string): [name: string, weight: number] {
  const [name = "", ...rest] = part.split(";").map((piece) => piece.trim().toLowerCase());
  const weight = rest.find((piece) => piece.startsWith("q="))?.slice(2);
  return [name, weight === undefined ? 1 : Number(weight) || 0];
}

/** Whether the caller already has this state, by a weak or a strong tag. */
export function matchesTag(header: string | null, tag: string): boolean {
  const given = (header ?? "").split(",").map((part) => part.trim().replace(/^W\//, ""));
  return given.includes("*") || given.includes(tag);
}
