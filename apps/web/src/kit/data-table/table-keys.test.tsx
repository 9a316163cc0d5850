import { act } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { openComponent } from '../../testing/open-component.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import { NO_LIST, wholeList } from './pages.ts';
import { useSelection } from './selection.ts';

const COLUMNS: Column<number>[] = [
  { key: 'name', title: 'Number', width: '200px', cell: (row) => `Row ${row}` },
  { key: 'link', title: 'Link', width: '200px', cell: (row) => <a href={`#${row}`}>Details of row {row}</a> },
];
const LONG = Array.from({ length: 40 }, (_, row) => row);

function Numbers() {
  const [rows, setRows] = useState(LONG);
  const [opened, setOpened] = useState<number | null>(null);
  const selection = useSelection();
  return (
    <>
      <p>opened: {opened ?? 'none'}</p>
      <p>chosen: {[...selection.ids].join()}</p>
      <button type="button" onClick={() => setRows(LONG.slice(0, 3))}>
        Shorten
      </button>
      <DataTable
        label="Numbers"
        columns={COLUMNS}
        pages={wholeList(rows)}
        rowId={String}
        selection={selection}
        onOpen={setOpened}
        empty={<p>None</p>}
      />
    </>
  );
}

async function open() {
  const { page, person } = openComponent(Numbers);
  const grid = await page.findByRole('grid', { name: 'Numbers' });
  grid.focus();
  return { page, person, grid };
}

test.each([
  ['{PageDown}', 0],
  ['j{PageDown}', 15],
  ['{End}{PageDown}', 39],
  ['{End}{PageUp}', 24],
  ['{End}{Home}', 0],
  ['k', 0],
])('%s makes row %i the active one and never leaves the list', async (keys, row) => {
  const { page, person } = await open();
  await person.keyboard(`${keys}{Enter}`);
  await page.findByText(`opened: ${row}`);
});

test('nothing is opened before a row is active', async () => {
  const { page, person } = await open();
  await person.keyboard('{Enter}');
  page.getByText('opened: none');
});

test('x as the first key chooses the first row and goes on from there', async () => {
  const { page, person } = await open();
  await person.keyboard('xjx');
  await page.findByText('chosen: 0,1');
});

test('keys of the browser are left to it', async () => {
  const { page, person } = await open();
  await person.keyboard('j{Control>}j{/Control}{Alt>}x{/Alt}{Enter}');
  await page.findByText('opened: 0');
  page.getByText('chosen:');
});

// Enter on a link in a row would otherwise follow the link and open the row beside it.
test('a link within a row has its own Enter', async () => {
  const { page, person } = await open();
  await person.keyboard('j');
  page.getByRole('link', { name: 'Details of row 2' }).focus();
  await person.keyboard('{Enter}');
  page.getByText('opened: none');
});

test('where the list has become shorter, its last row is the active one', async () => {
  const { page, person, grid } = await open();
  await person.keyboard('{End}');
  await person.click(page.getByRole('button', { name: 'Shorten' }));
  grid.focus();
  await person.keyboard('{Enter}');
  await page.findByText('opened: 2');
});

test('works before anything has the focus, and has it from then on', async () => {
  const { page, person } = openComponent(Numbers);
  const grid = await page.findByRole('grid', { name: 'Numbers' });
  expect(document.activeElement).toBe(document.body);
  await person.keyboard('jj{Enter}');
  await page.findByText('opened: 1');
  expect(document.activeElement).toBe(grid);
});

test.each([
  ['jx', '0'],
  ['j ', '0'],
  ['j{Shift>}{ArrowDown}{ArrowDown}{ArrowUp}{/Shift}', '0,1,2'],
  ['{Control>}a{/Control}', LONG.join()],
])('%s chooses %s without the mouse', async (keys, chosen) => {
  const { page, person } = openComponent(Numbers);
  await page.findByRole('grid', { name: 'Numbers' });
  for (const key of keys.match(/\{[^}]*\}|./g) ?? []) await person.keyboard(key);
  await page.findByText(`chosen: ${chosen}`);
});

test('a button beside the table has its own Enter and Space, and lets the table have the letters', async () => {
  const { page, person } = await open();
  await person.keyboard('{End}');
  const button = page.getByRole('button', { name: 'Shorten' });
  button.focus();
  await person.keyboard('{Enter}');
  await page.findByText('opened: none');
  expect(page.getByRole('grid').getAttribute('aria-rowcount')).toBe('4');
  button.focus();
  await person.keyboard('k{Enter}');
  await page.findByText('opened: 1');
});

test('a click on a checkbox leaves the keyboard to the table, which goes on from there', async () => {
  const { page, person, grid } = await open();
  await person.click(page.getByLabelText('Select row 3'));
  expect(document.activeElement).toBe(grid);
  await person.keyboard('jx');
  await page.findByText('chosen: 2,3');
});

test('Space on "Select all loaded rows" is that checkbox’s own', async () => {
  const { page, person } = await open();
  await person.keyboard('j');
  page.getByLabelText('Select all loaded rows').focus();
  await person.keyboard(' ');
  await page.findByText(`chosen: ${LONG.join()}`);
});

test('Control + a chooses every loaded row, Escape none', async () => {
  const { page, person } = await open();
  await person.keyboard('{Control>}a{/Control}');
  await page.findByText(`chosen: ${LONG.join()}`);
  await person.keyboard('{Escape}');
  page.getByText('chosen:');
});

test('a key pressed before the rows are there applies to them, and to no other list', async () => {
  let show: (listKey: string) => void = () => undefined;
  function Arriving() {
    const [listKey, setListKey] = useState(NO_LIST);
    const [opened, setOpened] = useState<number | null>(null);
    show = setListKey;
    const pages = wholeList(LONG, listKey);
    return (
      <>
        <p>opened: {opened ?? 'none'}</p>
        <DataTable
          label="Numbers"
          columns={COLUMNS}
          pages={listKey === NO_LIST ? { ...pages, count: null, rowAt: () => undefined } : pages}
          rowId={String}
          onOpen={setOpened}
          empty={<p>None</p>}
        />
      </>
    );
  }
  const { page, person } = openComponent(Arriving);
  await page.findByRole('grid', { name: 'Numbers' });
  await person.keyboard('j');
  act(() => show('first'));
  await person.keyboard('{Enter}');
  await page.findByText('opened: 0');
  await person.keyboard('j');
  act(() => show('second'));
  await person.keyboard('{Enter}');
  await page.findByText('opened: 0');
});
