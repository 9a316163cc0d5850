import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { WhenNear } from './when-near.tsx';

/** A page whose end is seen when the test says so. */
function renderFar(): { see: () => void } {
  const page = { see: () => {} };
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(seen: (entries: readonly { isIntersecting: boolean }[]) => void) {
        page.see = () => seen([{ isIntersecting: true }]);
      }
      observe() {}
      disconnect() {}
    },
  );
  render(<WhenNear heightPx={700}>the end</WhenNear>);
  return page;
}

test('shows what is below the fold only once it is scrolled to', () => {
  const page = renderFar();
  expect(screen.queryByText('the end')).toBeNull();
  act(() => page.see());
  screen.getByText('the end');
});

test('shows it to the keyboard, which reaches what is not seen', async () => {
  renderFar();
  await userEvent.setup().tab();
  await screen.findByText('the end');
});
