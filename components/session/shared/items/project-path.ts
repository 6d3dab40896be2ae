/**
 * A call's line as seen from the session's project. Paths lose the project's folder, which the page's head names, and a change
 * into that folder before a command is left out.
 * @param project folder as the file has it; null where it names none
 */
export function fromProject(line: string, project: string | null): string {
  const folder = project?.replace(/[/\\]+$/, "") ?? "";
  if (folder === "") return line;
  const there = [folder, `"${folder}"`, `'${folder}'`].map((name) => `cd ${name} && `);
  const going = there.find((start) => line.startsWith(start)) ?? "";
  return line.slice(going.length).replaceAll(`${folder}/`, "").replaceAll(`${folder}\\`, "");
}

/** Splits a path into its last part and the rest before it. */
export function pathParts(path: string): { readonly base: string; readonly folder: string } {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return at < 0 || at === path.length - 1
    ? { base: path, folder: "" }
    : { base: path.slice(at + 1), folder: path.slice(0, at + 1) };
}
