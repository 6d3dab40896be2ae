import { countedText, countText, usdText } from "@/lib/core/base/number-text";
import { paidAfter } from "@/lib/core/cost/break-even";
import type { WasteAnswer, WasteFinding } from "@/lib/queries/contract/schemas";
import { printable } from "./printable";

/** Rows of a finding for a person. JSON holds more. */
const SHOWN = 5;

/** The waste of one session: a sentence for each finding, with its fix and its largest rows. */
export function wasteText({ file, findings, sent, inputUsd, inherited }: WasteAnswer): string {
  const paid = inputUsd === null ? "" : `, ${usdText(inputUsd)} by list prices`;
  const without = inherited === 0 ? "" : `, without ${countedText(inherited, "inherited request")}`;
  const lines = [
    `${printable(file)}: ${findings.length === 0 ? "no waste found" : countedText(findings.length, "finding")}; ${countText(sent)} tokens sent${paid}${without}`,
    ...findings.flatMap((one) => [
      "",
      `  ${sentence(one)} (${CONFIDENCE[one.because]})`,
      `  ${FIXES[one.kind]}`,
      ...serverLines(one),
      ...rowLines(one),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * Sums of each kind over several sessions.
 * @param leftOut number of sessions that share requests with these
 */
export function wasteSumsText(answers: readonly WasteAnswer[], leftOut: number): string {
  const kinds = new Set(answers.flatMap(({ findings }) => findings.map(({ kind }) => kind)));
  const lines = [...kinds].map((kind) => {
    const own = answers.flatMap(({ findings }) => findings.filter((one) => one.kind === kind));
    const known = own.flatMap(({ usd }) => usd ?? []);
    const usd = known.reduce((sum, one) => sum + one, 0);
    const isLeast = known.length < own.length;
    const count = own.reduce((sum, one) => sum + one.count, 0);
    const price = known.length === 0 ? "n/a" : `${isLeast ? "≥ " : ""}${usdText(usd)}`;
    return `  ${NAMES[kind]}: ${countText(count)} in ${countedText(own.length, "session")}, ${price}`;
  });
  const head = `Over ${countedText(answers.length, "session")}; findings overlap, so they have no common sum${leftOut === 0 ? "" : `; ${countedText(leftOut, "session")} left out because they share requests with these`}:`;
  return `${[head, ...lines].join("\n")}\n`;
}

/** The MCP servers that the session never uses, each with the way to turn it off. */
function serverLines({ servers }: WasteFinding): readonly string[] {
  return servers.map(({ name, tools, tokens, usd, off }) => {
    const sent = [`${countText(tokens)} tokens sent`, ...(usd === null ? [] : [usdText(usd)])].join(", ");
    const how = off === null ? "" : `; off with: ${off.text}${off.file === null ? "" : ` in ${off.file}`}`;
    return printable(`    MCP server ${name}, ${countedText(tools, "tool")}, ${sent}${how}`);
  });
}

const NAMES: Readonly<Record<WasteFinding["kind"], string>> = {
  "unused-tools": "tools declared, never called",
  "read-again": "files read again unchanged",
  "unused-outputs": "large outputs of which only the outcome was used",
  instructions: "instructions files",
  images: "images kept after their turn",
  "idle-misses": "cache misses after pauses",
  "unpaid-compactions": "compactions that never paid",
};

const FIXES: Readonly<Record<WasteFinding["kind"], string>> = {
  "unused-tools": "Fix: turn off the servers that declare them, or load them on demand.",
  "read-again":
    "Fix: tell the agent in its instructions that files it has read and not changed are still in its context.",
  "unused-outputs": "Fix: run tests, builds and installations quietly, or print only the end of their output.",
  instructions:
    "Fix: keep what every request needs, and move the rest to files that the agent reads when it needs them.",
  images: "Fix: begin a new session once an image has served its purpose, or send a smaller one.",
  "idle-misses": "Fix: finish or compact before a long pause, or use a cache TTL of 1 h where the provider offers one.",
  "unpaid-compactions": "Fix: begin a new session instead, or compact only when much work is left.",
};

const CONFIDENCE: Readonly<Record<WasteFinding["because"], string>> = {
  recorded: "high confidence: recorded by the provider",
  estimated: "moderate confidence: sizes are estimated",
  terms: "low confidence: a use that names nothing in the output is not seen",
};

function sentence(one: WasteFinding): string {
  const { kind, count, outOf, tokens, usd } = one;
  const sent = tokens === null ? "" : `${countText(Math.round(tokens))} tokens sent`;
  const price = usd === null ? sent : `${sent === "" ? "" : `${sent}, `}${usdText(usd)}`;
  switch (kind) {
    case "unused-tools":
      return `${countText(count)} of ${countedText(outOf, "declared tool")} were never called: ${price}`;
    case "read-again":
      return `${countedText(count, "file")} ${count === 1 ? "was" : "were"} read again, unchanged and still in the context: ${price}`;
    case "unused-outputs":
      return `Of ${countedText(count, "large output")} of tests, builds or installations only the outcome was used: ${price}`;
    case "instructions":
      return `Instructions were sent with every request: ${price}`;
    case "images":
      return `${countedText(count, "image")} stayed in the context after their turn: ${price}`;
    case "idle-misses":
      return `${countedText(count, "pause")} outlasted the cache TTL: ${price}`;
    case "unpaid-compactions":
      return `${countText(count)} of ${countedText(outOf, "compaction")} never paid for themselves: ${price} not earned back`;
  }
}

function rowLines({ kind, rows, count }: WasteFinding): readonly string[] {
  const rest = count - Math.min(count, SHOWN);
  return [
    ...rows.slice(0, SHOWN).map((row) => `    ${[place(row), ...amounts(kind, row)].join(", ")}`),
    ...(rest === 0 ? [] : [`    … ${countText(rest)} more`]),
  ];
}

type Row = WasteFinding["rows"][number];

function place({ name, items, request }: Row): string {
  const item =
    items.length === 0 ? [] : [`item ${items.map(String).slice(0, 3).join(" and ")}${items.length > 3 ? " …" : ""}`];
  return [...(name === null ? [] : [printable(name)]), ...item, `request ${request}`].join(", ");
}

function amounts(kind: WasteFinding["kind"], { count, breakEven, tokens, usd }: Row): readonly string[] {
  const had = countedText(count, "request");
  const times: Readonly<Record<WasteFinding["kind"], readonly string[]>> = {
    "unused-tools": [`with ${had}`],
    "read-again": [`read again ${countedText(count, "time")}`],
    "unused-outputs": [`kept for ${had}`],
    instructions: [`${countText(Math.round((tokens ?? 0) / count))} tokens with each of ${had}`],
    images: [`kept for ${had}`],
    "idle-misses": [],
    "unpaid-compactions": [
      `${had} until the next one, ${breakEven === null ? "never pays" : `pays after ${paidAfter(breakEven)}`}`,
    ],
  };
  const sent = tokens === null ? [] : [`${countText(tokens)} tokens sent`];
  return [...times[kind], ...sent, ...(usd === null ? [] : [usdText(usd)])];
}
