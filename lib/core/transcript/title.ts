/** Maximum length of a title in UTF-16 units; it is cut from the first line of a prompt. */
export const TITLE_CHARS = 80;

/** Title for display. An ellipsis follows a title of the maximum length, since its line may go on. */
export function shownTitle(title: string): string {
  return title.length === TITLE_CHARS ? `${title.trimEnd()}…` : title;
}
