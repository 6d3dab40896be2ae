/** `node:path` for the paths of `files.ts`, which have no folders. */
export const sep = "/";
export function basename(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
export function dirname(path: string): string {
  const at = path.lastIndexOf("/");
  return at < 0 ? "." : path.slice(0, at);
}
export function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("/");
}
export function resolve(...parts: readonly string[]): string {
  return join(...parts);
}
export function isAbsolute(): boolean {
  return false;
}
