import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { bundleLines } from "@/lib/server/bundle/write-bundle";
import { systemCode } from "@/lib/server/ingest/input-error";
import type { OpenedSession } from "@/lib/server/session/opened-session";
import { CliError, EXIT } from "../exit";
import { type ReadingOptions, withSession } from "../input/session-file";
import { lastPart } from "../input/standard-input";
import { write } from "../text/output";
import { contextChart } from "./chart";
import { reportOf } from "./report";
import { csvOf, jsonOf, type TableName } from "./tables";

/** What a session can be exported as. */
export const EXPORTS = ["bundle", "csv", "json", "svg", "html"] as const;
export type ExportKind = (typeof EXPORTS)[number];

export interface ExportOptions extends ReadingOptions {
  readonly to: ExportKind;
  /** For CSV: the table. */
  readonly table?: TableName;
  /** The file to write; standard output without one. */
  readonly out?: string;
}

type Writer = (session: OpenedSession, table: TableName) => AsyncIterable<string>;

const WRITERS: Readonly<Record<ExportKind, Writer>> = {
  bundle: bundleLines,
  csv: csvOf,
  json: jsonOf,
  svg: async function* (session) {
    yield await contextChart(session);
  },
  html: reportOf,
};

/** `export FILE`: writes a session in another form. */
export async function exportSession(file: string, options: ExportOptions): Promise<void> {
  await withSession(file, options, async (session) => {
    const parts = WRITERS[options.to](session, options.table ?? "requests");
    if (options.out === undefined) for await (const part of parts) await write(part);
    else await writeFile(options.out, parts);
  });
}

/** Writes a file that is not there yet. Rejects with `CliError`. */
async function writeFile(path: string, parts: AsyncIterable<string>): Promise<void> {
  const stream = createWriteStream(path, { flags: "wx", mode: 0o600 });
  const done = finished(stream);
  try {
    for await (const part of parts) {
      if (!stream.write(part))
        await Promise.race([done, new Promise<void>((drained) => stream.once("drain", drained))]);
    }
    stream.end();
    await done;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    const reason = code === "EEXIST" ? "it is there already" : code;
    throw new CliError(EXIT.unreadable, `${lastPart(path)} cannot be written: ${reason}.`);
  }
}
