import { serversOf } from "../../base/mcp-server";
import type { SessionColumns } from "../../columns/columns";
import { numberSpec } from "./common-settings";
import type { SettingSpec, Settings } from "./settings";

/** Keys of the settings that change the inputs of the context, for any policy. */
export const INPUT_KEYS = ["inputTruncateTokens", "inputClearAfter", "inputWithout", "inputReferences"] as const;

/** True if a key belongs to one of these settings. */
export function isInputKey(key: string): boolean {
  return INPUT_KEYS.some((one) => one === key);
}

/** Choice that omits no tool. */
const NO_TOOL = "none";

/**
 * Input settings ("what-if on inputs"), which every policy has in addition to its own. All are off by default, and the inputs are then as recorded.
 * `inputWithout` offers the session's own servers (`server:NAME`) and tools (`tool:NAME`).
 */
export function inputSettings({ tables }: Pick<SessionColumns, "tables">): readonly SettingSpec[] {
  const servers = serversOf(tables.tools).names.map((name) => `server:${name}`);
  return [
    numberSpec("inputTruncateTokens", "Cut results to", "tokens", [0, 50_000, 250], 0, {
      kind: "code",
      text: "openai/codex truncate_middle",
      notes: ["cutInTheMiddle"],
      values: { least: "2,000", most: "50,000" },
    }),
    numberSpec("inputClearAfter", "Clear results after", "requests", [0, 200, 1], 0, {
      kind: "ours",
      notes: ["clearedBefore"],
    }),
    {
      key: "inputWithout",
      label: "Without",
      type: "choice",
      choices: [NO_TOOL, ...servers, ...tables.tools.map((name) => `tool:${name}`)],
      default: NO_TOOL,
      source: {
        kind: "ours",
        notes: ["leftOut"],
      },
    },
    {
      key: "inputReferences",
      label: "Repeats by reference",
      type: "boolean",
      default: false,
      source: {
        kind: "ours",
        notes: ["byReference"],
        values: { tokens: "12" },
      },
    },
  ];
}

/** Changes of the inputs. */
export interface InputChanges {
  /** Maximum tokens of a result; `undefined` means no limit. */
  readonly truncateTo: number | undefined;
  /** Number of requests after which a result is cleared; `undefined` means never. */
  readonly clearAfter: number | undefined;
  /** True if a tool, given as its index in `tables.tools`, is omitted. */
  readonly isWithout: (tool: number) => boolean;
  readonly references: boolean;
}

/** Input changes of the settings; `undefined` if there are none. */
export function inputChanges({ tables }: Pick<SessionColumns, "tables">, settings: Settings): InputChanges | undefined {
  const { inputTruncateTokens, inputClearAfter, inputWithout = NO_TOOL, inputReferences } = settings;
  const truncateTo = positive(inputTruncateTokens);
  const clearAfter = positive(inputClearAfter);
  const references = inputReferences === true;
  if (truncateTo === undefined && clearAfter === undefined && inputWithout === NO_TOOL && !references) return undefined;
  return { truncateTo, clearAfter, isWithout: withoutRule(tables.tools, String(inputWithout)), references };
}

function positive(value: Settings[string] | undefined): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}

function withoutRule(tools: readonly string[], choice: string): (tool: number) => boolean {
  if (choice === NO_TOOL) return () => false;
  const { names, ofTool } = serversOf(tools);
  const server = choice.startsWith("server:") ? names.indexOf(choice.slice("server:".length)) : -1;
  const only = choice.startsWith("tool:") ? tools.indexOf(choice.slice("tool:".length)) : -1;
  return (tool) => tool >= 0 && (tool === only || (server >= 0 && ofTool[tool] === server));
}
