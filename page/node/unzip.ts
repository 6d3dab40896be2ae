import { InputError } from "@/lib/server/base/input-error";

/** Stands for the unpacking of zip files, whose library needs Node. */
export function unzipSamples({ name }: { readonly name: string }): never {
  throw new InputError("unreadable", `${name} is a zip file, which only the program reads: unpack it first.`);
}
