import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// A screen's code is loaded within the test: on a busy machine that takes longer than the library's one second. A wait ends
// when it sees what it waits for; only a failure takes this long.
configure({ asyncUtilTimeout: 15_000 });

// The test page has no layout. A long list shows what fits on it, so it gets the size of an ordinary window.
const SIZE = { offsetWidth: 1280, offsetHeight: 800, clientWidth: 1280, clientHeight: 800 };
for (const [name, value] of Object.entries(SIZE)) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
}

/** Without a layout everything is on the screen. */
class EverythingIsSeen {
  readonly #seen: (entries: readonly { isIntersecting: boolean }[]) => void;
  constructor(seen: (entries: readonly { isIntersecting: boolean }[]) => void) {
    this.#seen = seen;
  }
  observe(): void {
    this.#seen([{ isIntersecting: true }]);
  }
  disconnect(): void {
    // Nothing is watched.
  }
}
Object.defineProperty(globalThis, 'IntersectionObserver', {
  configurable: true,
  writable: true,
  value: EverythingIsSeen,
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  localStorage.clear();
  sessionStorage.clear();
  document.documentElement.removeAttribute('data-brand');
});
