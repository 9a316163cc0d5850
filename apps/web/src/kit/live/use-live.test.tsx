import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import { useQuery } from '@tanstack/react-query';
import { act } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { openComponent } from '../../testing/open-component.tsx';
import { useApi } from '../portal.tsx';
import { useLive } from './use-live.ts';

const KEY = ['counted'];

function Count() {
  const api = useApi();
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.request(listReportingCompanies, { query: { limit: 1 } }, signal),
  });
  useLive('companies.changed', KEY);
  return <p>count: {data?.count}</p>;
}

/** A server whose answers wait until the test releases them, and count up. Time passes only with `pass`. */
async function open() {
  const waiting: (() => void)[] = [];
  let isHeld = false;
  let count = 0;
  const answers = createAnswers().on(listReportingCompanies, async ({ query: { limit } }) => {
    count += 1;
    const reply = { success: true as const, count, data: [], query: { limit, offset: 0 } };
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
    return reply;
  });
  const opened = openComponent(Count, { answers });
  await opened.page.findByText('count: 1');
  isHeld = true;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  return {
    ...opened,
    pass,
    reads: () => answers.asked(listReportingCompanies).length,
    emit: async (times: number) => {
      for (let time = 0; time < times; time += 1) answers.emit('companies.changed');
      await pass(0);
    },
    letGo: async () => {
      for (const go of waiting.splice(0)) go();
      await pass(0);
    },
  };
}

test('asks at once at the first event of a burst, and once more for all others a second later', async () => {
  const { emit, pass, reads, letGo } = await open();
  await emit(20);
  expect(reads()).toBe(2);
  await letGo();
  await pass(999);
  expect(reads()).toBe(2);
  await pass(1);
  expect(reads()).toBe(3);
  await letGo();
  await pass(60_000);
  expect(reads()).toBe(3);
});

test('asks once a second while events never end', async () => {
  const { emit, pass, reads, letGo } = await open();
  for (let tenth = 0; tenth < 100; tenth += 1) {
    await emit(10);
    await letGo();
    await pass(100);
  }
  expect(reads()).toBeLessThanOrEqual(12);
  expect(reads()).toBeGreaterThanOrEqual(10);
});

test('never begins a read again that is under way, however many events come', async () => {
  const { page, emit, pass, reads, letGo } = await open();
  await emit(1);
  await pass(1_000);
  for (let second = 0; second < 10; second += 1) {
    await emit(5);
    await pass(1_000);
  }
  expect(reads()).toBe(2);
  await letGo();
  expect(page.getByText('count: 2')).toBeDefined();
});

test('loses no event that comes during a read: it asks again after it', async () => {
  const { page, emit, pass, reads, letGo } = await open();
  await emit(1);
  await pass(1_000);
  await emit(1);
  await pass(3_000);
  expect(reads()).toBe(2);
  await letGo();
  await pass(1_000);
  expect(reads()).toBe(3);
  await letGo();
  expect(page.getByText('count: 3')).toBeDefined();
  await pass(60_000);
  expect(reads()).toBe(3);
});

test('asks nothing any more when it has left the page', async () => {
  const { page, emit, pass, reads } = await open();
  await emit(2);
  page.unmount();
  await pass(5_000);
  expect(reads()).toBe(2);
});
