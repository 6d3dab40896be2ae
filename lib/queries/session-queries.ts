import { z } from "zod";
import { GROUPINGS } from "@/lib/core/metrics/contributor-groups";
import {
  boundaryRequest,
  compareRequest,
  costChoice,
  countingMode,
  ledgerRequest,
  replayRequest,
} from "@/lib/queries/contract/schemas";
import { usablePrices } from "@/lib/server/base/prices";
import {
  boundaryTextsOfSession,
  breakdownOfSession,
  compareSession,
  contributorsOfSession,
  costOfSession,
  fidelityOfSession,
  ledgerOfSession,
  overheadOfSession,
  replaySession,
  toBreakdownAnswer,
} from "./answers/questions";
import { number, type SessionQuery, sessionQuery } from "./query";

const index = number(z.int().nonnegative());
const positive = number(z.int().positive());
const requestPoint = z.union([z.literal("last"), index], { error: "must be a request, counted from 0, or last" });

/** Query of `GET …/breakdown`, like the command line's options. */
const breakdownQuery = z.object({
  at: requestPoint.default("last"),
  window: positive.optional(),
  threshold: number(z.number().positive().max(1)).optional(),
  estimator: z.string().optional(),
  preset: z.string().optional(),
});

/** The most contributors of one answer. */
const MAX_CONTRIBUTORS = 1000;

/** Query of `GET …/contributors`, like the command line's options. */
const contributorsQuery = z.object({
  at: requestPoint.default("last"),
  by: z.enum(GROUPINGS).default("tool"),
  limit: number(z.int().positive().max(MAX_CONTRIBUTORS)).default(100),
  policy: z.string().default("recorded"),
  preset: z.string().optional(),
  window: positive.optional(),
  estimator: z.string().optional(),
  counting: countingMode.optional(),
});

/** Query of `GET …/cost`, as the command line's options. */
const costQuery = z.object(costChoice);

/** Query of `GET …/overhead`; by default the estimator is that of the recording's own agent. */
const overheadQuery = z.object({ estimator: z.string().optional() });

const fields = (search: URLSearchParams) => Object.fromEntries(search);

/** What one opened session answers by itself: over HTTP, and in the page without a server. */
export const SESSION_QUERIES: readonly SessionQuery[] = [
  sessionQuery({
    method: "GET",
    path: "/api/sessions/{id}/breakdown",
    summary: "What filled the window at a request",
    query: breakdownQuery,
    answer: { json: "breakdown" },
    ofSession: async (session, { search }, profile) =>
      toBreakdownAnswer(await breakdownOfSession(session, { ...breakdownQuery.parse(fields(search)), profile })),
  }),
  sessionQuery({
    method: "GET",
    path: "/api/sessions/{id}/contributors",
    summary: "Who filled the context until a request",
    query: contributorsQuery,
    answer: { json: "contributors" },
    ofSession: async (session, { search }, profile) =>
      contributorsOfSession(session, { ...contributorsQuery.parse(fields(search)), profile }),
  }),
  sessionQuery({
    method: "GET",
    path: "/api/sessions/{id}/cost",
    summary: "What the session cost by list prices",
    query: costQuery,
    answer: { json: "cost" },
    ofSession: async (session, { search }) => costOfSession(session, costQuery.parse(fields(search)), usablePrices()),
    respond: async (_request, { id, server, search }) => {
      const wanted = costQuery.parse(fields(search));
      const { session } = await server.openWithProfile(id);
      const cost = costOfSession(session, wanted, usablePrices());
      // The list knows the subagents that have files of their own, by the prices that it was made with.
      const isListed = wanted.on === undefined && (wanted.priceDate ?? "recorded") === "recorded";
      const subagents = isListed ? (await server.listing.billOf(id))?.subagents : undefined;
      return Response.json(subagents == null ? cost : { ...cost, bill: { ...cost.bill, subagents } });
    },
  }),
  sessionQuery({
    method: "GET",
    path: "/api/sessions/{id}/fidelity",
    summary: "Recorded compactions against the agent's own policy",
    answer: { json: "fidelityAnswer" },
    ofSession: async (session, _asked, profile) => ({ fidelity: await fidelityOfSession(session, profile) }),
  }),
  sessionQuery({
    method: "POST",
    path: "/api/sessions/{id}/boundary",
    summary: "A compaction item by item, with its texts",
    body: "boundaryRequest",
    answer: { json: "boundaryAnswer" },
    ofSession: async (session, { body }, profile) =>
      boundaryTextsOfSession(session, boundaryRequest.parse(body), profile),
  }),
  sessionQuery({
    method: "POST",
    path: "/api/sessions/{id}/ledger",
    summary: "What was needed again after compactions, recorded or under a policy",
    body: "ledgerRequest",
    answer: { json: "ledger" },
    ofSession: async (session, { body }, profile) => ledgerOfSession(session, ledgerRequest.parse(body), profile),
  }),
  sessionQuery({
    method: "POST",
    path: "/api/sessions/{id}/replay",
    summary: "The session under a policy",
    body: "replayRequest",
    answer: { json: "replayResult" },
    ofSession: async (session, { body }, profile) => replaySession(session, replayRequest.parse(body), profile),
  }),
  sessionQuery({
    method: "POST",
    path: "/api/sessions/{id}/compare",
    summary: "Several policies on the session, side by side",
    body: "compareRequest",
    answer: { json: "compareAnswer" },
    ofSession: async (session, { body }, profile) => compareSession(session, compareRequest.parse(body), profile),
  }),
  sessionQuery({
    method: "GET",
    path: "/api/sessions/{id}/overhead",
    summary: "What is known of the overhead beyond the file",
    query: overheadQuery,
    answer: { json: "overheadAnswer" },
    ofSession: async (session, { search }) => overheadOfSession(session, overheadQuery.parse(fields(search)).estimator),
    respond: async (_request, { id, server, search }) => {
      const { estimator } = overheadQuery.parse(fields(search));
      const session = await server.open(id);
      return Response.json(await overheadOfSession(session, estimator, await server.profileOf(id, session)));
    },
  }),
];
