import { z } from "zod";
import { MAX_TOKENS } from "@/lib/core/base/units";
import type { ContextProfile } from "@/lib/core/context/profile";

const tokens = z.int().nonnegative().max(MAX_TOKENS);
/** A text, or its number of tokens. */
const textOrTokens = z.union([z.string(), tokens], { error: "must be a text or a whole number of tokens" });
const name = z.string().min(1);

/** A context profile: the overhead that no transcript holds. Source: docs/interfaces.md, "Context profile". */
export const contextProfile = z.strictObject({
  systemPrompt: textOrTokens.optional(),
  tools: z
    .array(
      z.strictObject({
        name,
        server: name.optional(),
        schema: z
          .union([textOrTokens, z.record(z.string(), z.unknown())], {
            error: "must be an object, a text or a whole number of tokens",
          })
          .optional(),
      }),
    )
    .optional(),
  skills: z
    .array(
      z.strictObject({
        name,
        description: textOrTokens.optional(),
        level: z.string().optional(),
        body: textOrTokens.optional(),
      }),
    )
    .optional(),
  memoryFiles: z.array(z.strictObject({ path: name, content: textOrTokens })).optional(),
  config: z.record(z.string(), z.unknown()).optional(),
}) satisfies z.ZodType<ContextProfile>;

/** Thrown for an invalid context profile; the message names every invalid field. */
export class ProfileError extends Error {
  override name = "ProfileError";
}

const MAX_FIELDS = 8;

/** The profile in a JSON value. Throws `ProfileError`. */
export function parseProfile(value: unknown): ContextProfile {
  const result = contextProfile.safeParse(value);
  if (result.success) return counted(result.data);
  const fields = result.error.issues.map(({ path, message }) => `${fieldName(path)}: ${message}`);
  const more = fields.length > MAX_FIELDS ? [`and ${fields.length - MAX_FIELDS} more`] : [];
  throw new ProfileError([...fields.slice(0, MAX_FIELDS), ...more].join("; "));
}

/** Returns the profile if its sizes in numbers sum to no more than a context can have. Throws `ProfileError` otherwise. */
function counted(profile: ContextProfile): ContextProfile {
  const { systemPrompt, tools = [], skills = [], memoryFiles = [] } = profile;
  const sizes = [
    systemPrompt,
    ...tools.map(({ schema }) => schema),
    ...skills.flatMap(({ description, body }) => [description, body]),
    ...memoryFiles.map(({ content }) => content),
  ];
  const sum = sizes.reduce<number>((total, size) => total + (typeof size === "number" ? size : 0), 0);
  if (sum <= MAX_TOKENS) return profile;
  throw new ProfileError(`the profile: comes to more than ${MAX_TOKENS.toLocaleString("en")} tokens`);
}

/** The path of a field, such as `tools[2].name`; "the profile" if no field is named. */
function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the profile";
  return path.reduce<string>(
    (name, part) =>
      typeof part === "number" ? `${name}[${part}]` : name === "" ? String(part) : `${name}.${String(part)}`,
    "",
  );
}
