/** An id, or none: `REDACTED` was put there by a publisher's tool and names nothing. Source: docs/interfaces.md, "How inspect counts", masked ids. */
export function idOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value !== "REDACTED" ? value : undefined;
}
