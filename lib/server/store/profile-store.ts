import { createHash } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { ContextProfile } from "@/lib/core/context/profile";
import { systemCode } from "../base/input-error";
import { RefusedError } from "../base/refusal";
import { contextProfile } from "./context-profile";
import { displayName } from "./display-name";
import { readJson, writeJson } from "./json-file";

/** Scopes of a chosen profile; the narrowest existing choice applies. */
const PROFILE_SCOPES = ["session", "project", "agent"] as const;
export type ProfileScope = (typeof PROFILE_SCOPES)[number];

/** The session to look up. */
export type ProfileSubject = Readonly<Record<ProfileScope, string | null>>;

interface StoredProfile {
  readonly id: string;
  readonly name: string;
}

/** The profile in force, and its scope. */
export interface ChosenProfile extends StoredProfile {
  readonly scope: ProfileScope;
  readonly profile: ContextProfile;
}

const storedFile = z.object({ name: z.string(), profile: contextProfile });
const storedChoices = z.record(z.string(), z.string());
const CHOICES = "choices.json";
const ID = /^[0-9a-f]{32}$/;

/** The user's context profiles, by content, and the chosen ones. They never leave this machine. */
export class ProfileStore {
  readonly #folder: string;
  /** Choices are changed one after another. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async list(): Promise<StoredProfile[]> {
    const files = await readdir(this.#folder).catch((error: unknown) => {
      if (systemCode(error) === "ENOENT") return [];
      throw error;
    });
    const ids = files.map((file) => file.replace(/\.json$/, "")).filter((id) => ID.test(id));
    const profiles = await Promise.all(ids.map(async (id) => ({ id, stored: await this.#read(id) })));
    return profiles
      .flatMap(({ id, stored }) => (stored === undefined ? [] : [{ id, name: stored.name }]))
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  /** Stores a profile; the same content under another name renames the profile. */
  async add(name: string, profile: ContextProfile): Promise<StoredProfile> {
    const id = createHash("sha256").update(JSON.stringify(profile)).digest("hex").slice(0, 32);
    const stored = { name: displayName(name), profile };
    await writeJson(this.#path(id), stored);
    return { id, name: stored.name };
  }

  /** Removes a profile and every choice of it; removing a missing one is not an error. */
  async remove(id: string): Promise<void> {
    if (!ID.test(id)) throw new RefusedError("unknown", "There is no such context profile.");
    await this.#change((choices) => Object.fromEntries(Object.entries(choices).filter(([, chosen]) => chosen !== id)));
    await rm(this.#path(id), { force: true });
  }

  /** Chooses a profile for a session, a project or an agent; `null` clears the choice. Rejects with `RefusedError`. */
  async choose(scope: ProfileScope, subject: ProfileSubject, id: string | null): Promise<void> {
    const key = keyOf(scope, subject);
    if (key === undefined) throw new RefusedError("malformed", `The session names no ${scope}.`);
    if (id !== null && (!ID.test(id) || (await this.#read(id)) === undefined)) {
      throw new RefusedError("unknown", "There is no such context profile.");
    }
    await this.#change(({ [key]: _before, ...others }) => (id === null ? others : { ...others, [key]: id }));
  }

  /** The profile in force for a session; `undefined` if none was chosen. */
  async chosen(subject: ProfileSubject): Promise<ChosenProfile | undefined> {
    const choices = await this.#choices();
    for (const scope of PROFILE_SCOPES) {
      const id = choices[keyOf(scope, subject) ?? ""];
      const stored = id === undefined || !ID.test(id) ? undefined : await this.#read(id);
      if (id !== undefined && stored !== undefined) return { id, scope, ...stored };
    }
    return undefined;
  }

  async #read(id: string): Promise<z.infer<typeof storedFile> | undefined> {
    const result = storedFile.safeParse(await readJson(this.#path(id)));
    return result.success ? result.data : undefined;
  }

  async #choices(): Promise<Readonly<Record<string, string>>> {
    const result = storedChoices.safeParse(await readJson(join(this.#folder, CHOICES)));
    return result.success ? result.data : {};
  }

  #change(change: (choices: Readonly<Record<string, string>>) => Readonly<Record<string, string>>): Promise<void> {
    const changed = this.#changing.then(async () =>
      writeJson(join(this.#folder, CHOICES), change(await this.#choices())),
    );
    // A failed change does not block the next one.
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

function keyOf(scope: ProfileScope, subject: ProfileSubject): string | undefined {
  const name = subject[scope];
  return name === null ? undefined : `${scope}:${name}`;
}
