/** Length to which the first line of a prompt is cut for a title, in UTF-16 units. */
export const TITLE_CHARS = 80;

/** A title for display: with an ellipsis if it has the maximum length, since its line may go on. */
export function shownTitle(title: string): string {
  return title.length === TITLE_CHARS ? `${title.trimEnd()}…` : title;
}
