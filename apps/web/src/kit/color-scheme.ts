import type { MantineColorSchemeManager } from '@mantine/core';

/** The same key as in public/start.js, which applies it before the first paint. */
export const COLOR_SCHEME_KEY = 'keepwatch.color-scheme';

/** Where the colour scheme is kept between visits; the system's decides until the user does. */
export function createColorSchemeManager(storage: Storage): MantineColorSchemeManager {
  return {
    get: (fallback) => {
      const kept = storage.getItem(COLOR_SCHEME_KEY);
      return kept === 'dark' || kept === 'light' ? kept : fallback;
    },
    set: (value) => storage.setItem(COLOR_SCHEME_KEY, value),
    subscribe: () => undefined,
    unsubscribe: () => undefined,
    clear: () => storage.removeItem(COLOR_SCHEME_KEY),
  };
}
