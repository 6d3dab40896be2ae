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
