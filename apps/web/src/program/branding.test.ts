import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getBranding } from '@keepwatch/contract/branding/branding';
import { CallFailed } from '@keepwatch/contract/wire/client';
import { expect, test, vi } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildBranding } from '../testing/builders.ts';
import { applyBranding, fetchBranding } from './branding.ts';
import { showStartFailure } from './start-failure.ts';

test('asks for the brand without a session, so that the early request of the page is used', async () => {
  const answers = createAnswers().on(getBranding, { success: true, data: buildBranding({ name: 'North' }) });
  const fetch = vi.fn(answers.fetch);
  const branding = await fetchBranding({ fetch, origin: '', token: () => 'a' });
  expect(branding.name).toBe('North');
  expect(fetch.mock.calls).toEqual([
    ['/api/branding', { method: 'GET', headers: {}, signal: expect.any(AbortSignal) }],
  ]);
});

/** Answers nothing, as a network that has lost the request. */
const lost: typeof fetch = (_, options) =>
  new Promise((_resolve, reject) => {
    const signal = options?.signal;
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

test('asks again where the first request gets no answer', async () => {
  const answers = createAnswers().on(getBranding, { success: true, data: buildBranding({ name: 'North' }) });
  const fetch = vi.fn(answers.fetch).mockImplementationOnce(lost);
  const branding = await fetchBranding({ fetch, origin: '', token: () => null }, [20, 5_000]);
  expect(branding.name).toBe('North');
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('says that the portal does not answer, rather than to leave the page empty', async () => {
  const started = fetchBranding({ fetch: lost, origin: '', token: () => null }, [20, 20]);
  await expect(started).rejects.toThrow('The portal did not answer in time.');
});

test('applies the layout and the icon of the brand', () => {
  document.head.innerHTML = '<link rel="icon" href="/favicon.svg">';
  applyBranding(buildBranding({ layout: 'vmo', favIconUrl: '/brands/vmo.svg' }), document);
  expect(document.documentElement.dataset['brand']).toBe('vmo');
  const icons = [...document.head.querySelectorAll('link[rel="icon"]')];
  expect(icons.map((icon) => icon.getAttribute('href'))).toEqual(['/brands/vmo.svg']);
});

test("keeps the portal's own icon where the brand has none", () => {
  document.head.innerHTML = '<link rel="icon" href="/favicon.svg">';
  applyBranding(buildBranding(), document);
  expect(document.head.querySelectorAll('link[rel="icon"][href="/favicon.svg"]')).toHaveLength(1);
});

test('names no brand in the page and the icon that every brand without an icon has', () => {
  for (const file of ['index.html', 'public/favicon.svg'])
    expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8'), file).not.toMatch(
      /keepwatch|<title>(?!Portal<)/i,
    );
});

test('says why the portal did not start, and offers another try', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const root = document.createElement('div');
  const message = 'The portal could not be started, <b>try</b> again later.';
  showStartFailure(root, new CallFailed(503, { success: false, code: 'INTERNAL_ERROR', message }));
  expect(root.querySelector('p')?.textContent).toBe(message);
  expect(root.querySelector('button')?.textContent).toBe('Try again');
});
