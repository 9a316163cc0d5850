import type { MantineColorSchemeManager } from '@mantine/core';

/** The same key as in public/start.js, which applies it before the first paint. */
export const COLOR_SCHEME_KEY = 'keepwatch.color-scheme';

/** Stores the colour scheme between visits; the system's scheme applies until the user chooses one. */
export function createColorSchemeManager(storage: Storage): MantineColorSchemeManager {
  return {
    get: (fallback) => {
      const stored = storage.getItem(COLOR_SCHEME_KEY);
      return stored === 'dark' || stored === 'light' ? stored : fallback;
    },
    set: (value) => storage.setItem(COLOR_SCHEME_KEY, value),
    subscribe: () => undefined,
    unsubscribe: () => undefined,
    clear: () => storage.removeItem(COLOR_SCHEME_KEY),
  };
}

const ATTRIBUTE = 'data-mantine-color-scheme';

/**
 * Paper is light, whatever the screen is: while the browser prints, the page uses the light scheme. By the attribute, so that
 * the component library's colours change with ours. Gives what ends it.
 */
export function printLight(page: Window): () => void {
  const root = page.document.documentElement;
  let shown: string | null = null;
  const applyLight = () => {
    shown ??= root.getAttribute(ATTRIBUTE);
    root.setAttribute(ATTRIBUTE, 'light');
  };
  const applyShown = () => {
    if (shown !== null) root.setAttribute(ATTRIBUTE, shown);
    shown = null;
  };
  page.addEventListener('beforeprint', applyLight);
  page.addEventListener('afterprint', applyShown);
  return () => {
    page.removeEventListener('beforeprint', applyLight);
    page.removeEventListener('afterprint', applyShown);
  };
}
