/** Length to which the first line of a prompt is cut to be a title, UTF-16 units. */
export const TITLE_CHARS = 80;

/** A title as it is shown: with an ellipsis where its line may go on, that is, where it is as long as one can be. */
export function shownTitle(title: string): string {
  return title.length === TITLE_CHARS ? `${title.trimEnd()}…` : title;
}
