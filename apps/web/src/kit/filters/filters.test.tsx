import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { CompanyFilter } from '../../entities/company-filter.tsx';
import { createAnswers } from '../../testing/answers.ts';
import { buildId } from '../../testing/builders.ts';
import { openComponent } from '../../testing/open-component.tsx';
import { Chip } from './chip.tsx';
import { ChoiceFilter, SingleFilter } from './choice-filter.tsx';
import { FilterBar } from './filter-bar.tsx';
import { SearchInput } from './search-input.tsx';

const RESULTS = [
  { value: 'Failed', label: 'Failed' },
  { value: 'DidntRun', label: "Didn't run" },
  { value: 'Warning', label: 'Warning' },
] as const;

function Choices() {
  const [results, setResults] = useState<readonly ('Failed' | 'DidntRun' | 'Warning')[]>([]);
  const [result, setResult] = useState<'Failed' | 'DidntRun' | 'Warning'>('Failed');
  return (
    <FilterBar end="3 rows">
      <ChoiceFilter label="Result" choices={RESULTS} values={results} onChange={setResults} />
      <SingleFilter label="One" choices={RESULTS} value={result} neutral={['Failed']} onChange={setResult} />
      {results.map((value) => (
        <Chip key={value} label={value} onRemove={() => setResults([])} />
      ))}
    </FilterBar>
  );
}

test('chooses several values, stays open meanwhile, and clears them', async () => {
  const { page, person } = openComponent(Choices);
  await person.click(await page.findByRole('button', { name: 'Result' }));
  await person.click(page.getByRole('option', { name: 'Failed' }));
  await person.click(page.getByRole('option', { name: 'Warning' }));
  expect(page.getByRole('button', { name: 'Result: Failed +1' })).toBeDefined();
  expect(page.getByRole('option', { name: 'Warning' }).getAttribute('aria-selected')).toBe('true');
  await person.click(page.getByRole('button', { name: 'Clear' }));
  expect(page.getByRole('button', { name: 'Result' })).toBeDefined();
});

test('is a list box that the keys work in', async () => {
  const { page, person } = openComponent(Choices);
  await person.click(await page.findByRole('button', { name: 'Result' }));
  const list = page.getByRole('listbox', { name: 'Result' });
  expect(document.activeElement).toBe(list);
  expect(list.getAttribute('aria-multiselectable')).toBe('true');
  await person.keyboard('{ArrowDown}{ArrowDown}');
  const second = page.getByRole('option', { name: "Didn't run" });
  expect(list.getAttribute('aria-activedescendant')).toBe(second.id);
  await person.keyboard(' {ArrowDown}{Enter}');
  expect(second.getAttribute('aria-selected')).toBe('true');
  page.getByRole('button', { name: "Result: Didn't run +1" });
});

test('chooses one value, closes, and gives the focus back', async () => {
  const { page, person } = openComponent(Choices);
  await person.click(await page.findByRole('button', { name: 'One: Failed' }));
  await person.click(page.getByRole('option', { name: "Didn't run" }));
  expect(page.queryByRole('dialog', { name: 'One' })).toBeNull();
  expect(document.activeElement).toBe(page.getByRole('button', { name: "One: Didn't run" }));
});

test('closes with Escape and by a click elsewhere', async () => {
  const { page, person } = openComponent(Choices);
  const button = await page.findByRole('button', { name: 'Result' });
  await person.click(button);
  await person.keyboard('{Escape}');
  expect(page.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(button);
  await person.click(button);
  await person.click(page.getByText('3 rows'));
  expect(page.queryByRole('dialog')).toBeNull();
});

test('removes a chosen value by its chip', async () => {
  const { page, person } = openComponent(Choices);
  await person.click(await page.findByRole('button', { name: 'Result' }));
  await person.click(page.getByRole('option', { name: 'Failed' }));
  await person.click(page.getByRole('button', { name: 'Remove Failed' }));
  expect(page.getByRole('button', { name: 'Result' })).toBeDefined();
});

function Companies() {
  const [ids, setIds] = useState<readonly string[]>([buildId(7)]);
  return <CompanyFilter companyIds={ids} onChange={setIds} />;
}

function thousandCompanies() {
  return createAnswers().on(listReportingCompanies, ({ query }) => {
    const numbers = Array.from({ length: 1_000 }, (_, number) => number);
    const found = numbers.filter((number) => {
      const isNamed = query.search === undefined || `Company ${number}`.includes(query.search);
      return isNamed && (query.ids === undefined || query.ids.includes(buildId(number)));
    });
    const data = found.slice(0, query.limit).map((number) => {
      return { _id: buildId(number), name: `Company ${number}`, vacId: null, vcdId: null, zertoId: null };
    });
    return { success: true as const, count: found.length, data, query: { limit: query.limit, offset: 0 } };
  });
}

test('names the chosen company, and finds another on the server', async () => {
  const { page, person, answers } = openComponent(Companies, { answers: thousandCompanies() });
  await person.click(await page.findByRole('button', { name: 'Company: Company 7' }));
  await page.findByText('Showing 50 of 1,000. Type to narrow.');
  await person.type(page.getByLabelText('Search companies'), '998');
  await person.click(await page.findByRole('option', { name: 'Company 998' }));
  expect(await page.findByRole('button', { name: 'Company: Company 7 +1' })).toBeDefined();
  expect(page.getByRole('option', { name: 'Company 7' }).getAttribute('aria-selected')).toBe('true');
  expect(answers.asked(listReportingCompanies).map(({ query }) => query.search)).toContain('998');
});

test('lists the chosen company first, and chooses another with the keys', async () => {
  const { page, person } = openComponent(Companies, { answers: thousandCompanies() });
  await person.click(await page.findByRole('button', { name: 'Company: Company 7' }));
  await page.findByText('Showing 50 of 1,000. Type to narrow.');
  expect(
    page
      .getAllByRole('option')
      .slice(0, 3)
      .map((option) => option.textContent),
  ).toEqual(['Company 7', 'Company 0', 'Company 1']);
  expect(page.getByRole('combobox', { name: 'Search companies' }).getAttribute('aria-expanded')).toBe('true');
  await person.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  await page.findByRole('button', { name: 'Company: Company 7 +1' });
});

test('says that no company has the text in its name', async () => {
  const { page, person } = openComponent(Companies, { answers: thousandCompanies() });
  await person.click(await page.findByRole('button', { name: 'Company: Company 7' }));
  await person.type(page.getByLabelText('Search companies'), 'unknown');
  expect(await page.findByText('No matching company.')).toBeDefined();
});

function Search() {
  const [search, setSearch] = useState('');
  return (
    <>
      <SearchInput label="Search jobs" value={search} onChange={setSearch} />
      <p>searching: {search}</p>
      <button type="button" onClick={() => setSearch('from outside')}>
        back
      </button>
    </>
  );
}

test('searches when the person pauses, from anywhere with the slash key', async () => {
  const { page, person } = openComponent(Search);
  await page.findByLabelText('Search jobs');
  await person.keyboard('/');
  await person.keyboard('nightly');
  expect(await page.findByText('searching: nightly')).toBeDefined();
  await person.click(page.getByRole('button', { name: 'Clear the search' }));
  expect(await page.findByText('searching:')).toBeDefined();
});

test('keeps every letter of a person who types while searches are made', async () => {
  const { page, person } = openComponent(Search);
  const input = await page.findByLabelText('Search jobs');
  await person.click(input);
  for (const letter of 'nightly') {
    await person.keyboard(letter);
    await page.findByText(`searching: ${'nightly'.slice(0, 'nightly'.indexOf(letter) + 1)}`);
  }
  expect(input).toHaveProperty('value', 'nightly');
});

test('follows a search that changes from outside', async () => {
  const { page, person } = openComponent(Search);
  await person.click(await page.findByRole('button', { name: 'back' }));
  expect(page.getByLabelText('Search jobs')).toHaveProperty('value', 'from outside');
});
