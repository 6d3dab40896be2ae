/** The browser's storage for all sessions. A browser may forbid a page to store data: then it is empty and stores nothing. */
export const keptStorage = {
  getItem: (key: string): string | null => tried(() => localStorage.getItem(key)) ?? null,
  setItem: (key: string, value: string): void => {
    tried(() => localStorage.setItem(key, value));
  },
};

function tried<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
