/** Thrown by the assertions below: a bug of ours, never a fault of the file. */
export class AssertionError extends Error {
  override name = "AssertionError";
}

/** Throws with the expectation when the condition does not hold. */
export function assert(condition: boolean, expectation: string): asserts condition {
  if (!condition) throw new AssertionError(`expected ${expectation}`);
}

/** The value itself, or a throw that says what was expected to be there. */
export function assertDefined<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new AssertionError(`expected ${what} to be defined`);
  return value;
}
