import { effectiveReserve, PRESSURE_MARGIN, type PromptRoute, promptRoute } from "@/lib/agents/openclaw/base/constants";
import type { AgentMessage } from "@/lib/agents/openclaw/messages/message";
import { finite, objectOf, textOf } from "@/lib/agents/openclaw/messages/value";
import { MESSAGE_TOKENS, messagePressure, textPressure } from "@/lib/agents/openclaw/sent/pressure";
import { sumOf } from "@/lib/core/base/numbers";
import type { Chars, Tokens } from "@/lib/core/base/units";
import { reducibleResultChars } from "./result-budget";
import { isUsageUnknown } from "./usage";

interface PromptQuestion {
  readonly messages: readonly AgentMessage[];
  readonly prompt: string;
  readonly systemPrompt?: string | undefined;
  readonly toolSchemaTokens?: Tokens | undefined;
  readonly window: Tokens;
  readonly reserveTokens: Tokens;
  /** Maximum chars of a tool result, if the window does not decide that. */
  readonly maxResultChars?: Chars | undefined;
}

interface PromptDecision {
  readonly route: PromptRoute;
  readonly estimatedTokens: Tokens;
  /** True if the estimate includes a measured size. */
  readonly measured: boolean;
  readonly budget: Tokens;
  readonly reserve: Tokens;
  readonly overflowTokens: Tokens;
  readonly reducibleChars: Chars;
}

/** Decides if a prompt fits the window minus the reserve, and how to make it fit. */
export function promptDecision(question: PromptQuestion): PromptDecision {
  const window = Math.max(1, Math.floor(question.window));
  const reserve = effectiveReserve(window, question.reserveTokens);
  const budget = Math.max(1, window - reserve);
  const boundary = measuredBoundary(question.messages);
  const estimatedTokens = promptPressure(question, boundary);
  const overflowTokens = Math.max(0, estimatedTokens - budget);
  const reducibleChars = reducibleResultChars(question.messages, question.window, question.maxResultChars);
  return {
    route: promptRoute(overflowTokens, reducibleChars),
    estimatedTokens,
    measured: boundary !== undefined,
    budget,
    reserve,
    overflowTokens,
    reducibleChars,
  };
}

interface MeasuredBoundary {
  readonly at: number;
  readonly tokens: Tokens;
}

/** The last response that states the size of its context; none if a later one says that the size is unknown. */
function measuredBoundary(messages: readonly AgentMessage[]): MeasuredBoundary | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at] ?? {};
    if (isUsageUnknown(message)) return undefined;
    const usage = message.role === "assistant" ? objectOf(objectOf(message.usage).contextUsage) : {};
    const tokens = finite(usage.totalTokens) ?? 0;
    if (usage.state === "available" && tokens > 0) return { at, tokens: Math.ceil(tokens) };
  }
  return undefined;
}

/** Estimate of the prompt; a measured size already includes the tools. */
function promptPressure(question: PromptQuestion, boundary: MeasuredBoundary | undefined): Tokens {
  const { messages, prompt, systemPrompt, toolSchemaTokens } = question;
  const rest = boundary === undefined ? messages : messages.slice(boundary.at + 1);
  const system = (textOf(systemPrompt) ?? "").trim() === "" ? 0 : MESSAGE_TOKENS + textPressure(systemPrompt ?? "");
  const local = sumOf(rest.map(messagePressure)) + system + MESSAGE_TOKENS + textPressure(prompt);
  const tools = boundary === undefined ? Math.max(0, toolSchemaTokens ?? 0) : 0;
  return (boundary?.tokens ?? 0) + Math.ceil(local * PRESSURE_MARGIN) + tools;
}
