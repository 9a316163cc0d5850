import { listCompanies } from '@keepwatch/contract/companies/companies';
import { act } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildCompany } from '../../testing/builders.ts';
import { openComponent } from '../../testing/open-component.tsx';
import { useLive } from '../live/use-live.ts';
import { useApi } from '../portal.tsx';
import { usePages } from './use-pages.ts';

/** Shows the row at one place of the list, and goes to others. */
function Window() {
  const api = useApi();
  const [search, setSearch] = useState('a');
  const [place, setPlace] = useState(0);
  const pages = usePages({
    queryKey: ['companies', { search }],
    load: (page, signal) => api.request(listCompanies, { query: { ...page, search } }, signal),
  });
  useLive('executions.changed', ['companies']);
  const go = (next: number) => {
    setPlace(next);
    pages.show(next, next);
  };
  return (
    <>
      <p>
        {pages.rowAt(place)?.name ?? 'not there'} of {pages.count ?? '?'} {pages.isStale ? 'stale' : 'current'}
      </p>
      <button type="button" onClick={() => go(950)}>
        far
      </button>
      <button type="button" onClick={() => setSearch('b')}>
        search
      </button>
    </>
  );
}

function answersOf(count: number) {
  return createAnswers().on(listCompanies, ({ query }) => {
    const data = Array.from({ length: query.limit }, (_, at) =>
      buildCompany(query.offset + at, { name: `${query.search}${query.offset + at}` }),
    );
    return { success: true as const, count, data };
  });
}

const offsets = (answers: ReturnType<typeof answersOf>) =>
  answers.asked(listCompanies).map(({ query }) => query.offset);

test('reads only the pages that are looked at', async () => {
  const answers = answersOf(1_000);
  const { page, person } = openComponent(Window, { answers });
  await page.findByText('a0 of 1000 current');
  await person.click(page.getByRole('button', { name: 'far' }));
  await page.findByText('a950 of 1000 current');
  expect(offsets(answers)).toEqual([0, 900]);
});

test('keeps the list before until the changed one is there', async () => {
  const answers = answersOf(1_000);
  const { page, person } = openComponent(Window, { answers });
  await page.findByText('a0 of 1000 current');
  const gate = Promise.withResolvers<void>();
  answers.on(listCompanies, async () => {
    await gate.promise;
    return { success: true as const, count: 1, data: [buildCompany(0, { name: 'b0' })] };
  });
  await person.click(page.getByRole('button', { name: 'search' }));
  expect(page.getByText('a0 of 1000 stale')).toBeDefined();
  await act(async () => gate.resolve());
  expect(await page.findByText('b0 of 1 current')).toBeDefined();
});

test('reads again only what is on screen when the server reports a change', async () => {
  const answers = answersOf(1_000);
  const { page, person } = openComponent(Window, { answers });
  await page.findByText('a0 of 1000 current');
  await person.click(page.getByRole('button', { name: 'far' }));
  await page.findByText('a950 of 1000 current');
  answers.emit('executions.changed');
  answers.emit('executions.changed');
  await expect.poll(() => offsets(answers)).toEqual([0, 900, 900]);
});
