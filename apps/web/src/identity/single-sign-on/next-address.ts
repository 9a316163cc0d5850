const KEY = 'keepwatch.next';

/** Remembers in this tab where the visit goes on after a sign-in elsewhere. */
export function rememberNext(next: unknown): void {
  if (typeof next === 'string') window.sessionStorage.setItem(KEY, next);
  else window.sessionStorage.removeItem(KEY);
}

export const rememberedNext = (): string | null => window.sessionStorage.getItem(KEY);
