/** `node:os` where there is no home. */
export function homedir(): string {
  return "";
}
export function tmpdir(): string {
  return "";
}
