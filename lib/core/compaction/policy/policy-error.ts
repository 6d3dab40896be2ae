/** Thrown where somebody's own policy cannot be replayed: its file, the line where that is known, and what happened. The CLI exits with 2, the API answers 400. */
export class PolicyError extends Error {
  override name = "PolicyError";
}
