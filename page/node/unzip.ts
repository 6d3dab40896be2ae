import { InputError } from "@/lib/server/base/input-error";

/** Replaces the unzip module in the browser page, since its library needs Node. */
export function unzipSamples({ name }: { readonly name: string }): never {
  throw new InputError("unreadable", `${name} is a zip file. Only the installed program can read it: unpack it first.`);
}
