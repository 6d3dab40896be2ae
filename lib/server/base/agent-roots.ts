import { join, resolve } from "node:path";
import type { AgentPlaces, RootVariable } from "@/lib/agents/shared/places";
import type { ServerConfig } from "./config";

/** Variable that turns the reading of agents' settings files off, as `--no-agent-settings` does. Source: docs/interfaces.md, "Environment". */
export const SETTINGS_VARIABLE = "CONTEXT_REPLAY_AGENT_SETTINGS";

type Environment = Pick<ServerConfig, "home" | "env">;

/** Possible folders of an agent's data: its usual folders below the home folder, and those in its variables. */
export function rootsOf({ roots }: Pick<AgentPlaces, "roots">, { home, env }: Environment): string[] {
  const all = roots.flatMap(({ folder, variables = [] }) => [
    join(home, ...folder.split("/")),
    ...variables.flatMap((variable) => namedBy(variable, home, env)),
  ]);
  return [...new Set(all)];
}

/** Roots in a variable's value; none if it is not set. */
function namedBy({ name, below, several }: RootVariable, home: string, env: Environment["env"]): string[] {
  const values = several === true ? (env[name] ?? "").split(",") : [env[name] ?? ""];
  return values
    .map((value) => value.trim())
    .filter((value) => value !== "")
    .map((value) => join(absolute(value, home), ...(below ?? "").split("/")));
}

/** A path as a shell would resolve it: an unresolved tilde means the home folder. */
export function absolute(path: string, home: string): string {
  return path === "~" || /^~[/\\]/.test(path) ? join(home, path.slice(1)) : resolve(path);
}
