import type { AppLocale } from "./locales";
import enCommon from "./messages/en/common.json";
import enCompare from "./messages/en/compare.json";
import enContributors from "./messages/en/contributors.json";
import enCost from "./messages/en/cost.json";
import enInsights from "./messages/en/insights.json";
import enMetrics from "./messages/en/metrics.json";
import enReplay from "./messages/en/replay.json";
import enSession from "./messages/en/session.json";
import enSessions from "./messages/en/sessions.json";
import enSweep from "./messages/en/sweep.json";
import zhCommon from "./messages/zh-CN/common.json";
import zhCompare from "./messages/zh-CN/compare.json";
import zhContributors from "./messages/zh-CN/contributors.json";
import zhCost from "./messages/zh-CN/cost.json";
import zhInsights from "./messages/zh-CN/insights.json";
import zhMetrics from "./messages/zh-CN/metrics.json";
import zhReplay from "./messages/zh-CN/replay.json";
import zhSession from "./messages/zh-CN/session.json";
import zhSessions from "./messages/zh-CN/sessions.json";
import zhSweep from "./messages/zh-CN/sweep.json";

const en = {
  common: enCommon,
  sessions: enSessions,
  session: enSession,
  contributors: enContributors,
  cost: enCost,
  insights: enInsights,
  metrics: enMetrics,
  replay: enReplay,
  compare: enCompare,
  sweep: enSweep,
};
const zh = {
  common: zhCommon,
  sessions: zhSessions,
  session: zhSession,
  contributors: zhContributors,
  cost: zhCost,
  insights: zhInsights,
  metrics: zhMetrics,
  replay: zhReplay,
  compare: zhCompare,
  sweep: zhSweep,
};

/** The type of the messages. Every other language must have the same keys as English. */
export type AppMessages = typeof en;

export const MESSAGES = { en, "zh-CN": zh } satisfies Record<AppLocale, AppMessages>;

declare module "use-intl" {
  interface AppConfig {
    Locale: AppLocale;
    Messages: AppMessages;
  }
}
