import { BRIDGE, canonicalToolName } from "@/lib/agents/qwen-code/estimator";
import { type Content, callOf, type Part, partsOf, responseOf } from "@/lib/agents/qwen-code/messages/content";
import { type JsonObject, objectOf, textOf } from "@/lib/agents/shared/json";

/** Tool of a result: it knows the names of all versions, case-insensitively, and looks through the `tool_call` bridge. */

interface ToolIdentity {
  readonly name: string;
  readonly args: JsonObject;
}

/** A bridged call that does not name its tool. */
const UNKNOWN: ToolIdentity = { name: "__unparseable__", args: {} };

/** The identities of every call id; several if an id was used again. */
export class ToolIdentities {
  readonly #byId = new Map<string, ToolIdentity[]>();

  constructor(history: readonly Content[]) {
    for (const content of history) {
      if (content.role !== "model") continue;
      for (const part of partsOf(content)) this.#addCall(callOf(part));
    }
  }

  /** The tool of a result; `undefined` for other parts, and for a bridged result with an unknown tool. */
  ofResult(part: Part | undefined): ToolIdentity | undefined {
    const response = part === undefined ? undefined : responseOf(part);
    const name = textOf(response?.name);
    if (name === "") return undefined;
    const canonical = canonicalToolName(name);
    if (canonical !== BRIDGE) return { name: canonical, args: {} };
    const calls = this.#byId.get(textOf(response?.id)) ?? [];
    return calls.every((call) => call.name === calls[0]?.name) ? calls.at(-1) : undefined;
  }

  /** Paths in the calls with an id, limited to calls of a tool for which `takesPath` returns true. */
  paths(callId: string, takesPath: (tool: string) => boolean): readonly string[] {
    const calls = this.#byId.get(callId) ?? [];
    const paths = calls.filter(({ name }) => takesPath(name)).map(({ args }) => textOf(args.file_path));
    return [...new Set(paths.filter((path) => path !== ""))];
  }

  #addCall(call: JsonObject | undefined): void {
    const id = textOf(call?.id);
    if (call === undefined || id === "") return;
    const identity = identityOfCall(call) ?? UNKNOWN;
    const known = this.#byId.get(id);
    if (known === undefined) this.#byId.set(id, [identity]);
    else known.push(identity);
  }
}

function identityOfCall(call: JsonObject): ToolIdentity | undefined {
  const name = textOf(call.name);
  if (name === "") return undefined;
  const canonical = canonicalToolName(name);
  const args = objectOf(call.args);
  if (canonical !== BRIDGE) return { name: canonical, args };
  if (typeof args.name !== "string") return undefined;
  return { name: canonicalToolName(args.name), args: objectOf(args.arguments) };
}
