import type { core } from "zod";

/** Says what is wrong with a request that its schema refuses, in a sentence about the first wrong field. */
export function issueSentence(issue: core.$ZodIssue | undefined): string {
  if (issue === undefined) return "The request is malformed.";
  const place = issue.path.map(String).join(".") || "The request";
  return `${place} ${problemOf(issue)}.`;
}

function problemOf(issue: core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      // Zod does not expose the value; only its own sentence says that there is none.
      return /received undefined$/.test(issue.message)
        ? `is missing: it must be ${KINDS[issue.expected] ?? issue.expected}`
        : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case "too_small":
      return `must ${bound(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)}`;
    case "too_big":
      return `must ${bound(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum)}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "unrecognized_keys":
      return `has no field ${issue.keys.join(", ")}`;
    default:
      return issue.message;
  }
}

/** What a schema expects, in words. */
const KINDS: Readonly<Record<string, string>> = {
  array: "a list",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a text",
};

function bound(origin: string, how: string, limit: number | bigint): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `be ${how} ${limit}`;
  return `have ${how} ${limit} ${Number(limit) === 1 ? unit.one : unit.more}`;
}

const UNITS: Readonly<Record<string, { readonly one: string; readonly more: string }>> = {
  array: { one: "entry", more: "entries" },
  string: { one: "character", more: "characters" },
};
