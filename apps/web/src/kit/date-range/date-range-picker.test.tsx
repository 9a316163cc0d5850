import { useState } from 'react';
import { expect, test } from 'vitest';
import { openComponent } from '../../testing/open-component.tsx';
import { DateRangePicker } from './date-range-picker.tsx';

function Picker() {
  const [value, setValue] = useState<string | null>(null);
  return (
    <>
      <DateRangePicker value={value} onChange={setValue} />
      <p>chosen: {value}</p>
    </>
  );
}

async function open() {
  const opened = openComponent(Picker);
  await opened.person.click(await opened.page.findByRole('button', { name: 'Select Date' }));
  await opened.page.findByRole('button', { name: 'Apply days' });
  return opened;
}

test('chooses a preset', async () => {
  const { page, person } = await open();
  await person.click(page.getByRole('button', { name: 'Last quarter' }));
  expect(page.getByText('chosen: Last Quarter')).toBeDefined();
  expect(page.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(page.getByRole('button', { name: 'Last quarter' }));
});

test('accepts a number of days of at most three digits', async () => {
  const { page, person } = await open();
  expect(page.getByRole('button', { name: 'Apply days' })).toHaveProperty('disabled', true);
  await person.type(page.getByLabelText('Last number of days'), '3x567{Enter}');
  expect(page.getByText('chosen: Last 356 Days')).toBeDefined();
});

test('accepts two chosen days, and shows them as dates', async () => {
  const { page, person } = await open();
  await person.type(page.getByLabelText('From'), '2026-02-03');
  await person.type(page.getByLabelText('To'), '2026-01-05');
  await person.click(page.getByRole('button', { name: 'Apply range' }));
  expect(page.getByText('chosen: 2026-01-05..2026-02-03')).toBeDefined();
  expect(page.getByRole('button', { name: '01/05/26 – 02/03/26' })).toBeDefined();
});

test('accepts 400 days, and refuses one more with a message', async () => {
  const { page, person } = await open();
  const days = page.getByLabelText('Last number of days');
  await person.type(days, '401{Enter}');
  expect(page.getByText('At most 400 days')).toBeDefined();
  expect(page.getByText('chosen:')).toBeDefined();
  expect(page.getByRole('button', { name: 'Apply days' })).toHaveProperty('disabled', true);
  await person.clear(days);
  await person.type(days, '400{Enter}');
  expect(page.getByText('chosen: Last 400 Days')).toBeDefined();
});

test('refuses two days that are more than 400 days apart', async () => {
  const { page, person } = await open();
  await person.type(page.getByLabelText('From'), '2025-01-01');
  await person.type(page.getByLabelText('To'), '2026-02-05');
  expect(page.getByText('At most 400 days')).toBeDefined();
  expect(page.getByRole('button', { name: 'Apply range' })).toHaveProperty('disabled', true);
  await person.clear(page.getByLabelText('To'));
  await person.type(page.getByLabelText('To'), '2026-02-04');
  await person.click(page.getByRole('button', { name: 'Apply range' }));
  expect(page.getByText('chosen: 2025-01-01..2026-02-04')).toBeDefined();
});
