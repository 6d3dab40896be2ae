/**
 * A call's line as seen from the session's project, whose folder the head of the page names: paths in it begin behind it, and
 * going there before a command is left out.
 * @param project folder as the file has it; null where it names none
 */
export function fromProject(line: string, project: string | null): string {
  const folder = project?.replace(/[/\\]+$/, "") ?? "";
  if (folder === "") return line;
  const there = [folder, `"${folder}"`, `'${folder}'`].map((name) => `cd ${name} && `);
  const going = there.find((start) => line.startsWith(start)) ?? "";
  return line.slice(going.length).replaceAll(`${folder}/`, "").replaceAll(`${folder}\\`, "");
}
