import type { QwenCodePreset } from "@/lib/agents/qwen-code/base/presets";
import type { Tokens } from "@/lib/core/base/units";

/** Qwen Code's table of windows and output limits. Source: README.md, "Token limits". */

const K32 = 32_768;
const K64 = 65_536;
const K128 = 131_072;
const K256 = 262_144;
const K512 = 524_288;
const M1 = 1_000_000;

type Row = readonly [pattern: RegExp, tokens: Tokens];
type Direction = "input" | "output";

interface Table {
  /** The rows in order; the first match wins. */
  readonly rows: readonly Row[];
  readonly byDefault: Tokens;
}

const INPUT_DOCUMENTED: Table = {
  rows: [
    [/^gemini-/, M1],
    [/^gpt-5/, 400_000],
    [/^gpt-/, K128],
    [/^o\d/, 200_000],
    [/^claude-/, 200_000],
    [/^qwen3-coder-(?:plus|flash)/, M1],
    [/^qwen3\.5-plus/, M1],
    [/^(?:qwen-(?:plus|flash)-latest|coder-model)$/, M1],
    [/^qwen/, K256],
    [/^deepseek/, K128],
    [/^glm-/, 202_752],
    [/^minimax-m2\.5/, M1],
    [/^minimax-/, 200_000],
    [/^kimi-/, K256],
    [/^seed-oss/, K512],
  ],
  byDefault: K128,
};

const OUTPUT_DOCUMENTED: Table = {
  rows: [
    [/^gemini-3/, K64],
    [/^gemini-/, 8192],
    [/^gpt-5/, K128],
    [/^gpt-/, 16_384],
    [/^o\d/, K128],
    [/^claude-opus-4-6/, K128],
    [/^claude-/, K64],
    [/^qwen3\.5/, K64],
    [/^coder-model$/, K64],
    [/^qwen3-max/, K64],
    [/^deepseek-reasoner/, K64],
    [/^deepseek-chat/, 8192],
    [/^glm-5/, 16_384],
    [/^glm-4\.7/, 16_384],
    [/^minimax-m2\.5/, K64],
    [/^kimi-k2\.5/, K32],
  ],
  byDefault: 8192,
};

const LARGE_OPUS = /^claude-opus-(?:4-[678]|5)/;

const INPUT_CURRENT: Table = {
  rows: [
    [/^gemini-/, M1],
    [/^gpt-5/, 272_000],
    [/^gpt-/, K128],
    [/^o\d/, 200_000],
    [LARGE_OPUS, M1],
    [/^claude-/, 200_000],
    [/^qwen3-coder-(?:plus|flash)/, M1],
    [/^qwen3\.\d/, M1],
    [/^(?:qwen-(?:plus|flash)-latest|coder-model)$/, M1],
    [/^qwen/, K256],
    [/^deepseek-(?:v4|flash)/, M1],
    [/^deepseek/, K128],
    [/^glm-5(?:\.[01])?(?:-|$)/, 202_752],
    [/^glm-(?:[5-9]|\d{2,})/, M1],
    [/^glm-/, 202_752],
    [/^minimax-m3/, M1],
    [/^minimax-m2\.5/, 196_608],
    [/^minimax-/, 200_000],
    [/^kimi-k3/, M1],
    [/^kimi-/, K256],
    [/^seed-oss/, K512],
  ],
  byDefault: 200_000,
};

const OUTPUT_CURRENT: Table = {
  rows: [
    [/^gemini-3/, K64],
    [/^gemini-/, 8192],
    [/^gpt-5/, K128],
    [/^gpt-/, 16_384],
    [/^o\d/, K128],
    [LARGE_OPUS, 128_000],
    [/^claude-/, K64],
    [/^qwen3\.\d/, K64],
    [/^coder-model$/, K64],
    [/^qwen/, K32],
    [/^deepseek-(?:v4|flash)/, 384_000],
    [/^deepseek-(?:reasoner|r1)/, K64],
    [/^deepseek-chat/, 8192],
    [/^glm-5(?:\.\d+)?(?:-|$)/, K128],
    [/^glm-4\.7/, 16_384],
    [/^minimax-m2\.5/, K64],
    [/^kimi-k3/, K128],
    [/^kimi-k2\.5/, K32],
  ],
  byDefault: 32_000,
};

const TABLES: Readonly<Record<QwenCodePreset, Readonly<Record<Direction, Table>>>> = {
  "as-documented": { input: INPUT_DOCUMENTED, output: OUTPUT_DOCUMENTED },
  current: { input: INPUT_CURRENT, output: OUTPUT_CURRENT },
};

/** A model's limit for input or output; the preset's default if no row matches. */
export function tokenLimit(model: string, direction: Direction, preset: QwenCodePreset): Tokens {
  const { rows, byDefault } = TABLES[preset][direction];
  const name = normalizedModel(model, preset);
  return rows.find(([pattern]) => pattern.test(name))?.[1] ?? byDefault;
}

const ROUTE_TAG = /:(?:free|beta|extended|thinking|online|nitro|floor|latest|\d+(?:\.\d+)?(?:x\d+)?b(?:-[\w.]+)*)$/;
const DOTTED_CLAUDE = /^(claude-[a-z]+-\d+(?:-\d+)?)\.(\d+)(?:\.\d+)*/;
const NAMES_AS_THEY_ARE = /^(?:qwen-(?:plus|flash|vl-max)-latest|kimi-k2-\d{4})$/;
const VERSION_ENDING = /-(?:\d{4,}|\d+x\d+b|v\d+(?:\.\d+)*|(?<=-[^-]+-)\d+(?:\.\d+)+|latest|exp)$/;
const QUANTISATION_ENDING = /-(?:\d?bit|int[48]|bf16|fp16|q[45]|quantized)$/;

/** A model's name as the table has it: without provider, tags, dates, sizes and quantisation. */
export function normalizedModel(model: string, preset: QwenCodePreset): string {
  const current = preset === "current";
  let name = model.toLowerCase().trim();
  name = afterLast(name.replace(/^.*\//, ""), "|");
  if (current) name = name.replace(ROUTE_TAG, "");
  name = afterLast(name, ":").replace(/\s+/g, "-");
  if (current) name = name.replace(DOTTED_CLAUDE, "$1-$2");
  name = name.replaceAll("-preview", "");
  const whole = NAMES_AS_THEY_ARE.test(name) || (current && name.startsWith("deepseek-v4"));
  return (whole ? name : name.replace(VERSION_ENDING, "")).replace(QUANTISATION_ENDING, "");
}

function afterLast(text: string, separator: string): string {
  return text.slice(text.lastIndexOf(separator) + 1);
}
