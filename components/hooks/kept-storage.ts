/** The browser's local storage. If the browser forbids the page to store data, reads return `null` and writes do nothing. */
export const keptStorage = {
  getItem: (key: string): string | null => undefinedOnError(() => localStorage.getItem(key)) ?? null,
  setItem: (key: string, value: string): void => {
    undefinedOnError(() => localStorage.setItem(key, value));
  },
};

function undefinedOnError<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
