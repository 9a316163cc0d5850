/** What the user of this browser said about the usage tracking of a brand. */
export type Consent = 'allowed' | 'declined';

const keyOf = (brandId: number) => `keepwatch.tracking.${brandId}`;
const listeners = new Set<() => void>();

/** Where the browser stores nothing, it is asked again with each visit: nothing is loaded until then. */
export function readConsent(brandId: number): Consent | null {
  const stored = readStored(keyOf(brandId));
  return stored === 'allowed' || stored === 'declined' ? stored : null;
}

export function storeConsent(brandId: number, consent: Consent | null): void {
  try {
    if (consent === null) localStorage.removeItem(keyOf(brandId));
    else localStorage.setItem(keyOf(brandId), consent);
  } finally {
    for (const listener of listeners) listener();
  }
}

/** For `useSyncExternalStore`; also of what another tab says. */
export function subscribeConsent(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
