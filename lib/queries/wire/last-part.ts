/** The last part of a Unix or Windows path; a plain name stays as it is. */
export function lastPart(path: string): string {
  return path.split(/[\\/]/u).findLast((part) => part !== "") ?? path;
}
