import { fireEvent } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildRow, openCalendar, serveCalendar } from './testing/calendar.ts';

async function open(cells?: string) {
  const opened = openCalendar(serveCalendar([buildRow(1, cells), buildRow(2, cells, { companyName: null })]));
  const { page } = opened;
  await page.findByText('Job 2');
  const cell = (name: string) => page.getAllByRole('gridcell', { name })[0] ?? document.body;
  return { ...opened, cell, tip: () => page.queryByText('Job 1 · Acme')?.parentElement ?? null };
}

test('shows day, job and result of the cell under the pointer, and that it opens', async () => {
  const { person, cell, tip } = await open();
  await person.hover(cell('Warning'));
  expect(tip()?.textContent).toBe('WarningTue 03/03/26Job 1 · AcmeClick or press Enter to open');
});

test('promises no runs on a day without any', async () => {
  const { person, cell, tip } = await open();
  await person.hover(cell('No run'));
  expect(tip()?.textContent).toBe('No runSat 03/07/26Job 1 · Acme');
});

test('goes when the pointer leaves the grid or the grid scrolls', async () => {
  const { page, person, cell, tip } = await open();
  const grid = page.getByRole('grid');
  await person.hover(cell('Warning'));
  fireEvent.pointerLeave(grid);
  expect(tip()).toBeNull();
  await person.hover(cell('Failed'));
  expect(tip()).not.toBeNull();
  fireEvent.scroll(grid);
  expect(tip()).toBeNull();
});

test('goes when the pointer is over the name of a job, which is no day', async () => {
  const { page, person, cell, tip } = await open();
  await person.hover(cell('Warning'));
  await person.hover(page.getByRole('rowheader', { name: /Job 1/ }));
  expect(tip()).toBeNull();
});

test('covers nothing under a finger', async () => {
  const { cell, tip } = await open();
  fireEvent.pointerOver(cell('Warning'), { pointerType: 'mouse' });
  expect(tip()).not.toBeNull();
  fireEvent.pointerOver(cell('Warning'), { pointerType: 'touch' });
  expect(tip()).toBeNull();
});

test('shows the cell that the keyboard is at, of a job without a company too', async () => {
  const { page, person } = await open();
  page.getByRole('grid').focus();
  await person.keyboard('{ArrowDown}{ArrowDown}{ArrowRight}');
  const tip = (await page.findByText('Job 2 · No company')).parentElement;
  expect(tip?.textContent).toContain("Didn't runMon 03/02/26");
});

test.each([
  ['below its cell', new DOMRect(400, 300, 25, 24), { left: '282.5px', top: '330px', bottom: '' }],
  ['above it where the window ends', new DOMRect(400, 740, 25, 24), { left: '282.5px', top: '', bottom: '34px' }],
  ['inside the window at its left edge', new DOMRect(0, 300, 25, 24), { left: '8px', top: '330px', bottom: '' }],
  ['inside the window at its right edge', new DOMRect(1_010, 300, 25, 24), { left: '756px', top: '330px', bottom: '' }],
])('is placed %s', async (_place, box, expected) => {
  vi.stubGlobal('innerWidth', 1_024);
  vi.stubGlobal('innerHeight', 768);
  const { person, cell, tip } = await open();
  const warning = cell('Warning');
  vi.spyOn(warning, 'getBoundingClientRect').mockReturnValue(box);
  await person.hover(warning);
  const { left, top, bottom } = tip()?.style ?? {};
  expect({ left, top, bottom }).toEqual(expected);
});
