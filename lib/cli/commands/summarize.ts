import { countText, usdText } from "@/lib/core/base/number-text";
import { boundaryPromptOfSession } from "@/lib/queries/answers/session-answers";
import type { MadeSummary, ReplayRequest, SummaryPreviewAnswer } from "@/lib/queries/contract/schemas";
import { configFrom } from "@/lib/server/base/config";
import { endpointOf, type SummaryProtocol } from "@/lib/server/base/endpoint";
import { pricesOf } from "@/lib/server/base/prices";
import { Summarizer } from "@/lib/server/summarizer/summarizer";
import { summariesFolder } from "@/lib/server/summarizer/summary-store";
import { type ReplayingOptions, requestOf } from "../input/price-options";
import { profileFile } from "../input/profile-file";
import { withSession } from "../input/session-file";
import { EXIT, type ExitCode, exitCodeOf, say } from "../process/exit";
import { NOTES, section } from "../text/boundary-text";
import { write } from "../text/output";
import { printable } from "../text/printable";
import { summaryLines } from "./ledger";

export interface SummarizeOptions extends ReplayingOptions {
  /** The request before which the compaction happened. */
  readonly boundary: number;
  readonly summarizer: string;
  readonly model: string;
  readonly protocol?: SummaryProtocol;
  /** Default: the recorded compactions. */
  readonly policy?: string;
  readonly set?: NonNullable<ReplayRequest["settings"]>;
  readonly samples: number;
  /** Sends the previewed request; without it nothing is sent. */
  readonly yes?: boolean;
}

/**
 * `summarize FILE`: shows the exact request for a compaction's summary; with `yes` sends it and keeps the answers. Rejects with
 * `EndpointChoiceError`.
 */
export async function summarize(file: string, options: SummarizeOptions): Promise<ExitCode> {
  const { boundary, summarizer: url, model, protocol, samples, yes = false, json = false } = options;
  const summarizer = new Summarizer(
    endpointOf({ url, model, protocol }),
    summariesFolder(configFrom(process.env)),
    process.env,
    pricesOf(options.prices),
  );
  const request = requestOf(options.policy ?? "recorded", options.set, options);
  const profile = await profileFile(options.overhead, [file]);
  return withSession(file, options, async (session) => {
    const prepared = await summarizer.prepare(
      await boundaryPromptOfSession(session, { ...request, at: boundary }, profile),
    );
    const { answer } = prepared;
    const isSent = yes && answer.preview !== null;
    if (!json) await write(previewText(answer, boundary, isSent));
    const made: MadeSummary[] = [];
    let code: ExitCode = answer.preview === null ? EXIT.failed : EXIT.done;
    if (isSent) {
      const listener = {
        signal: new AbortController().signal,
        onText: () => undefined,
        onMade: (_sample: number, summary: MadeSummary) => {
          made.push(summary);
          say(`${made.length} of ${samples} summaries were received and stored.`);
        },
      };
      code = await summarizer.make(prepared, samples, listener).then(() => EXIT.done, exitCodeOf);
    }
    const all = { ...answer, made: [...answer.made, ...made] };
    await write(json ? `${JSON.stringify(all)}\n` : madeText(all));
    return code;
  });
}

const UNKNOWN = {
  policy: "The prompt that this agent sends for a summary is not known, so there is nothing to send.",
  noCall: "This compaction asks no model for a summary, so there is nothing to send.",
} as const;

function previewText(answer: SummaryPreviewAnswer, boundary: number, isSent: boolean): string {
  const { policy, preset, preview, unknown } = answer;
  const head = `${policy}@${preset}, before request ${countText(boundary)}`;
  if (preview === null || unknown !== null) {
    const why =
      unknown === "noCall" || unknown === "policy" || unknown === null ? UNKNOWN[unknown ?? "policy"] : NOTES[unknown];
    return `${printable(head)}\n${why}\n`;
  }
  const { system, messages } = preview;
  return `${[
    ...[head, ...whereLines(answer), ...sizeLines(answer)].map(printable),
    ...(system === null ? [] : [section("system", system)]),
    ...messages.map(({ role, content }) => section(role, content)),
    "---",
    isSent ? "This is sent." : "Nothing was sent. With --yes this is sent, and nothing else.",
  ].join("\n")}\n`;
}

function whereLines({ summarizer }: SummaryPreviewAnswer): readonly string[] {
  const { host, address, model, encrypted, hasKey } = summarizer;
  return [
    `to ${host}: ${address}${encrypted ? "" : ", not encrypted"}, model ${model}, ${hasKey ? "with a key" : "without a key"}`,
  ];
}

function sizeLines({ preview, estimator, summaryTokens }: SummaryPreviewAnswer): readonly string[] {
  if (preview === null) return [];
  const { bytes, tokens, usd, masked, notes, system } = preview;
  const count = masked.reduce((sum, one) => sum + one.count, 0);
  const rules = masked.map(({ rule, count: times }) => `${rule} ${countText(times)}`).join(", ");
  const price =
    usd === null
      ? "no list price of this model is known"
      : `${usdText(usd.prompt)} for it and ${usdText(usd.answer)} for a summary of ${countText(summaryTokens)} tokens, by today's list prices`;
  return [
    `${countText(bytes)} bytes, ${countText(tokens)} tokens by ${estimator}; ${price}, for each summary`,
    count === 0
      ? "no likely secret was found; no rule finds all of them"
      : `masked: ${countText(count)} likely secret${count === 1 ? "" : "s"} (${rules}); no rule finds all of them`,
    ...notes.map((note) => NOTES[note]),
    ...(notes.includes("systemOwn") && system === null ? ["The file does not hold it, so it is left out."] : []),
  ];
}

/** Stored summaries of this prompt, and the distances between them. */
function madeText({ made, summaryTokens }: SummaryPreviewAnswer): string {
  if (made.length === 0) return "";
  const sizes = made.map(({ tokens }) => tokens).sort((a, b) => a - b);
  const [least = 0, most = 0] = [sizes[0], sizes.at(-1)];
  const spread = made.length === 1 ? "" : `, ${countText(least)} to ${countText(most)} tokens`;
  return `${[
    "",
    `summaries for this prompt: ${countText(made.length)}${spread}; this boundary's own has ${countText(summaryTokens)}`,
    ...made.flatMap(({ madeAt, text, tokens, usage, isCut, score }) => [
      section(
        `${madeAt}, ${countText(tokens)} tokens (the endpoint: ${countText(usage.output)})${isCut ? ", cut off by a limit" : ""}`,
        text,
      ),
      ...summaryLines(score),
    ]),
  ].join("\n")}\n`;
}
