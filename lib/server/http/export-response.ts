import { z } from "zod";
import type { SettingValue } from "@/lib/core/compaction/policy/settings";
import { EXPORT_FORMATS, type ExportFormat, replayRequest } from "@/lib/queries/contract/schemas";
import { type ReportedSession, reportOf } from "../export/report";
import { jsonOf } from "../export/tables";
import { bundleLines } from "../export/write-bundle";
import { versionKey } from "../read/source-file";
import type { AppServer } from "../server";
import { HttpError } from "./http-error";

/**
 * Query of `GET …/export`: the format; for texts with masked secrets, the version of the preview; for a report, its simulation, by default the one that
 * the session's page opens with.
 */
export const exportQuery = z.object({
  to: z.enum(EXPORT_FORMATS),
  texts: z.literal("masked").optional(),
  at: z.string().optional(),
  ...replayRequest
    .omit({ settings: true, window: true })
    .partial()
    .extend({
      window: z.coerce.number().int().positive().optional(),
      set: z
        .array(z.string().regex(/^[\w.]+=/, "must be KEY=VALUE"))
        .optional()
        .describe("with `html`: a setting of the policy, KEY=VALUE; may be repeated"),
    }).shape,
});

/** The query of an export, with every `set` in its parameters. */
export function exportParameters(search: URLSearchParams): z.infer<typeof exportQuery> {
  return exportQuery.parse({
    ...Object.fromEntries(search),
    set: search.has("set") ? search.getAll("set") : undefined,
  });
}

/** The value of a setting: a number, true, false or null, else a text. */
function settingOf(text: string): [key: string, value: SettingValue] {
  const at = text.indexOf("=");
  const written = text.slice(at + 1);
  const isJson = /^(true|false|null|-?\d+(\.\d+)?)$/.test(written);
  return [text.slice(0, at), isJson ? JSON.parse(written) : written];
}

type Parts = AsyncIterable<string>;

const WRITERS: Readonly<Record<ExportFormat, (reported: ReportedSession, withText: boolean) => Parts>> = {
  html: (reported, withText) => reportOf([(work) => work(reported)], withText),
  json: ({ session }, withText) => jsonOf(session, withText),
  bundle: ({ session }) => bundleLines(session),
};

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  html: "text/html; charset=utf-8",
  json: "application/json",
  bundle: "application/jsonl",
};

/**
 * A session in an export format, as the command line writes it. Texts are exported only from the previewed version of the file. Rejects with
 * `InputError` and `HttpError`.
 */
export async function exportResponse(
  server: AppServer,
  id: string,
  { to, texts, at, set, ...run }: z.infer<typeof exportQuery>,
): Promise<Response> {
  const withText = texts !== undefined;
  if (withText && to === "bundle") throw new HttpError(400, "A bundle has no texts.");
  if (withText && at === undefined)
    throw new HttpError(400, "Texts are exported only as they were shown: at is missing.");
  const session = await server.openAt(id, at ?? null);
  if (withText && versionKey(session.version) !== at)
    throw new HttpError(409, "The session has changed since its texts were looked through. Look through them again.");
  const choice = { ...run, ...(set && { settings: Object.fromEntries(set.map(settingOf)) }) };
  const profile = (await server.profileOf(id, session))?.profile;
  const bill = to === "html" ? await server.listing.billOf(id) : undefined;
  return fileResponse(EXPORT_TYPES[to], WRITERS[to]({ session, profile, choice, bill }, withText));
}

/**
 * A file download, part by part: nothing is made before the client reads. Rejects on errors before the start; a later error breaks the answer off, so
 * that no incomplete file looks whole.
 * @param type its media type
 */
export async function fileResponse(
  type: string,
  made: AsyncIterable<string | Uint8Array<ArrayBuffer>>,
): Promise<Response> {
  const parts = made[Symbol.asyncIterator]();
  let next = await parts.next();
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (next.done === true) return controller.close();
      controller.enqueue(typeof next.value === "string" ? encoder.encode(next.value) : next.value);
      next = await parts.next();
    },
    async cancel() {
      await parts.return?.();
    },
  });
  return new Response(stream, { headers: { "Content-Type": type, "Content-Disposition": "attachment" } });
}
