import { RESULTS, STATES } from '@keepwatch/contract/runs/values';
import { CallFailed } from '@keepwatch/contract/wire/client';
import { MantineProvider } from '@mantine/core';
import { fireEvent, render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { RESULT_LOOKS, ResultBadge } from '../../entities/result-badge.tsx';
import { STATE_LOOKS, StateBadge } from '../../entities/state-badge.tsx';
import { EmptyState } from './empty-state.tsx';
import { ErrorState } from './error-state.tsx';
import { Notice } from './notice.tsx';

test('says why it failed and tries again', () => {
  const retry = vi.fn();
  const error = new CallFailed(500, { success: false, code: 'INTERNAL_ERROR', message: 'The report is not there.' });
  const page = render(<ErrorState error={error} onRetry={retry} />, { wrapper: MantineProvider });
  expect(page.getByRole('alert').textContent).toContain('The report is not there.');
  fireEvent.click(page.getByRole('button', { name: 'Try again' }));
  expect(retry).toHaveBeenCalledTimes(1);
});

test('says what to do if there is nothing', () => {
  const page = render(
    <EmptyState title="No sources yet" text="Connect a console to see its jobs here.">
      <a href="/add">Connect a console</a>
    </EmptyState>,
  );
  expect(page.getByRole('heading', { level: 2 }).textContent).toBe('No sources yet');
  expect(page.getByRole('link', { name: 'Connect a console' })).toBeDefined();
});

test('is the heading of the page when it is the whole page', () => {
  const page = render(<Notice isPage title="404" text="Not found" />);
  expect(page.getByRole('heading', { level: 1 }).textContent).toBe('404');
});

test('every result has a word and an icon, and no two look alike', () => {
  for (const result of RESULTS) {
    const page = render(<ResultBadge result={result} />);
    expect(page.container.textContent).toBe(RESULT_LOOKS[result].word);
    expect(page.container.querySelector('svg')).not.toBeNull();
    page.unmount();
  }
  expect(new Set(RESULTS.map((result) => RESULT_LOOKS[result].icon)).size).toBe(RESULTS.length);
});

test('every state has a word and an icon, and no two look alike', () => {
  for (const state of STATES) {
    const page = render(<StateBadge state={state} />);
    expect(page.container.textContent).toBe(STATE_LOOKS[state].word);
    expect(page.container.querySelector('svg')).not.toBeNull();
    page.unmount();
  }
  expect(new Set(STATES.map((state) => STATE_LOOKS[state].icon)).size).toBe(STATES.length);
});
