/** What the assertions below throw: it means a bug in this program, never a fault in the file. */
export class AssertionError extends Error {
  override name = "AssertionError";
}

/** Throws an error that names the expectation if the condition is false. */
export function assert(condition: boolean, expectation: string): asserts condition {
  if (!condition) throw new AssertionError(`expected ${expectation}`);
}

/** Returns the value; throws an error that names what was expected if there is none. */
export function assertDefined<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new AssertionError(`expected ${what} to be defined`);
  return value;
}
