import { z } from "zod";
import { ITEM_WORDS } from "@/lib/core/columns/item-filter";

/** The most sessions of one report. */
const MOST_REPORTED = 200;

/** The body of `POST /api/reports`, whose answer is an HTML file: sessions by their ids, in the order in which they stand in it. */
export const reportRequest = z.strictObject({
  sessions: z.array(z.string()).min(1).max(MOST_REPORTED),
});

export type ReportRequest = z.infer<typeof reportRequest>;

/** What a session is exported as by `GET /api/sessions/:id/export`. */
export const EXPORT_FORMS = ["html", "json", "bundle"] as const;
export type ExportForm = (typeof EXPORT_FORMS)[number];

/** `GET /api/sessions/:id/export/preview`: what an export with texts would hold, before anything is written. */
export const exportPreview = z.object({
  /** The version of the file that was looked through. The export is asked for with it. */
  version: z.string(),
  texts: z.int(),
  characters: z.int(),
  /** Likely secrets that are masked, by the rule that found them. */
  masked: z.array(z.object({ rule: z.string(), count: z.int() })),
  /** Some of the places of each rule: the item, the line of the file, and what stands around the mask. */
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
