import { type Context, createContext, useContext } from "react";
import { assertDefined } from "@/lib/core/base/assert";

/** Makes a context that always has a provider, and the hook that reads it. */
export function requiredContext<Value>(name: string): readonly [Context<Value | undefined>, () => Value] {
  const context = createContext<Value | undefined>(undefined);
  context.displayName = name;
  return [context, () => assertDefined(useContext(context), name)];
}
