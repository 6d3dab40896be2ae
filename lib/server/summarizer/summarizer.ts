import { createHash } from "node:crypto";
import type { Tokens } from "@/lib/core/base/units";
import { costOfOne, dollarsOf } from "@/lib/core/cost/money";
import type { Prices } from "@/lib/core/prices/prices";
import { ratesFor } from "@/lib/core/prices/rates-at";
import type { BoundaryPrompt } from "@/lib/queries/answers/session-answers";
import type { MadeSummary, SummaryPreview, SummaryPreviewAnswer, SummaryPrompt } from "@/lib/queries/contract/schemas";
import type { SummarizerWire } from "@/lib/queries/contract/types";
import { type Endpoint, endpointWire, keyOf, silenceOf } from "../base/endpoint";
import { usablePrices } from "../base/prices";
import { estimatorOf } from "../read/numbers/estimators";
import { maskSecrets } from "../secrets/mask-secrets";
import { type Answered, callEndpoint } from "./call-endpoint";
import { PROTOCOLS, type SentPrompt } from "./protocols";
import { type StoredSummary, SummaryStore } from "./summary-store";

/** A preview of a request, and its body. */
export interface PreparedSummary {
  readonly asked: BoundaryPrompt;
  readonly answer: SummaryPreviewAnswer;
  /** The body that `answer.preview` shows; absent if nothing can be sent. */
  readonly body: string | undefined;
}

/** Events while summaries are made. */
interface SummaryListener {
  readonly signal: AbortSignal;
  readonly onText: (sample: number, text: string) => void;
  readonly onMade: (sample: number, summary: MadeSummary) => void;
}

/** Real summaries: an agent's own prompt, sent to the user's endpoint, and the stored answers. */
export class Summarizer {
  readonly #store: SummaryStore;

  /**
   * @param folder of stored answers
   * @param env holds the key, which is read for each call and stored nowhere
   * @param prices in place of the usual ones
   */
  constructor(
    private readonly endpoint: Endpoint,
    folder: string,
    private readonly env: Readonly<Record<string, string | undefined>>,
    private readonly prices?: Prices,
  ) {
    this.#store = new SummaryStore(folder);
  }

  /** The endpoint for display. */
  get wire(): SummarizerWire {
    return endpointWire(this.endpoint, this.env);
  }

  /** The exact request for the summary of a boundary, and its stored summaries. Opens no connection. */
  async prepare(asked: BoundaryPrompt): Promise<PreparedSummary> {
    const { policy, preset, estimator, summaryTokens, prompt } = asked;
    const shown = { summarizer: this.wire, policy, preset, estimator, summaryTokens };
    const unknown = unknownPart(asked);
    if (prompt === null || unknown !== null) {
      return { asked, answer: { ...shown, preview: null, unknown: unknown ?? "policy", made: [] }, body: undefined };
    }
    const { sent, masked } = await maskedPrompt(prompt);
    const body = JSON.stringify(PROTOCOLS[this.endpoint.protocol].body(this.endpoint.model, sent));
    const { text: count } = await estimatorOf(estimator);
    const texts = [sent.system ?? "", ...sent.messages.map(({ content }) => content)];
    const tokens = texts.reduce((sum, text) => sum + count(text), 0);
    const digest = this.#digest(body);
    const preview: SummaryPreview = {
      digest,
      tokens,
      masked,
      notes: prompt.notes,
      bytes: Buffer.byteLength(body),
      system: sent.system,
      messages: [...sent.messages],
      usd: this.#price(tokens, summaryTokens),
    };
    const made = await this.#measured(asked, prompt, await this.#store.of(digest));
    return { asked, answer: { ...shown, preview, unknown: null, made: [...made] }, body };
  }

  /**
   * Sends the prepared request the given number of times, one after another: a failure ends it, and earlier summaries are kept. Rejects with
   * `EndpointError`.
   */
  async make({ asked, answer, body }: PreparedSummary, samples: number, listener: SummaryListener): Promise<void> {
    const { prompt } = asked;
    if (answer.preview === null || body === undefined || prompt === null) return;
    const { digest } = answer.preview;
    const { signal, onText, onMade } = listener;
    for (let sample = 0; sample < samples; sample++) {
      const answered = await callEndpoint({
        endpoint: this.endpoint,
        key: keyOf(this.endpoint, this.env),
        silence: silenceOf(this.env),
        body,
        signal,
        onText: (text) => onText(sample, text),
      });
      // A paid answer is kept even if no client waits for it any more.
      const kept = this.#kept(answered);
      const id = await this.#store.add(digest, kept);
      const [summary] = await this.#measured(asked, prompt, [{ ...kept, id }]);
      if (summary !== undefined) onMade(sample, summary);
    }
  }

  #digest(body: string): string {
    const { url, protocol } = this.endpoint;
    return createHash("sha256")
      .update(JSON.stringify([protocol, url.href, body]))
      .digest("hex");
  }

  #kept({ text, isCut, input, output }: Answered): StoredSummary {
    const { url, model } = this.endpoint;
    return {
      madeAt: new Date().toISOString(),
      host: url.host,
      model,
      text,
      isCut,
      input: input ?? null,
      output: output ?? null,
    };
  }

  async #measured(
    { estimator, scores }: BoundaryPrompt,
    { around }: SummaryPrompt,
    stored: readonly (StoredSummary & { readonly id: string })[],
  ): Promise<readonly MadeSummary[]> {
    const { text: count } = await estimatorOf(estimator);
    const scored = await scores(stored.map(({ text }) => text));
    return stored.map(({ id, madeAt, text, isCut, input, output }, index) => ({
      id,
      madeAt,
      text,
      isCut,
      usage: { input, output },
      tokens: count(around.join(text)),
      textTokens: count(text),
      score: scored[index] ?? null,
    }));
  }

  /** Today's list prices of the prompt, and of an answer with the size of the boundary's summary. */
  #price(prompt: Tokens, summary: Tokens): SummaryPreview["usd"] {
    const entry = (this.prices ?? usablePrices()).find(this.endpoint.model);
    const rates = entry && ratesFor(entry, Date.now(), prompt);
    if (rates === undefined) return null;
    return {
      prompt: dollarsOf(costOfOne(prompt, rates.input, 1)),
      answer: dollarsOf(costOfOne(summary, rates.output, 1)),
    };
  }
}

/** Parts that a prompt must have. The session's own system prompt may be missing in the file; the preview says so. */
const NEEDED = ["onServer", "instructionsUnknown", "systemUnknown"] as const;

/** Reason why a boundary's prompt cannot be sent; null if it can. */
function unknownPart({ prompt, isAsked }: BoundaryPrompt): SummaryPreviewAnswer["unknown"] {
  if (!isAsked) return "noCall";
  if (prompt === null) return "policy";
  return NEEDED.find((note) => prompt.notes.includes(note)) ?? null;
}

/** The prompt as messages, with likely secrets masked. Adjacent messages of one role are merged, since many models require alternating roles. */
async function maskedPrompt({
  system,
  messages,
  text,
}: SummaryPrompt): Promise<{ readonly sent: SentPrompt; readonly masked: SummaryPreview["masked"] }> {
  const joined: { role: SentPrompt["messages"][number]["role"]; content: string }[] = [];
  for (const { role, text: content } of [...messages, { role: "user" as const, text }]) {
    const last = joined.at(-1);
    if (content === "") continue;
    if (last?.role === role) last.content += `\n\n${content}`;
    else joined.push({ role, content });
  }
  const { texts, masked } = await maskSecrets([system ?? "", ...joined.map(({ content }) => content)]);
  const [ownSystem = "", ...contents] = texts;
  return {
    masked,
    sent: {
      system: system === null ? null : ownSystem,
      messages: joined.map(({ role }, index) => ({ role, content: contents[index] ?? "" })),
    },
  };
}
