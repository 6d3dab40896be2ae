import { z } from "zod";
import { GROUPINGS } from "@/lib/core/analysis/contributor-groups";
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
  wasteOfSession,
} from "./answers/session-answers";
import { costChoice, countingMode } from "./contract/schemas";
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

/** Maximum contributors per answer. */
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

/** Query of `GET …/waste`; default estimator: the recording's own agent's. */
const wasteQuery = z.object({ estimator: z.string().optional() });

/** Query of `GET …/cost`, like the command line's options. */
const costQuery = z.object(costChoice);

/** Query of `GET …/overhead`; default estimator: the recording's own agent's. */
const overheadQuery = z.object({ estimator: z.string().optional() });

/** Queries that one opened session can answer without the list: over HTTP, and in the page without a server. */
export const SESSION_QUERIES: readonly SessionQuery[] = [
  sessionQuery("breakdown", {
    summary: "Contents of the window at a request",
    query: breakdownQuery,
    ofSession: async (session, { search }, profile) =>
      toBreakdownAnswer(await breakdownOfSession(session, { ...search, profile })),
  }),
  sessionQuery("contributors", {
    summary: "Contributors to the context up to a request",
    query: contributorsQuery,
    ofSession: (session, { search }, profile) => contributorsOfSession(session, { ...search, profile }),
  }),
  sessionQuery("waste", {
    summary: "Wasted tokens, with fixes",
    query: wasteQuery,
    ofSession: (session, { search }, profile) => wasteOfSession(session, { ...search, profile }),
  }),
  sessionQuery("cost", {
    summary: "Cost of the session at list prices",
    query: costQuery,
    ofSession: async (session, { search }) => costOfSession(session, search, usablePrices()),
    respond: async (_request, { id, server, search }) => {
      const wanted = costQuery.parse(Object.fromEntries(search));
      const { session } = await server.openWithProfile(id);
      const cost = costOfSession(session, wanted, usablePrices());
      // The list includes the subagents with their own files, at the prices with which it was made.
      const isListed = wanted.on === undefined && (wanted.priceDate ?? "recorded") === "recorded";
      const subagents = isListed ? (await server.listing.billOf(id))?.subagents : undefined;
      if (subagents == null) return Response.json(cost);
      const each = await server.listing.subagentParts(id);
      return Response.json({ ...cost, bill: { ...cost.bill, subagents: { ...subagents, each } } });
    },
  }),
  sessionQuery("fidelity", {
    summary: "Recorded compactions compared with the agent's own policy",
    ofSession: async (session, _asked, profile) => ({ fidelity: await fidelityOfSession(session, profile) }),
  }),
  sessionQuery("boundary", {
    summary: "A compaction item by item, with its texts",
    ofSession: (session, { body }, profile) => boundaryTextsOfSession(session, body, profile),
  }),
  sessionQuery("ledger", {
    summary: "Content re-fetched after compactions, recorded or under a policy",
    ofSession: (session, { body }, profile) => ledgerOfSession(session, body, profile),
  }),
  sessionQuery("replay", {
    summary: "Replay of the session under a policy",
    ofSession: (session, { body }, profile) => replaySession(session, body, profile),
  }),
  sessionQuery("compare", {
    summary: "Comparison of several policies on the session",
    ofSession: (session, { body }, profile) => compareSession(session, body, profile),
  }),
  sessionQuery("overhead", {
    summary: "Known overhead that the file does not contain",
    query: overheadQuery,
    ofSession: (session, { search }) => overheadOfSession(session, search.estimator),
    respond: async (_request, { id, server, search }) => {
      const { estimator } = overheadQuery.parse(Object.fromEntries(search));
      const session = await server.open(id);
      return Response.json(await overheadOfSession(session, estimator, await server.profileOf(id, session)));
    },
  }),
];
