import { waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import type { Portal } from '../kit/portal.tsx';

/** The keys that go to screens are loaded once the first screen has been drawn. */
export function untilKeysAreThere({ shortcuts }: Portal): Promise<void> {
  return waitFor(() => expect(shortcuts.get().some(({ keys }) => keys.startsWith('g '))).toBe(true));
}
