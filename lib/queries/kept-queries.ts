import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { z } from "zod";
import { pricesAnswerFor } from "@/lib/server/base/prices";
import { VERSION } from "@/lib/server/base/version";
import { previewTexts } from "@/lib/server/export/texts";
import { columnsResponse } from "@/lib/server/http/columns-response";
import { sessionEvents } from "@/lib/server/http/events/session-events";
import { preparedSummary, summaryEvents } from "@/lib/server/http/events/summary-events";
import { EXPORT_TYPES, exportQuery, exportResponse } from "@/lib/server/http/export-response";
import { jsonBody, PROFILE_BYTES } from "@/lib/server/http/json-body";
import { receiveUpload } from "@/lib/server/http/receive-upload";
import { accuracyChoice } from "@/lib/server/read/numbers/accuracy";
import { recordedProfile } from "@/lib/server/sessions/recorded-profile";
import { parseProfile } from "@/lib/server/store/context-profile";
import {
  boundaryRequest,
  type OwnPoliciesAnswer,
  profileChoice,
  profileRequest,
  type summarizerAnswer,
  summaryRequest,
} from "./contract/schemas";
import { nothing, type Query, query } from "./query";

const text = (name: string, description: string, place: "query" | "header" = "query", otherwise?: string) => ({
  name,
  in: place,
  schema: otherwise === undefined ? { type: "string" } : { type: "string", default: otherwise },
  description,
});
const AT = text("at", "the version that is asked about; where it is no longer held, the present one");
const OCTETS = ["application/octet-stream"];

/** Query of `GET /api/prices`. */
const pricesQuery = z.object({ model: z.string().optional() });

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
  query("columns", {
    summary: "The session as numbers",
    parameters: [
      text(
        "tokens",
        "estimators whose token columns are wanted, separated by commas; own: the recording agent's, left out of a large file's answer",
      ),
      text("measures", "policies whose measures are wanted, separated by commas"),
      text(
        "since",
        "the version that the caller has the same columns of; while it is held, only what has changed since is sent",
      ),
      AT,
    ],
    types: OCTETS,
    respond: async (request, { id, server, search }) => columnsResponse(request, server, id, search),
  }),
  query("sessionEvents", {
    summary: "What changes, as server-sent events",
    respond: async (request, { id, server }) => sessionEvents(request, server, id),
  }),
  query("export", {
    summary: "The session in another form, as a file",
    query: exportQuery,
    types: Object.values(EXPORT_TYPES),
    waitsForClient: true,
    respond: async (_request, { id, server, search }) =>
      exportResponse(server, id, exportQuery.parse(Object.fromEntries(search))),
  }),
  query("exportPreview", {
    summary: "What an export with texts would hold",
    waitsForClient: true,
    respond: async (request, { id, server }) =>
      Response.json(await previewTexts(await server.open(id), request.signal)),
  }),
  query("summaryPreview", {
    summary: "Exactly what would be sent for a compaction's summary",
    respond: async (request, { id, server }) => {
      const { prepared } = await preparedSummary(server, id, boundaryRequest.parse(await jsonBody(request)));
      return Response.json(prepared.answer);
    },
  }),
  query("summary", {
    summary: "Sends it to that endpoint; server-sent events",
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
    summary: "The endpoint for real summaries that was named",
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
    summary: "Policies of one's own, as their files are",
    respond: async (_request, { server }) =>
      Response.json({ policies: [...server.policies()] } satisfies OwnPoliciesAnswer),
  }),
  query("interpreter", {
    summary: "What runs them, as WebAssembly",
    types: OCTETS,
    respond: async (_request, { server }) =>
      new Response(await interpreter(server.config.root), { headers: { "Content-Type": "application/wasm" } }),
  }),
  query("addUpload", {
    summary: "Sends a file as the raw body",
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
    summary: "Context profiles kept here",
    respond: async (_request, { server }) => Response.json({ profiles: await server.profiles.list() }),
  }),
  query("addProfile", {
    summary: "Keeps a context profile",
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
    summary: "Whether the server answers",
    respond: async () => Response.json({ status: "ok", version: VERSION }),
  }),
];
