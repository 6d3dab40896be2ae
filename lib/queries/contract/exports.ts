import { z } from "zod";
import { ITEM_WORDS } from "@/lib/core/columns/item-filter";

/** Maximum sessions per report. */
const MAX_REPORTED = 200;

/** The body of `POST /api/reports`, whose answer is an HTML file: session ids, in their order in the report. */
export const reportRequest = z.strictObject({
  sessions: z.array(z.string()).min(1).max(MAX_REPORTED),
});

export type ReportRequest = z.infer<typeof reportRequest>;

/** Formats of `GET /api/sessions/:id/export`. */
export const EXPORT_FORMATS = ["html", "json", "bundle"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** `GET /api/sessions/:id/export/preview`: the contents of an export with texts, before anything is written. */
export const exportPreview = z.object({
  /** The scanned version of the file, which the export request repeats. */
  version: z.string(),
  texts: z.int(),
  characters: z.int(),
  /** Likely secrets that are masked, by the rule that found them. */
  masked: z.array(z.object({ rule: z.string(), count: z.int() })),
  /** Some places per rule: the item, the line of the file, and the text around the mask. */
  places: z.array(
    z.object({
      rule: z.string(),
      item: z.int(),
      line: z.int().nullable(),
      what: z.enum(ITEM_WORDS),
      before: z.string(),
      after: z.string(),
    }),
  ),
});

export type ExportPreview = z.infer<typeof exportPreview>;
