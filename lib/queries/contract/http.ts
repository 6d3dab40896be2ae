import { z } from "zod";

/** Parts that belong to no session. */

export const health = z.object({ status: z.literal("ok"), version: z.string() });

/** `application/problem+json` (RFC 9457). Never holds a path on disk. */
export const httpProblem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  /**
   * For an unrecognised format: the formats that the file may be read as, and the messages that each finds in its first records, most first. To read
   * it so, append `~` and a format to the session's id.
   */
  formats: z.array(z.object({ format: z.string(), messages: z.int() })).optional(),
  /** For a file of another program, whose files are not read: its name. */
  program: z.string().optional(),
});

export type HttpProblem = z.infer<typeof httpProblem>;
