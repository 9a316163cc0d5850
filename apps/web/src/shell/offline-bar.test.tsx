import { getLastSync } from '@keepwatch/contract/sources/sources';
import { act, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { openComponent } from '../testing/open-component.tsx';

const AT_NOON = /^Offline, showing \d\d:00 [AP]M$/;

/** A portal whose line can be cut and mended, or hold all replies for a while. */
async function open() {
  const answers = createAnswers();
  let isCut = false;
  let gate: PromiseWithResolvers<void> | null = null;
  const { fetch } = answers;
  const line: typeof fetch = async (...request) => {
    if (isCut) throw new TypeError('Failed to fetch');
    const reply = await fetch(...request);
    await gate?.promise;
    return reply;
  };
  const opened = openComponent(() => <p>Content</p>, { answers: { ...answers, fetch: line } });
  await opened.page.findByRole('button', { name: /^Synced/ });
  const say = (event: 'offline' | 'online') => act(async () => void window.dispatchEvent(new Event(event)));
  return {
    ...opened,
    say,
    cut: () => {
      isCut = true;
    },
    mend: () => {
      isCut = false;
    },
    holdReplies: () => {
      gate = Promise.withResolvers();
    },
    giveReplies: () => {
      gate?.resolve();
      gate = null;
    },
    ask: () => act(() => opened.portal.api.request(getLastSync, {}).catch(() => null)),
  };
}

test('says when the browser is offline, and of when the figures are, until the server answers again', async () => {
  const { page, say, ask, holdReplies, giveReplies } = await open();
  // A reply to what was asked before would say that the server answers.
  holdReplies();
  await say('offline');
  await page.findByText(AT_NOON);
  const sync = page.getByRole('button', { name: 'Offline' });
  expect(sync.dataset['status']).toBe('OFFLINE');
  giveReplies();
  await ask();
  await waitFor(() => expect(page.queryByText(AT_NOON)).toBeNull());
  page.getByRole('button', { name: /^Synced/ });
});

test('also appears if requests fail but the browser reports that it is online', async () => {
  const { page, cut, mend, ask, say } = await open();
  cut();
  await ask();
  await page.findByText(AT_NOON);
  mend();
  await say('online');
  await waitFor(() => expect(page.queryByText(AT_NOON)).toBeNull());
});
