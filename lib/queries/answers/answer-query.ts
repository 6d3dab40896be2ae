import { pricesOfModels } from "@/lib/core/prices/prices";
import { OpenedSession } from "@/lib/server/sessions/opened-session";
import type { QueryTask, TaskRunner } from "@/lib/server/threads/tasks";
import {
  boundaryOfSession,
  boundaryTextsOfSession,
  compareSession,
  contributorsOfSession,
  ledgerOfSession,
  replaySession,
} from "./session-answers";

/** Answers a query in this thread, where its policies are known. Rejects as the functions of `session-answers.ts` do. */
export function answerQuery(task: QueryTask, runner: TaskRunner): Promise<unknown> {
  const { path, read, query, profile } = task;
  const session = new OpenedSession(path, read, runner);
  const prices = pricesOfModels(task.prices);
  switch (query.kind) {
    case "replay":
      return replaySession(session, query.asked, profile, prices);
    case "compare":
      return compareSession(session, query.asked, profile, prices);
    case "boundary":
      return boundaryOfSession(session, query.asked, query.asked.at, profile, prices);
    case "boundaryTexts":
      return boundaryTextsOfSession(session, query.asked, profile, prices);
    case "ledger":
      return ledgerOfSession(session, query.asked, profile, prices);
    case "contributors":
      return contributorsOfSession(session, query.asked);
  }
}
