import fc from "fast-check";
import type { DrawnRequest } from "./draw-requests";

const tokens = fc.oneof({ arbitrary: fc.constant(0), weight: 1 }, { arbitrary: fc.nat(300_000), weight: 3 });

const request: fc.Arbitrary<DrawnRequest> = fc
  .record(
    {
      model: fc.constantFrom("claude-opus-4-5", "claude-sonnet-4-6", "gpt-5.5", "gemini-2.5-pro", "coder-model", null),
      plain: tokens,
      read: fc.oneof(tokens, fc.constant(null)),
      write: tokens,
      long: tokens,
      output: tokens,
      behind: fc.constantFrom("compaction" as const, "clearing" as const, "rollback" as const),
    },
    { requiredKeys: ["model"] },
  )
  .map((one) => ({ ...one }));

/** Sessions of requests in the order of their times, with gaps of seconds to hours. */
export const arbitraryRequests: fc.Arbitrary<readonly DrawnRequest[]> = fc
  .array(fc.tuple(request, fc.constantFrom(0.1, 1, 4, 5.4, 9, 29, 59, 61, 500)), { maxLength: 12 })
  .map((drawn) => {
    let at = 0;
    return drawn.map(([one, gap]) => {
      at += gap;
      return { ...one, at };
    });
  });
