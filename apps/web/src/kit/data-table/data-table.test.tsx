import { type CompanyRow, listCompanies } from '@keepwatch/contract/companies/companies';
import { act } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildCompany } from '../../testing/builders.ts';
import { openComponent } from '../../testing/open-component.tsx';
import { useApi } from '../portal.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import { useSelection } from './selection.ts';
import { usePages } from './use-pages.ts';

const COLUMNS: Column<CompanyRow>[] = [
  { key: 'name', title: 'Company', width: '200px', sort: 'name', cell: (row) => row.name },
  { key: 'jobs', title: 'Jobs', width: '100px', align: 'end', cell: (row) => row.jobs },
  { key: 'wide', title: 'Only wide', width: '100px', minTableWidthPx: 5_000, cell: () => 'wide' },
];
const rowId = (row: CompanyRow) => row._id;

function Companies() {
  const api = useApi();
  const [sort, setSort] = useState<'name' | '-name'>('name');
  const [opened, setOpened] = useState('');
  const pages = usePages({
    queryKey: ['companies', sort],
    load: (place, signal) => api.request(listCompanies, { query: { ...place, sort } }, signal),
  });
  const selection = useSelection(pages.listKey);
  return (
    <>
      <p>opened: {opened}</p>
      <p>chosen: {[...selection.ids].map((id) => Number(id.slice(-4))).join()}</p>
      <DataTable
        label="Companies"
        columns={COLUMNS}
        pages={pages}
        rowId={rowId}
        sort={sort}
        onSort={(next) => setSort(next === '-name' ? '-name' : 'name')}
        selection={selection}
        onOpen={(row) => setOpened(row.name)}
        empty={<p>No companies yet</p>}
      />
    </>
  );
}

/** A provider with so many companies. */
function companies(count: number) {
  return createAnswers().on(listCompanies, ({ query }) => {
    const numbers = Array.from({ length: count }, (_, number) => number);
    if (query.sort === '-name') numbers.reverse();
    const data = numbers.slice(query.offset, query.offset + query.limit).map((number) => buildCompany(number));
    return { success: true as const, count, data };
  });
}

async function open(count: number) {
  const opened = openComponent(Companies, { answers: companies(count) });
  await opened.page.findByText('Company 0');
  return { ...opened, grid: opened.page.getByRole('grid', { name: 'Companies' }) };
}

test('puts only the rows on screen onto the page, and says how many there are', async () => {
  const { page, grid, answers } = await open(10_000);
  expect(grid.getAttribute('aria-rowcount')).toBe('10001');
  expect(page.getAllByRole('row').length).toBeLessThan(60);
  expect(answers.asked(listCompanies).map(({ query }) => [query.offset, query.limit])).toEqual([[0, 100]]);
});

test('loads what is scrolled to, wherever that is', async () => {
  const { page, grid, answers } = await open(10_000);
  grid.scrollTop = 9_000 * 36;
  grid.dispatchEvent(new Event('scroll'));
  await page.findByText('Company 9000');
  expect(answers.asked(listCompanies).map(({ query }) => query.offset)).not.toContain(500);
});

test('goes up and down with the keyboard and opens with Enter', async () => {
  const { page, grid, person } = await open(30);
  grid.focus();
  await person.keyboard('jj{ArrowDown}k');
  const active = document.getElementById(grid.getAttribute('aria-activedescendant') ?? '');
  expect(active?.textContent).toContain('Company 1');
  await person.keyboard('{Enter}');
  expect(page.getByText('opened: Company 1')).toBeDefined();
  await person.keyboard('{End}{Enter}');
  expect(await page.findByText('opened: Company 29')).toBeDefined();
});

test('opens the row that is clicked', async () => {
  const { page, person } = await open(5);
  await person.click(page.getByText('Company 3'));
  expect(page.getByText('opened: Company 3')).toBeDefined();
});

test('chooses rows one by one, a range with Shift, and none again with Escape', async () => {
  const { page, grid, person } = await open(30);
  await person.click(page.getByLabelText('Select row 2'));
  await person.keyboard('{Shift>}');
  await person.click(page.getByLabelText('Select row 5'));
  await person.keyboard('{/Shift}');
  expect(page.getByText('chosen: 1,2,3,4')).toBeDefined();
  await person.click(page.getByLabelText('Select row 3'));
  expect(page.getByText('chosen: 1,3,4')).toBeDefined();
  grid.focus();
  await person.keyboard('{Escape}');
  expect(page.getByText('chosen:')).toBeDefined();
});

test('chooses with Space, x and Shift with the arrows', async () => {
  const { page, grid, person } = await open(30);
  grid.focus();
  await person.keyboard('j jx');
  expect(page.getByText('chosen: 0,1')).toBeDefined();
  await person.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  expect(page.getByText('chosen: 0,1,2,3')).toBeDefined();
});

test('chooses all that is loaded, and none of it', async () => {
  const { page, person } = await open(4);
  const all = page.getByLabelText('Select all loaded rows');
  await person.click(all);
  expect(page.getByText('chosen: 0,1,2,3')).toBeDefined();
  await person.click(all);
  expect(page.getByText('chosen:')).toBeDefined();
});

test('sorts by a heading, both ways, and forgets what was chosen in the other order', async () => {
  const { page, person } = await open(30);
  await person.click(page.getByLabelText('Select row 1'));
  const heading = page.getByRole('columnheader', { name: 'Company' });
  expect(heading.getAttribute('aria-sort')).toBe('ascending');
  await person.click(page.getByRole('button', { name: 'Company' }));
  await page.findByText('Company 29');
  expect(heading.getAttribute('aria-sort')).toBe('descending');
  expect(page.getByText('chosen:')).toBeDefined();
  expect(page.queryByRole('button', { name: 'Jobs' })).toBeNull();
});

test('hides columns that do not fit', async () => {
  const { page } = await open(3);
  expect(page.queryByText('Only wide')).toBeNull();
});

test('shows other columns when it becomes narrower or wider, not only when it is scrolled', async () => {
  const sizes = watchSizes();
  const { page } = await open(3);
  const width = vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(6_000);
  act(() => sizes.change());
  expect(page.getAllByText('wide')).toHaveLength(3);
  width.mockReturnValue(900);
  act(() => sizes.change());
  expect(page.queryByText('wide')).toBeNull();
});

/** The test page has no layout: says when the table has another size. */
function watchSizes() {
  const watchers = new Set<() => void>();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #read: () => void;
      constructor(read: () => void) {
        this.#read = read;
      }
      observe() {
        watchers.add(this.#read);
      }
      unobserve() {
        watchers.delete(this.#read);
      }
      disconnect() {
        watchers.delete(this.#read);
      }
    },
  );
  return {
    change: () => {
      for (const read of watchers) read();
    },
  };
}

test('says what to do if there are no rows', async () => {
  const { page } = openComponent(Companies, { answers: companies(0) });
  expect(await page.findByText('No companies yet')).toBeDefined();
});

test('shows why it could not be loaded, and loads it at the second try', async () => {
  const answers = createAnswers().refuse(listCompanies, 403, { code: 'FORBIDDEN', message: 'You may not.' });
  const { page, person } = openComponent(Companies, { answers });
  expect((await page.findByRole('alert')).textContent).toContain('You may not.');
  answers.on(listCompanies, { success: true, count: 1, data: [buildCompany(7)] });
  await person.click(page.getByRole('button', { name: 'Try again' }));
  expect(await page.findByText('Company 7')).toBeDefined();
});
