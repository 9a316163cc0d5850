import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPortal } from '../../testing/open-portal.tsx';
import { PortalProvider } from '../portal.tsx';
import { ToastList } from './toast-list.tsx';
import { createToastStore, type ToastStore } from './toast-store.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function show() {
  const toasts = createToastStore();
  const { portal } = openPortal({ path: '/nowhere' });
  const page = render(
    <MantineProvider>
      <PortalProvider portal={{ ...portal, toasts }}>
        <ToastList />
      </PortalProvider>
    </MantineProvider>,
  );
  const say = (what: (store: ToastStore) => void) => act(() => what(toasts));
  const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));
  return { page, say, wait };
}

test('a success stays for 3.5 seconds', () => {
  const { page, say, wait } = show();
  say((toasts) => toasts.success('Saved'));
  wait(3_499);
  expect(page.queryByText('Saved')).not.toBeNull();
  wait(1);
  expect(page.queryByText('Saved')).toBeNull();
});

test('an error stays for 5 seconds and interrupts a screen reader', () => {
  const { page, say, wait } = show();
  say((toasts) => toasts.error('Not saved'));
  expect(page.getByRole('alert').textContent).toContain('Not saved');
  wait(5_000);
  expect(page.queryByText('Not saved')).toBeNull();
});

test('stays as long as it is hovered', () => {
  const { page, say, wait } = show();
  say((toasts) => toasts.info('Read me'));
  fireEvent.mouseEnter(page.getByText('Read me'));
  wait(60_000);
  expect(page.queryByText('Read me')).not.toBeNull();
  fireEvent.mouseLeave(page.getByText('Read me'));
  wait(5_000);
  expect(page.queryByText('Read me')).toBeNull();
});

test('undoes once, and is gone then', () => {
  const { page, say } = show();
  const undo = vi.fn();
  say((toasts) => toasts.success('10 resolved', { label: 'Undo', run: undo }));
  fireEvent.click(page.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledTimes(1);
  expect(page.queryByText('10 resolved')).toBeNull();
});

test('can be closed', () => {
  const { page, say } = show();
  say((toasts) => toasts.info('Close me'));
  fireEvent.click(page.getByRole('button', { name: 'Close message' }));
  expect(page.queryByText('Close me')).toBeNull();
});

test('says the same thing once, and at most four things', () => {
  const { page, say } = show();
  say((toasts) => {
    for (const message of ['1', '2', '2', '3', '4', '5']) toasts.error(message);
  });
  expect(page.getAllByRole('alert').map((toast) => toast.textContent)).toEqual(['2', '3', '4', '5']);
});

test('says once that the session has expired, even if the failed call says it too', () => {
  const { page, say } = show();
  say((toasts) => {
    toasts.info('Your session has expired.');
    toasts.error('Your session has expired.');
  });
  expect(page.getAllByText('Your session has expired.')).toHaveLength(1);
  expect(page.queryByRole('alert')).toBeNull();
});
