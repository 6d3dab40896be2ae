/** Thrown if a user's own policy cannot be replayed: its file, the line if known, and the reason. The CLI exits with 2, the API answers 400. */
export class PolicyError extends Error {
  override name = "PolicyError";
}
