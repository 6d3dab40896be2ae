/** Thrown by the assertions below. It means a bug in this program, never a fault in the file. */
export class AssertionError extends Error {
  override name = "AssertionError";
}

export function assert(condition: boolean, expectation: string): asserts condition {
  if (!condition) throw new AssertionError(`expected ${expectation}`);
}

/** Returns the value, or throws an error that names the missing value. */
export function assertDefined<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new AssertionError(`expected ${what} to be defined`);
  return value;
}
