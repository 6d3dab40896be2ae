import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import { z } from "zod";
import type { IndexDatabase } from "../database/database";
import type { Schema } from "../database/schema";
import { HttpError } from "../http/http-error";
import { fold } from "./session-list";

/** What chooses sessions, in queries of lists and of their sums alike. */
export const listFilter = z.object({
  q: z
    .string()
    .max(200)
    .optional()
    .describe(
      "words that are all to be found: in titles, names of files, agents, models, prompts, paths, tools, and in messages where the index has them",
    ),
  agent: z.string().max(60).optional(),
  project: z.string().max(1000).optional(),
  where: z
    .array(z.string().max(1200))
    .max(200)
    .default([])
    .describe("conditions: KEY=VALUE, KEY!=VALUE, and with figures < <= > >=; several = of one key mean any of them"),
});
export type ListFilter = z.infer<typeof listFilter>;

/** What conditions may be about: the columns of texts and of numbers. */
const TEXT_KEYS = ["agent", "project", "version", "day", "source", "state"] as const;
const NUMBER_KEYS = [
  ...(["requests", "compactions", "peak", "cost", "sent", "input", "output", "bytes", "fill"] as const),
  ...([
    "compacted",
    "faulty",
    "damaged",
    "problems",
    "accuracy",
    "fidelity",
    "needed",
    "repeated",
    "copy",
    "sample",
    "upload",
    "gone",
  ] as const),
] as const;
type TextKey = (typeof TEXT_KEYS)[number];
type NumberKey = (typeof NUMBER_KEYS)[number];

const OPERATORS = ["=", "!=", "<", "<=", ">", ">="] as const;
type Operator = (typeof OPERATORS)[number];

interface Condition {
  readonly key: TextKey | NumberKey | "model";
  readonly operator: Operator;
  /** `null` stands for what is not known. */
  readonly value: string | number | null;
}

/** Conditions as they are written: `cost>=1.5`, `agent=codex`, `project=` for no project. Throws `HttpError` 400. */
export function parseConditions(texts: readonly string[]): Condition[] {
  return texts.map(parseCondition);
}

function parseCondition(text: string): Condition {
  const [, key = "", operator = "", value = ""] = /^([a-z]+)\s*(!=|<=|>=|=|<|>)(.*)$/su.exec(text) ?? [];
  const known = [...TEXT_KEYS, "model" as const, ...NUMBER_KEYS].find((one) => one === key);
  const sign = OPERATORS.find((one) => one === operator);
  if (known === undefined || sign === undefined) {
    const keys = [...TEXT_KEYS, "model", ...NUMBER_KEYS].join(", ");
    throw new HttpError(400, `A condition is a key, one of ${OPERATORS.join(" ")}, and a value; keys: ${keys}.`);
  }
  if (value.trim() === "") {
    if (sign !== "=" && sign !== "!=") throw new HttpError(400, `${key}${operator} needs a value.`);
    return { key: known, operator: sign, value: null };
  }
  if (!isNumberKey(known)) return { key: known, operator: sign, value: value.trim() };
  const number = Number(value);
  if (!Number.isFinite(number)) throw new HttpError(400, `${key} is compared with a number.`);
  return { key: known, operator: sign, value: number };
}

function isNumberKey(key: string): key is NumberKey {
  return NUMBER_KEYS.some((one) => one === key);
}

type Builder = ExpressionBuilder<Schema, "sessions">;

/** Which sessions a server lists. */
export interface Listed {
  readonly sources: readonly string[];
  /** Samples are listed only where there is nothing else. */
  readonly samples: boolean;
}

/** The sessions that are listed and match. Throws `HttpError` 400 for a condition that says nothing. */
export function matching(database: IndexDatabase, listed: Listed, filter: ListFilter) {
  const conditions = parseConditions(filter.where);
  return (builder: Builder): Expression<SqlBool> => {
    const all: Expression<SqlBool>[] = [
      builder("source", "in", listed.sources),
      builder("shown", "=", 1),
      // Samples are listed where there is nothing else, or for who asks for them.
      ...(conditions.some(({ key }) => key === "sample") ? [] : [builder("sample", "=", listed.samples ? 1 : 0)]),
      // What is gone is listed only for who asks for it.
      ...(conditions.some(({ key }) => key === "gone") ? [] : [builder("gone", "=", 0)]),
    ];
    if (filter.agent) all.push(builder("agent", "=", filter.agent));
    if (filter.project) all.push(builder("project", "=", filter.project));
    for (const word of fold(filter.q ?? "")
      .split(/\s+/u)
      .filter(Boolean)) {
      all.push(builder("number", "in", database.found(word)));
    }
    return builder.and([...all, ...conditionsOf(builder, conditions)]);
  };
}

/** A filter without what it says of one key. Throws `HttpError` 400 for a condition that says nothing. */
export function withoutKey(filter: ListFilter, key: string): ListFilter {
  const { agent, project, where, q } = filter;
  const conditions = parseConditions(where);
  return {
    where: where.filter((_, at) => conditions[at]?.key !== key),
    ...(q !== undefined && { q }),
    ...(agent !== undefined && key !== "agent" && { agent }),
    ...(project !== undefined && key !== "project" && { project }),
  };
}

/** Equalities of one key are alternatives; everything else has to hold. */
function conditionsOf(builder: Builder, conditions: readonly Condition[]): Expression<SqlBool>[] {
  const equal = grouped(conditions);
  return [
    ...[...equal.values()].map((same) => builder.or(same.map((one) => conditionOf(builder, one)))),
    ...conditions.filter(({ operator }) => operator !== "=").map((one) => conditionOf(builder, one)),
  ];
}

function grouped(conditions: readonly Condition[]): Map<string, Condition[]> {
  const groups = new Map<string, Condition[]>();
  for (const one of conditions.filter(({ operator }) => operator === "=")) {
    groups.set(one.key, [...(groups.get(one.key) ?? []), one]);
  }
  return groups;
}

function conditionOf(builder: Builder, { key: asked, operator, value }: Condition): Expression<SqlBool> {
  if (asked === "model") return modelCondition(builder, operator, value);
  // How full a window was at most, from 0 to 1.
  const key = asked === "fill" ? "peak_share" : asked;
  if (value === null) return builder(key, operator === "=" ? "is" : "is not", null);
  if (operator !== "!=") return builder(key, operator, value);
  return builder.or([builder(key, "!=", value), builder(key, "is", null)]);
}

function modelCondition(builder: Builder, operator: Operator, value: Condition["value"]): Expression<SqlBool> {
  if (operator !== "=" && operator !== "!=") throw new HttpError(400, "model is compared with = or != only.");
  const models = builder
    .selectFrom("session_models")
    .select(sql<number>`1`.as("one"))
    .whereRef("session_models.id", "=", "sessions.id");
  const has = builder.exists(value === null ? models : models.where("model", "=", String(value)));
  // Without a value, the condition asks for sessions in which no model is named.
  return (operator === "=") === (value !== null) ? has : builder.not(has);
}
