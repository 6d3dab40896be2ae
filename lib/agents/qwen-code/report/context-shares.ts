import type { Share, Tokens } from "@/lib/core/base/units";
import { autocompactBuffer, COMPACT_SHARE } from "../base/constants";

/** The arithmetic of the documented `/context` over sizes. Browser-safe. Source: README.md, "Context report, as documented". */

/** Estimates of the fixed parts of every request. */
export interface DocumentedSizes {
  readonly system: Tokens;
  /** The declarations as one JSON text. */
  readonly tools: Tokens;
  readonly skills: Tokens;
  readonly mcp: Tokens;
  readonly memory: Tokens;
  /** Overhead known only as a sum; absent in the program, which always knows its own parts. */
  readonly unknown?: Tokens;
}

interface WindowQuestion {
  readonly window: Tokens;
  readonly threshold?: Share | undefined;
  /** The last prompt size that the provider reported; 0 if there was none. */
  readonly api: Tokens;
}

export interface DocumentedShares {
  readonly systemPrompt: Tokens;
  readonly builtinTools: Tokens;
  readonly mcpTools: Tokens;
  readonly memoryFiles: Tokens;
  readonly skills: Tokens;
  readonly unknown: Tokens;
  readonly messages: Tokens;
  readonly freeSpace: Tokens;
  readonly autocompactBuffer: Tokens;
  /** The factor that the overhead was scaled by: 1, or less if it exceeded the reported size. */
  readonly scale: number;
}

/**
 * The categories. Without a reported size, the overhead is shown as estimated and nothing is scaled. With one, a larger overhead is scaled down to
 * it, and the messages are the rest. It rounds and clamps as the program does.
 */
export function documentedShares(sizes: DocumentedSizes, question: WindowQuestion): DocumentedShares {
  const { window, threshold = COMPACT_SHARE, api } = question;
  const unknownSize = sizes.unknown ?? 0;
  const raw = sizes.system + sizes.tools + sizes.memory + unknownSize;
  const buffer = autocompactBuffer(window, threshold);
  const scale = api > 0 && raw > api ? api / raw : 1;
  const scaled = (tokens: Tokens) => Math.round(tokens * scale);
  const [system, tools, memory, unknown] = [
    scaled(sizes.system),
    scaled(sizes.tools),
    scaled(sizes.memory),
    scaled(unknownSize),
  ];
  const [skills, mcp] = [scaled(sizes.skills), scaled(sizes.mcp)];
  return {
    systemPrompt: system,
    builtinTools: Math.max(0, tools - skills - mcp),
    mcpTools: mcp,
    memoryFiles: memory,
    skills,
    unknown,
    messages: api > 0 ? Math.max(0, api - (system + tools + memory + unknown)) : 0,
    freeSpace: Math.max(0, window - (api > 0 ? api : raw) - buffer),
    autocompactBuffer: buffer,
    scale,
  };
}
