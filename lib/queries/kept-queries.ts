import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { z } from "zod";
import { MAX_CONTEXT } from "@/lib/core/base/units";
import { settingsOfSession } from "@/lib/server/agent-settings/shown-files";
import type { Encoding, Packed } from "@/lib/server/base/packing";
import { pricesAnswerFor } from "@/lib/server/base/prices";
import { VERSION } from "@/lib/server/base/version";
import { previewTexts } from "@/lib/server/export/texts";
import { sessionEvents } from "@/lib/server/http/events/session-events";
import { preparedSummary, summaryEvents } from "@/lib/server/http/events/summary-events";
import { EXPORT_TYPES, exportParameters, exportQuery, exportResponse } from "@/lib/server/http/export-response";
import { jsonBody, PROFILE_BYTES } from "@/lib/server/http/json-body";
import { encodingFor, matchesTag, packedHeaders } from "@/lib/server/http/packed";
import { receiveUpload } from "@/lib/server/http/receive-upload";
import { accuracyChoice } from "@/lib/server/read/numbers/accuracy";
import { versionKey } from "@/lib/server/read/source-file";
import type { AppServer } from "@/lib/server/server";
import { wantedBy, wantedKey } from "@/lib/server/sessions/opened-session";
import { recordedProfile } from "@/lib/server/sessions/recorded-profile";
import { parseProfile } from "@/lib/server/store/context-profile";
import { VERSION_HEADER } from "./contract/routes";
import {
  boundaryRequest,
  type currentSettingsAnswer,
  type OwnPoliciesAnswer,
  profileChoice,
  profileRequest,
  type summarizerAnswer,
  summaryRequest,
} from "./contract/schemas";
import { nothing, number, type Query, query } from "./query";

const text = (name: string, description: string, location: "query" | "header" = "query", byDefault?: string) => ({
  name,
  in: location,
  schema: byDefault === undefined ? { type: "string" } : { type: "string", default: byDefault },
  description,
});
const AT = text("at", "the requested version of the session; the newest one if that version is no longer in memory");
const OCTETS = ["application/octet-stream"];

/** Query of `GET /api/prices`. */
const pricesQuery = z.object({ model: z.string().optional() });

/** Query of `GET …/settings`; by default the policy of the recording's agent. */
const settingsQuery = z.object({
  policy: z.string().optional(),
  preset: z.string().optional(),
  window: number(z.int().positive()).default(MAX_CONTEXT),
});

/** The interpreter's code, as the threads load it. The package holds a compressed copy. */
const CODE = ["node_modules", "@jitl", "quickjs-wasmfile-release-sync", "dist", "emscripten-module.wasm"];
const unpack = promisify(brotliDecompress);

async function interpreter(root: string): Promise<BodyInit> {
  const file = join(root, ...CODE);
  return existsSync(file) ? readFile(file) : unpack(await readFile(`${file}.br`));
}

/** Queries about a session's file itself, and about stored data: uploads, profiles, policies, prices. */
export const KEPT_QUERIES: readonly Query[] = [
  query("session", {
    summary: "One session",
    parameters: [
      text(
        "accuracy",
        "estimators compared with the recorded usage: sizes, own, all, or ids separated by commas",
        "query",
        "sizes",
      ),
      AT,
    ],
    respond: async (_request, { id, server, search }) =>
      Response.json(await server.session(id, accuracyChoice(search.get("accuracy") ?? "sizes"), search.get("at"))),
  }),
  query("currentSettings", {
    summary: "Present values of a policy's settings, from the agent's settings files",
    query: settingsQuery,
    respond: async (_request, { id, server, search }) => {
      const { policy, ...choice } = settingsQuery.parse(Object.fromEntries(search));
      const { summary: session } = await server.open(id);
      const { path } = await server.catalog.get(id);
      const wanted = { ...choice, policy: policy ?? session.agent ?? "", path, session };
      const settings = [...(await settingsOfSession(wanted, server.config))];
      return Response.json({ settings } satisfies z.infer<typeof currentSettingsAnswer>);
    },
  }),
  query("columns", {
    summary: "The session as numbers",
    parameters: [
      text(
        "tokens",
        "estimators whose token columns are returned, separated by commas; own: the recording agent's, omitted for a large file",
      ),
      text("measures", "policies whose measures are returned, separated by commas"),
      text(
        "since",
        "version of the caller's columns; while the server holds that version, it sends only later changes",
      ),
      AT,
    ],
    types: OCTETS,
    respond: async (request, { id, server, search }) => columnsResponse(request, server, id, search),
  }),
  query("sessionEvents", {
    summary: "Changes of the session, as server-sent events",
    respond: async (request, { id, server }) => sessionEvents(request, server, id),
  }),
  query("export", {
    summary: "The session as a file in another format",
    query: exportQuery,
    types: Object.values(EXPORT_TYPES),
    waitsForClient: true,
    respond: async (_request, { id, server, search }) => exportResponse(server, id, exportParameters(search)),
  }),
  query("exportPreview", {
    summary: "Preview of an export with texts",
    waitsForClient: true,
    respond: async (request, { id, server }) =>
      Response.json(await previewTexts(await server.open(id), request.signal)),
  }),
  query("summaryPreview", {
    summary: "Preview of the exact request for a compaction's summary",
    respond: async (request, { id, server }) => {
      const { prepared } = await preparedSummary(server, id, boundaryRequest.parse(await jsonBody(request)));
      return Response.json(prepared.answer);
    },
  }),
  query("summary", {
    summary: "Requests summaries from the configured endpoint, as server-sent events",
    status: 202,
    respond: async (request, { id, server }) =>
      summaryEvents(request, server, id, summaryRequest.parse(await jsonBody(request))),
  }),
  query("chooseProfile", {
    summary: "Chooses a context profile for the session, its project or its agent",
    status: 204,
    respond: async (request, { id, server }) => {
      const { scope, profile } = profileChoice.parse(await jsonBody(request));
      await server.chooseProfile(id, await server.open(id), scope, profile);
      return nothing();
    },
  }),
  query("summarizer", {
    summary: "The configured endpoint for real summaries",
    respond: async (_request, { server }) =>
      Response.json({ summarizer: server.summarizer?.wire ?? null } satisfies z.infer<typeof summarizerAnswer>),
  }),
  query("prices", {
    summary: "Models that have a price, and one model's row",
    query: pricesQuery,
    respond: async (_request, { search }) =>
      Response.json(pricesAnswerFor(pricesQuery.parse(Object.fromEntries(search)).model)),
  }),
  query("ownPolicies", {
    summary: "Files of the user's own policies",
    respond: async (_request, { server }) =>
      Response.json({ policies: [...server.policies()] } satisfies OwnPoliciesAnswer),
  }),
  query("interpreter", {
    summary: "The interpreter that runs the user's own policies, as WebAssembly",
    types: OCTETS,
    respond: async (_request, { server }) =>
      new Response(await interpreter(server.config.root), { headers: { "Content-Type": "application/wasm" } }),
  }),
  query("addUpload", {
    summary: "Uploads a file as the raw body",
    parameters: [text("x-file-name", "the file's name, percent-encoded UTF-8; for display only", "header")],
    status: 201,
    waitsForClient: true,
    respond: async (request, { server }) => receiveUpload(request, server),
  }),
  query("removeUpload", {
    summary: "Removes an upload",
    status: 204,
    respond: async (_request, { id, server }) => {
      await server.removeUpload(id);
      return nothing();
    },
  }),
  query("profiles", {
    summary: "Stored context profiles",
    respond: async (_request, { server }) => Response.json({ profiles: await server.profiles.list() }),
  }),
  query("addProfile", {
    summary: "Stores a context profile",
    status: 201,
    respond: async (request, { server }) => {
      const { name, profile, session } = profileRequest.parse(await jsonBody(request, PROFILE_BYTES));
      const kept = session === undefined ? profile : await recordedProfile(await server.open(session));
      return Response.json(await server.profiles.add(name, parseProfile(kept)), { status: 201 });
    },
  }),
  query("removeProfile", {
    summary: "Removes a context profile",
    status: 204,
    respond: async (_request, { id, server }) => {
      await server.profiles.remove(id);
      return nothing();
    },
  }),
  query("health", {
    summary: "Health check",
    respond: async () => Response.json({ status: "ok", version: VERSION }),
  }),
];

/**
 * The encoded columns of a session. If the client already has them, the answer is 304 without reading anything: the tag consists of the file's
 * version, the program's build and the requested token columns. For a version that is still held, the client may request further columns (`at`), or a
 * delta to columns that it has (`since`).
 */
async function columnsResponse(
  request: Request,
  server: AppServer,
  id: string,
  query: URLSearchParams,
): Promise<Response> {
  const wanted = wantedBy(query);
  const entry = await server.catalog.get(id);
  const encoding = server.config.packs ? encodingFor(request.headers.get("accept-encoding")) : "identity";
  const tag = `"${[server.build, versionKey(entry.version), wantedKey(wanted), encoding].join(".")}"`;
  const at = query.get("at");
  const held = at === null ? undefined : server.store.heldColumns(id, at, wanted, encoding);
  if (held !== undefined && at !== null)
    return octets(server, await held, encoding, { [VERSION_HEADER]: at, "Cache-Control": "no-store" });
  const version = { [VERSION_HEADER]: versionKey(entry.version) };
  const since = query.get("since");
  // Nothing has changed, even if that version is no longer held.
  if (since === versionKey(entry.version)) return new Response(null, { status: 204, headers: version });
  const delta = since === null ? undefined : await server.store.delta(entry, since, wanted, encoding);
  if (delta !== undefined) return octets(server, delta, encoding, { ...version, "Cache-Control": "no-store" });
  const headers = { ...version, ETag: tag, Vary: "Accept-Encoding", "Cache-Control": "private, no-cache" };
  if (matchesTag(request.headers.get("if-none-match"), tag)) return new Response(null, { status: 304, headers });
  const body = await server.store.columns(entry, wanted, encoding);
  return octets(server, body, encoding, headers);
}

function octets({ config }: AppServer, body: Packed, encoding: Encoding, headers: Record<string, string>) {
  return new Response(body, {
    headers: {
      ...headers,
      "Content-Type": "application/octet-stream",
      ...(config.packs ? packedHeaders(encoding, body.length) : {}),
    },
  });
}
