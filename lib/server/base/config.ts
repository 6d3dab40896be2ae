import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { Bytes } from "@/lib/core/base/units";
import { type EndpointChoice, SUMMARY_PROTOCOLS } from "./endpoint";

/** Options that `serve` passes to the server as JSON in the environment, because the pages and the API run in the same process. */
export const CONFIG_VARIABLE = "CONTEXT_REPLAY_CONFIG";

const GIB = 1024 ** 3;

/** Searched words of a session: the beginnings of its prompts, or the texts of all messages. */
export type IndexedText = "prompts" | "messages";

const given = z.object({
  /** Folder of the program, with `dist/` and `public/` below it. */
  root: z.string(),
  /** Host name or address of the server. */
  host: z.string(),
  /** Port of the server; if absent, any port in a Host header is accepted. */
  port: z.int().optional(),
  /** Secret that a client must present; absent on loopback. */
  token: z.string().min(1).optional(),
  /** True if the server below Next restores the headers of packed bodies (`restorePacked`). */
  packs: z.boolean().default(false),
  /** Folders given on the command line. */
  dirs: z.array(z.string()),
  /** Endpoint for summaries; without it nothing is ever sent. */
  summarizer: z
    .object({ url: z.string(), model: z.string(), protocol: z.enum(SUMMARY_PROTOCOLS).optional() })
    .optional(),
});

export interface ServerConfig {
  readonly root: string;
  readonly host: string;
  readonly port?: number | undefined;
  readonly token?: string | undefined;
  readonly packs: boolean;
  readonly dirs: readonly string[];
  /** True to list the bundled samples if there are no other sessions; default: true. */
  readonly samples?: boolean;
  readonly summarizer?: EndpointChoice | undefined;
  readonly dataDir: string;
  readonly maxUploadBytes: Bytes;
  /** Maximum bytes on disk for opened sessions; 0 keeps nothing. */
  readonly cacheBytes: Bytes;
  /** Searched words of the sessions. */
  readonly indexText: IndexedText;
  /** Agents' folders are searched below `home`, and at the variables of `env`. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The configuration from the environment; defaults without `serve`, as in development. */
export function configFrom(env: Readonly<Record<string, string | undefined>>): ServerConfig {
  const text = env[CONFIG_VARIABLE];
  const serve: z.infer<typeof given> =
    text === undefined
      ? { root: process.cwd(), host: "127.0.0.1", packs: false, dirs: [] }
      : given.parse(JSON.parse(text));
  const home = env.HOME ?? homedir();
  return {
    ...serve,
    home,
    env,
    dataDir: dataDirOf(env, home),
    maxUploadBytes: maxUploadOf(env),
    cacheBytes: cacheOf(env),
    // Unknown fields are ignored.
    indexText: env.CONTEXT_REPLAY_INDEX_TEXT === "messages" ? "messages" : "prompts",
  };
}

/** Folder of the program's own data. */
function dataDirOf(env: Readonly<Record<string, string | undefined>>, home: string): string {
  if (env.CONTEXT_REPLAY_DATA) return resolve(env.CONTEXT_REPLAY_DATA);
  return join(env.XDG_DATA_HOME || join(home, ".local", "share"), "context-replay");
}

/** Largest upload in bytes; a value that is not a positive number is ignored. */
function maxUploadOf(env: Readonly<Record<string, string | undefined>>): number {
  const bytes = Number(env.CONTEXT_REPLAY_MAX_UPLOAD ?? "");
  return Number.isFinite(bytes) && bytes > 0 ? Math.floor(bytes) : 2 * GIB;
}

/** Bytes for opened sessions; 0 turns the cache off, and a value that is not a number is ignored. */
function cacheOf(env: Readonly<Record<string, string | undefined>>): Bytes {
  const bytes = Number(env.CONTEXT_REPLAY_CACHE || Number.NaN);
  return Number.isFinite(bytes) && bytes >= 0 ? Math.floor(bytes) : GIB;
}
