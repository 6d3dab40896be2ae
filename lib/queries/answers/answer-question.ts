import { pricesOfModels } from "@/lib/core/prices/prices";
import { OpenedSession } from "@/lib/server/sessions/opened-session";
import type { SessionQuestionTask, TaskRunner } from "@/lib/server/threads/tasks";
import {
  boundaryOfSession,
  boundaryTextsOfSession,
  compareSession,
  contributorsOfSession,
  ledgerOfSession,
  replaySession,
} from "./questions";

/** Answers a query in this thread, where its policies are known. Rejects as the functions of `questions.ts` do. */
export function answerQuestion(task: SessionQuestionTask, runner: TaskRunner): Promise<unknown> {
  const { path, read, question, profile } = task;
  const session = new OpenedSession(path, read, runner);
  const prices = pricesOfModels(task.prices);
  switch (question.kind) {
    case "replay":
      return replaySession(session, question.asked, profile, prices);
    case "compare":
      return compareSession(session, question.asked, profile, prices);
    case "boundary":
      return boundaryOfSession(session, question.asked, question.asked.at, profile, prices);
    case "boundaryTexts":
      return boundaryTextsOfSession(session, question.asked, profile, prices);
    case "ledger":
      return ledgerOfSession(session, question.asked, profile, prices);
    case "contributors":
      return contributorsOfSession(session, question.asked);
  }
}
