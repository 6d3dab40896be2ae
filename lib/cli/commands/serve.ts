import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join, resolve } from "node:path";
import getPort from "get-port";
import { z } from "zod";
import { CONFIG_VARIABLE, configFrom } from "@/lib/server/base/config";
import type { EndpointChoice, SummaryProtocol } from "@/lib/server/base/endpoint";
import { endpointOf, keyOf } from "@/lib/server/base/endpoint";
import { InputError, systemCode } from "@/lib/server/base/input-error";
import { defaultPrices, PRICES_VARIABLE } from "@/lib/server/base/prices";
import { PricesError } from "@/lib/server/base/prices-file";
import { refuseForeign, refuseMalformedPath, refuseTrace } from "@/lib/server/http/before-next";
import { isLoopback } from "@/lib/server/http/guard";
import { restorePacked } from "@/lib/server/http/packed";
import { PackedFiles } from "@/lib/server/http/packed-files";
import { POLICIES_VARIABLE } from "@/lib/server/policies/policy-folder";
import { closeServer } from "@/lib/server/shared-server";
import { portNumber } from "../input/arguments";
import { CliError, EXIT, say } from "../process/exit";
import { programRoot } from "../process/root";
import { write } from "../text/output";

export interface ServeOptions {
  readonly port?: number;
  readonly host?: string;
  readonly token?: string;
  readonly open?: boolean;
  /** A file with the user's own prices. */
  readonly prices?: string;
  /** A folder with the user's own policies. */
  readonly policies?: string;
  /** The user's own endpoint for real summaries, and the model there. */
  readonly summarizer?: string;
  readonly model?: string;
  readonly protocol?: SummaryProtocol;
}

const DEFAULT_PORT = 3000;

/** `serve`: serves the pages and the API from this process until a signal ends it. */
export async function serve(dirs: readonly string[], options: ServeOptions): Promise<void> {
  const host = options.host ?? "127.0.0.1";
  const root = programRoot();
  const summarizer = summarizerOf(options);
  for (const dir of dirs) checkFolder(dir);
  // The worker threads read this variable too.
  if (options.prices !== undefined) process.env[PRICES_VARIABLE] = resolve(options.prices);
  if (options.policies !== undefined) {
    process.env[POLICIES_VARIABLE] = resolve(options.policies);
    if (!existsSync(options.policies)) say(`${options.policies} does not exist; the server keeps checking for it.`);
  }
  reportInvalidPrices();
  const wanted = options.port ?? portFromEnvironment() ?? DEFAULT_PORT;
  const port = await freePort(wanted, host);
  if (port !== wanted && wanted !== 0) say(`port ${wanted} is taken; using ${port}.`);
  const token = options.token ?? (isLoopback(host) ? undefined : randomBytes(24).toString("base64url"));
  const mounted = dirs.map((dir) => resolve(dir));
  process.env[CONFIG_VARIABLE] = JSON.stringify({ root, host, port, token, packs: true, dirs: mounted, summarizer });
  const server = await startNext(root, host, port);
  endOnSignal(server);
  const address = addressOf(host, port, token);
  await write(`Context Replay is at ${address}\n`);
  void warmUp(host, port, token);
  if (options.open) await openBrowser(address);
}

/** Names a missing folder. Throws `CliError` for a file. */
function checkFolder(dir: string): void {
  if (!existsSync(dir)) say(`${dir} does not exist; the server keeps checking for it.`);
  else if (!statSync(dir).isDirectory())
    throw new CliError(EXIT.badArguments, `${dir} is not a folder: name its parent folder, or open it on the page.`);
}

/** The endpoint for real summaries, if one is named. Throws `EndpointChoiceError` and `CliError`. */
function summarizerOf({ summarizer: url, model, protocol }: ServeOptions): EndpointChoice | undefined {
  if (url === undefined) {
    if (model === undefined && protocol === undefined) return undefined;
    throw new CliError(EXIT.badArguments, "--model and --protocol belong to an endpoint: name it with --summarizer.");
  }
  const choice = { url, model: model ?? "", protocol };
  const endpoint = endpointOf(choice);
  keyOf(endpoint, process.env);
  say(
    `the page shows each summary request before it is sent to ${endpoint.url.host}; nothing is sent without a click.`,
  );
  return choice;
}

/** Reports an invalid price list; the server starts anyway. */
function reportInvalidPrices(): void {
  try {
    defaultPrices();
  } catch (error) {
    if (!(error instanceof PricesError || error instanceof InputError)) throw error;
    say(`${error.message.replace(/\.?$/, "")}; the built-in prices are used.`);
  }
}

function portFromEnvironment(): number | undefined {
  const text = process.env.PORT;
  if (text === undefined || text === "") return undefined;
  try {
    return portNumber(text);
  } catch {
    throw new CliError(EXIT.badArguments, "the variable PORT must hold a port from 0 to 65535.");
  }
}

/** The wanted port, or the next free one. Rejects with `CliError` if the host is not a name or address of this machine. */
async function freePort(wanted: number, host: string): Promise<number> {
  const next = Array.from({ length: 50 }, (_, step) => wanted + step).filter((port) => port <= 65535);
  try {
    return await (wanted === 0 ? getPort({ host }) : getPort({ host, port: next }));
  } catch (error) {
    throw cannotListen(host, wanted, error);
  }
}

function cannotListen(host: string, port: number, error: unknown): CliError {
  return new CliError(
    EXIT.failed,
    `cannot listen on ${host}, port ${port} (${systemCode(error) ?? "unknown reason"}).`,
  );
}

async function startNext(root: string, host: string, port: number): Promise<Server> {
  if (!existsSync(join(root, ".next", "BUILD_ID"))) {
    throw new CliError(EXIT.failed, "the pages are not built; run npm run build.");
  }
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  // Next logs to standard output, which must hold the address only.
  console.log = console.error;
  // Next reads this while it loads.
  Object.assign(process.env, { NODE_ENV: "production" });
  const packaged = settingsOfPackage(root);
  if (packaged !== undefined) process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = packaged;
  const { default: next } = await import("next");
  const app = next({ dev: false, dir: root, hostname: host, port, quiet: true });
  await app.prepare();
  const handle = app.getRequestHandler();
  const packedFiles = new PackedFiles(join(root, ".next", "static"));
  const config = configFrom(process.env);
  const server = createServer((request, response) => {
    if (refuseForeign(request, response, config)) return;
    if (refuseMalformedPath(request, response) || refuseTrace(request, response)) return;
    if (packedFiles.send(request, response)) return;
    restorePacked(response);
    handle(request, response).catch(() => response.destroy());
  });
  // A large upload over a slow line takes longer than the default limit of five minutes.
  server.requestTimeout = 0;
  await listening(server, host, port);
  return server;
}

/** Next's build configuration as JSON, for the package, which lacks Next's own file. */
function settingsOfPackage(root: string): string | undefined {
  if (existsSync(join(root, "next.config.mjs"))) return undefined;
  const built: unknown = JSON.parse(readFileSync(join(root, ".next", "required-server-files.json"), "utf8"));
  return JSON.stringify(BUILT_WITH.parse(built).config);
}

const BUILT_WITH = z.looseObject({ config: z.looseObject({}) });

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(cannotListen(host, port, error)));
    server.listen(port, host, resolve);
  });
}

/** Ends at once on a signal: open connections and threads hold nothing that could be lost. */
function endOnSignal(server: Server): void {
  const end = async () => {
    server.close();
    server.closeAllConnections();
    await closeServer();
    process.exit(EXIT.done);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => void end());
}

function addressOf(host: string, port: number, token: string | undefined): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  const query = token === undefined ? "" : `?token=${encodeURIComponent(token)}`;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}/${query}`;
}

/** Routes whose code loads on their first request; an unknown session loads it too. */
const WARM_UP = [
  "api/sessions?limit=1",
  "",
  "sessions/-",
  "api/sessions/-",
  "api/sessions/-/columns",
  "api/sessions/-/items",
];

/** Requests every page once, so that folders are read, threads started and code loaded before the first visit. */
async function warmUp(host: string, port: number, token: string | undefined): Promise<void> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  for (const path of WARM_UP) {
    // This is only a head start: a failure here recurs, visibly, on the next request.
    const response = await fetch(`${addressOf(host, port, undefined)}${path}`, { headers }).catch(() => undefined);
    await response?.body?.cancel();
  }
}

/** Opens a browser if the command runs in a terminal on a desktop. */
async function openBrowser(address: string): Promise<void> {
  const desktop =
    process.platform === "darwin" ||
    process.platform === "win32" ||
    Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  if (!desktop || !process.stdout.isTTY) return;
  const { default: open } = await import("open");
  // The terminal shows the address, which the user can open by hand.
  await open(address).catch(() => undefined);
}
