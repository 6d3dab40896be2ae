import { InvalidArgumentError } from "commander";
import type { ReplayRequest } from "@/lib/api/contract";

type SettingValues = NonNullable<ReplayRequest["settings"]>;

/** A whole number above zero. Throws `InvalidArgumentError`. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value <= 0) throw new InvalidArgumentError("It must be a whole number above 0.");
  return value;
}

/** A TCP port. Throws `InvalidArgumentError`. */
export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError("It must be a port from 0 to 65535.");
  return port;
}

/** A share above 0, at most 1. Throws `InvalidArgumentError`. */
export function share(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 1)) throw new InvalidArgumentError("It must be a share above 0, at most 1.");
  return value;
}

/** A request point: a number from 0, or `last`. Throws `InvalidArgumentError`. */
export function requestPoint(text: string): number | "last" {
  if (text === "last") return text;
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It must be a request, counted from 0, or last.");
  return Number(text);
}

/** Adds `key=value` to the settings; the value is a JSON scalar, or else a word. Throws `InvalidArgumentError`. */
export function settingOption(text: string, settings: SettingValues = {}): SettingValues {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It must be key=value.");
  return { ...settings, [text.slice(0, at)]: scalar(text.slice(at + 1)) };
}

function scalar(text: string): SettingValues[string] {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value === "number" || typeof value === "boolean" || typeof value === "string") {
      return value;
    }
  } catch {
    // A bare word, such as a choice's name, is taken as it is.
    return text;
  }
  throw new InvalidArgumentError("The value must be a number, true, false, null or a word.");
}

/** `ID@PRESET` as its two parts. */
export function splitPreset(text: string): { id: string; preset?: string } {
  const at = text.indexOf("@");
  return at === -1 ? { id: text } : { id: text.slice(0, at), preset: text.slice(at + 1) };
}
