import { createWriteStream, openSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { ReplayRequest } from "@/lib/queries/contract/schemas";
import { contextChart } from "@/lib/server/export/chart";
import { otlpOf } from "@/lib/server/export/otlp";
import { reportOf, type UsesSession } from "@/lib/server/export/report";
import type { ReportedChoice } from "@/lib/server/export/simulation";
import { csvOf, jsonOf, type TableName } from "@/lib/server/export/tables";
import { previewText, previewTexts } from "@/lib/server/export/texts";
import { bundleLines } from "@/lib/server/export/write-bundle";
import type { OpenedSession } from "@/lib/server/sessions/opened-session";
import { splitPreset } from "../input/arguments";
import { cannotWrite } from "../input/cannot-write";
import type { ReplayingOptions } from "../input/price-options";
import { withSession } from "../input/session-file";
import { removeAtEnd } from "../process/at-end";
import { CliError, EXIT, say } from "../process/exit";
import { write } from "../text/output";

/** Export formats of a session. */
export const EXPORTS = ["bundle", "csv", "json", "otlp", "svg", "png", "html"] as const;
export type ExportKind = (typeof EXPORTS)[number];

export interface ExportOptions extends Omit<ReplayingOptions, "json" | "prices"> {
  readonly to: ExportKind;
  /** With CSV: the table. */
  readonly table?: TableName;
  /** With HTML: the simulated policy, `ID` or `ID@PRESET`; by default the simulation that the session's page opens with. */
  readonly policy?: string;
  /** With HTML: settings of the policy. */
  readonly set?: ReplayRequest["settings"];
  /** With JSON and HTML: include the session's texts, likely secrets masked. */
  readonly withText?: boolean;
  /** With texts: write them; otherwise only preview them. */
  readonly yes?: boolean;
  /** The file to write; default: standard output. */
  readonly out?: string;
}

type Writer = (session: OpenedSession, options: ExportOptions) => AsyncIterable<string | Uint8Array>;

const WRITERS: Readonly<Record<Exclude<ExportKind, "html">, Writer>> = {
  bundle: bundleLines,
  csv: (session, { table = "requests" }) => csvOf(session, table),
  json: (session, { withText = false }) => jsonOf(session, withText),
  otlp: otlpOf,
  svg: async function* (session) {
    yield await contextChart(session);
  },
  png: async function* (session) {
    yield await pngOf(await contextChart(session));
  },
};

/** `export FILE…`: exports a session; a report can hold several. Rejects with `CliError`. */
export async function exportSessions(files: readonly string[], options: ExportOptions): Promise<void> {
  const { to, withText = false, yes = false, out } = options;
  if (to === "png" && out === undefined && process.stdout.isTTY)
    throw new CliError(EXIT.badArguments, "an image cannot be printed to a terminal: name a file with --out.");
  if (files.length > 1 && to !== "html")
    throw new CliError(EXIT.badArguments, `--to ${to} takes one file; a report (--to html) takes several.`);
  if (withText && to !== "html" && to !== "json")
    throw new CliError(EXIT.badArguments, `--with-text is for json and html; ${to} has no texts.`);
  if (withText && !yes) {
    for (const file of files)
      await withSession(file, options, async (session) => previewText(await previewTexts(session)).forEach(say));
    throw new CliError(EXIT.badArguments, "nothing was written: add --yes to write this.");
  }
  if (to === "html") await put(out, reportOf(files.map(usesSession(options)), withText));
  else
    await withSession(files[0] ?? "-", options, async (session) => {
      await put(out, WRITERS[to](session, options));
    });
}

function usesSession(options: ExportOptions): (file: string) => UsesSession {
  const choice = choiceOf(options);
  return (file) => (work) => withSession(file, options, (session) => work({ session, choice }));
}

/** The simulation of a report. */
function choiceOf({
  policy,
  set: settings,
  estimator,
  window,
  counting,
  ttl,
  on,
  priceDate,
}: ExportOptions): ReportedChoice {
  const { id, preset } = policy === undefined ? {} : splitPreset(policy);
  return { policy: id, preset, settings, estimator, window, counting, ttl, on, priceDate };
}

/** Writes the parts to a file, or to standard output. */
async function put(out: string | undefined, parts: AsyncIterable<string | Uint8Array>): Promise<void> {
  if (out === undefined) for await (const part of parts) await write(part);
  else await writeFile(out, parts);
}

/** Writes a new file, and removes it if writing fails or a signal ends the program. Rejects with `CliError`. */
async function writeFile(path: string, parts: AsyncIterable<string | Uint8Array>): Promise<void> {
  let made: number | undefined;
  // A signal is handled between two steps of the event loop, so the removal is registered as soon as the file exists.
  const remove = () => {
    if (made !== undefined) rmSync(path, { force: true });
  };
  const forget = removeAtEnd(remove);
  try {
    made = openSync(path, "wx", 0o600);
    await pipeline(parts, createWriteStream(path, { fd: made }));
  } catch (error) {
    remove();
    throw cannotWrite(path, error);
  } finally {
    forget();
  }
}

/** Pixels per unit of a chart: sharp on high-density screens and in print. */
const DOTS = 2;

/** A chart as a PNG image, with system fonts. Rejects with `CliError` if the renderer is not installed. */
async function pngOf(svg: string): Promise<Uint8Array> {
  const { Resvg } = await renderer();
  return new Resvg(svg, { fitTo: { mode: "zoom", value: DOTS } }).render().asPng();
}

/** A native library, and so an optional dependency: npm installs it if it exists for the platform. */
async function renderer(): Promise<typeof import("@resvg/resvg-js")> {
  try {
    return await import("@resvg/resvg-js");
  } catch {
    // The error depends on which platform package is missing.
    throw new CliError(
      EXIT.failed,
      "@resvg/resvg-js, the optional package that draws images, is not installed here; --to svg needs none.",
    );
  }
}
