/** `node:os` without a home folder. */
export function homedir(): string {
  return "";
}
export function tmpdir(): string {
  return "";
}
