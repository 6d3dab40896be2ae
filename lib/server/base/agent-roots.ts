import { join, resolve } from "node:path";
import type { AgentPlaces, RootVariable } from "@/lib/agents/shared/places";
import type { ServerConfig } from "./config";

type Surroundings = Pick<ServerConfig, "home" | "env">;

/** Where an agent's data may be: its usual folders below the home folder, and those that its variables name. */
export function rootsOf({ roots }: Pick<AgentPlaces, "roots">, { home, env }: Surroundings): string[] {
  const all = roots.flatMap(({ folder, variables = [] }) => [
    join(home, ...folder.split("/")),
    ...variables.flatMap((variable) => namedBy(variable, home, env)),
  ]);
  return [...new Set(all)];
}

/** The roots that a variable's value names; none where it is not set. */
function namedBy({ name, below, several }: RootVariable, home: string, env: Surroundings["env"]): string[] {
  const values = several === true ? (env[name] ?? "").split(",") : [env[name] ?? ""];
  return values
    .map((value) => value.trim())
    .filter((value) => value !== "")
    .map((value) => join(absolute(value, home), ...(below ?? "").split("/")));
}

/** A path as a shell would have given it: a tilde that was not resolved means the home folder. */
export function absolute(path: string, home: string): string {
  return path === "~" || /^~[/\\]/.test(path) ? join(home, path.slice(1)) : resolve(path);
}
