import { MAX_REPLAYS } from "@/lib/core/analysis/grid";
import { requireChoice } from "@/lib/queries/session/session-context";
import { agentSettingsFiles } from "@/lib/server/agent-settings/shown-files";
import { ownPriceList } from "@/lib/server/base/prices";
import { indexingEvents } from "@/lib/server/http/events/indexing-events";
import { answerEvents } from "@/lib/server/http/events/insights-events";
import { requireSwept, sweepEvents } from "@/lib/server/http/events/sweep-events";
import { jsonBody } from "@/lib/server/http/json-body";
import { jsonResponse } from "@/lib/server/http/json-response";
import { reportResponse } from "@/lib/server/http/report-response";
import { outcomeQuery } from "@/lib/server/insights/outcome";
import { insightsQuery } from "@/lib/server/insights/overview";
import { choicesQuery } from "@/lib/server/list/choices";
import { facetsQuery } from "@/lib/server/list/facets";
import { listQuery } from "@/lib/server/list/list-query";
import { adviceRequest, indexingRequest, policiesRequest, reportRequest, sweepRequest } from "./contract/schemas";
import { nothing, type Query, query, withConditions } from "./query";

/** Queries about the session list, and about many sessions together. */
export const LIST_QUERIES: readonly Query[] = [
  query("sessions", {
    summary: "A page of the session list",
    query: listQuery,
    respond: async (_request, { server, search }) =>
      jsonResponse(await server.listing.list(listQuery.parse(withConditions(search)))),
  }),
  query("sessionFacets", {
    summary: "Sums over the matching sessions",
    query: facetsQuery,
    respond: async (_request, { server, search }) =>
      jsonResponse(await server.listing.facets(facetsQuery.parse(withConditions(search)))),
  }),
  query("sessionChoices", {
    summary: "Values by which the list can be filtered",
    query: choicesQuery,
    respond: async (_request, { server, search }) =>
      jsonResponse(await server.listing.choices(choicesQuery.parse(withConditions(search)))),
  }),
  query("sweep", {
    summary: `One or two settings over a range, as server-sent events; points × sessions are ${MAX_REPLAYS} at most`,
    status: 202,
    respond: async (request, { server }) => sweepEvents(request, server, sweepRequest.parse(await jsonBody(request))),
  }),
  query("report", {
    summary: "A report on sessions as one file, without texts",
    types: ["text/html"],
    waitsForClient: true,
    respond: async (request, { server }) =>
      reportResponse(request, server, reportRequest.parse(await jsonBody(request))),
  }),
  query("insights", {
    summary: "Findings, sums and distributions over the matching sessions, with their confidence",
    query: insightsQuery,
    respond: async (_request, { server, search }) => {
      const wanted = { ...withConditions(search), by: search.get("by") ?? undefined };
      return jsonResponse(await server.listing.overview(insightsQuery.parse(wanted)));
    },
  }),
  query("advice", {
    summary: "The recommended value of a setting over the matching sessions, as server-sent events",
    status: 202,
    respond: async (request, { server }) => {
      const wanted = adviceRequest.parse(await jsonBody(request));
      requireSwept(wanted, server);
      return answerEvents(request, (listener) => server.insights.advice(wanted, listener));
    },
  }),
  query("policies", {
    summary: "Comparison of policies over the matching sessions, as server-sent events",
    status: 202,
    respond: async (request, { server }) => {
      const wanted = policiesRequest.parse(await jsonBody(request));
      for (const run of wanted.runs) if (!server.isOwnPolicy(run.policy)) requireChoice(run);
      return answerEvents(request, (listener) => server.insights.policies(wanted, listener));
    },
  }),
  query("outcome", {
    summary: "Settings that recommend --apply wrote, with the recorded sessions before and after",
    query: outcomeQuery,
    respond: async (_request, { server, search }) =>
      jsonResponse(
        await server.listing.outcome(
          outcomeQuery.parse({ ...withConditions(search), seed: search.get("seed") ?? undefined }),
        ),
      ),
  }),
  query("indexing", {
    summary: "Progress of reading files, as server-sent events",
    respond: async (request, { server }) => indexingEvents(request, server),
  }),
  query("steerIndexing", {
    summary: "Stops the reading of files, resumes it, or reads all of them again",
    status: 204,
    respond: async (request, { server }) => {
      const { action } = indexingRequest.parse(await jsonBody(request));
      await server.listing.steerIndexing(action);
      return nothing();
    },
  }),
  query("sources", {
    summary: "Folders and databases that are searched for sessions",
    respond: async (_request, { server }) =>
      Response.json({
        sources: await server.listing.sources(),
        settings: await agentSettingsFiles(server.config),
        prices: ownPriceList(),
      }),
  }),
];
