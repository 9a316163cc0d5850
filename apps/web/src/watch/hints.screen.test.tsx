import {
  createHint,
  deleteHint,
  editHint,
  type Hint,
  listFittingRuns,
  listHints,
  SEARCHED_RUNS_MAX,
} from '@keepwatch/contract/watch/hints';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildBranding, buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const path = '/monitoring/hints';
const admin = buildUser({ roles: ['admin'] });

function buildHint(number: number, fields: Partial<Hint> = {}): Hint {
  return {
    _id: buildId(number),
    title: `Hint ${number}`,
    text: 'What to do',
    words: 'vss timeout',
    result: null,
    sourceGroups: [],
    jobTypes: [],
    isActive: true,
    updatedAt: '2026-03-14T12:00:00.000Z',
    ...fields,
  };
}

/** A server with these hints, which it finds by title. */
function answersWith(...hints: Hint[]) {
  return createAnswers()
    .on(listHints, ({ query: { search = '' } }) => {
      const data = hints.filter(({ title }) => title.includes(search));
      return { success: true as const, count: data.length, data };
    })
    .on(listFittingRuns, { success: true, count: 0, searched: 0, data: [] });
}

test('lists hints with the runs for which they are shown', async () => {
  const condition = { result: 'Failed', sourceGroups: ['office365'], jobTypes: ['BackupVm'] } as const;
  const answers = answersWith(
    buildHint(1, { ...condition, sourceGroups: [...condition.sourceGroups], jobTypes: [...condition.jobTypes] }),
    buildHint(2, { isActive: false }),
  );
  const { page } = openPortal({ path, user: admin, answers });
  await page.findByText('Hint 1');
  const cells = within(page.getByRole('grid', { name: 'Hints' })).getAllByRole('gridcell');
  const texts = cells.map((cell) => cell.textContent);
  expect(texts.filter((_, place) => place % 3 === 0)).toEqual(['Hint 1', 'Hint 2 (off)']);
  expect(texts[1]).toBe('vss timeout · Failed · Microsoft 365 · VM backup');
  page.getByText('2 hints');
});

test('finds and sorts hints on the server', async () => {
  const { page, person, address, answers } = openPortal({
    path,
    user: admin,
    answers: answersWith(buildHint(1), buildHint(2)),
  });
  await person.click(await page.findByRole('button', { name: 'Changed' }));
  await waitFor(() => expect(answers.asked(listHints).at(-1)?.query.sort).toBe('updatedAt'));
  await person.type(page.getByRole('searchbox', { name: 'Search hints' }), 'None');
  await page.findByText('No hint contains “None”.');
  await person.click(page.getByRole('button', { name: 'Show all hints' }));
  await page.findByText('Hint 2');
  expect(address()).toBe(`${path}?sort=updatedAt`);
});

test('says what the server says where the list cannot be read, and what hints are for where there are none', async () => {
  const message = 'Error while getting the hints. Try again later.';
  const answers = createAnswers().refuse(listHints, 500, { code: 'INTERNAL_ERROR', message });
  const { page, person } = openPortal({ path, user: admin, answers });
  await page.findByText(message);
  answers.on(listHints, { success: true, count: 0, data: [] });
  await person.click(page.getByRole('button', { name: 'Try again' }));
  await page.findByText('No hints yet');
});

test('is closed where the brand has no hints, and to users of some companies', async () => {
  const features = { ...buildBranding().features, hints: false };
  const without = openPortal({ path, user: admin, branding: buildBranding({ features }) });
  await waitFor(() => expect(without.address()).toMatch(/^\/monitoring\/forbidden/));
  const limited = openPortal({ path, user: buildUser({ roles: ['admin'], companyIds: [buildId(1)] }) });
  await waitFor(() => expect(limited.address()).toMatch(/^\/monitoring\/forbidden/));
});

test('adds a hint, with what the server refuses beside its field', async () => {
  const answers = answersWith(buildHint(1)).refuse(createHint, 409, {
    code: 'CONFLICT',
    message: 'There are 500 hints already.',
  });
  const { page, person } = openPortal({ path, user: admin, answers });
  await person.click(await page.findByRole('button', { name: 'Add hint' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Add a hint' }));
  await person.type(dialog.getByLabelText(/^Title/), 'VSS');
  await person.type(dialog.getByLabelText(/^What it means/), 'Restart it.');
  await person.click(dialog.getByRole('button', { name: 'Add hint' }));
  await dialog.findByText('Enter words of the message, or choose a result.');
  await person.type(dialog.getByLabelText(/^The message contains/), '"timed out"');
  await person.click(dialog.getByLabelText('Backup copy'));
  await person.click(dialog.getByLabelText('Microsoft 365'));
  await person.click(dialog.getByRole('button', { name: 'Add hint' }));
  await dialog.findByText('There are 500 hints already.');
  answers.on(createHint, { success: true, data: buildHint(2, { title: 'VSS' }) });
  await person.click(dialog.getByRole('button', { name: 'Add hint' }));
  await page.findByText('The hint VSS has been added.');
  expect(answers.asked(createHint).at(-1)?.body).toEqual({
    title: 'VSS',
    text: 'Restart it.',
    words: '"timed out"',
    sourceGroups: ['office365'],
    jobTypes: ['BackupCopy', 'SimpleBackupCopy', 'CopyJob'],
    isActive: true,
  });
});

test('edits the hint of the address, and shows the runs that its condition fits', async () => {
  const hint = buildHint(1, {
    text: 'Read https://kb.test/vss.\nThen restart it.',
    result: 'Warning',
    jobTypes: ['BackupVm'],
  });
  const message = 'VSS timeout of the writer';
  const run = {
    _id: buildId(9),
    jobName: 'Files',
    companyName: 'Acme',
    startedAt: hint.updatedAt,
    result: 'Warning' as const,
    message,
  };
  const answers = answersWith(hint)
    .on(listFittingRuns, { success: true, count: 1_000, searched: SEARCHED_RUNS_MAX, data: [run] })
    .on(editHint, { success: true, data: hint });
  const { page, person } = openPortal({ path: `${path}?open=${buildId(1)}`, user: admin, answers });
  const panel = within(await page.findByRole('complementary', { name: 'Hint 1' }));
  expect(panel.getByRole('link', { name: 'https://kb.test/vss' }).getAttribute('href')).toBe('https://kb.test/vss');
  await person.click(panel.getByRole('button', { name: 'Edit hint' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Edit hint' }));
  await dialog.findByText('Fits 1,000 or more runs among the last 20,000');
  dialog.getByText(message);
  expect(answers.asked(listFittingRuns)[0]?.query).toMatchObject({
    words: 'vss timeout',
    result: 'Warning',
    jobTypes: ['BackupVm'],
  });
  await person.selectOptions(dialog.getByLabelText('Result'), 'Any');
  await person.click(dialog.getByLabelText('Shown to technicians'));
  await person.click(dialog.getByRole('button', { name: 'Save hint' }));
  await page.findByText('The hint Hint 1 has been changed.');
  const { updatedAt: _, _id: hintId, result: __, ...fields } = hint;
  expect(answers.asked(editHint)).toMatchObject([{ params: { hintId }, body: { ...fields, isActive: false } }]);
  expect(answers.asked(editHint)[0]?.body).not.toHaveProperty('result');
});

test('keeps the job types of a hint, also those that are not known, and changes only what the person chooses', async () => {
  const hint = buildHint(1, { jobTypes: ['BackupVm', 'SimpleBackupCopy', 'CloudDirector', 'BackupToTape'] });
  const answers = answersWith(hint).on(editHint, { success: true, data: hint });
  const { page, person } = openPortal({ path: `${path}?open=${buildId(1)}`, user: admin, answers });
  await person.click(await page.findByRole('button', { name: 'Edit hint' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Edit hint' }));
  const isChecked = (name: string) => dialog.getByLabelText<HTMLInputElement>(name).checked;
  expect(['VM backup', 'Backup copy', 'Cloud director', 'Backup to tape', 'Backup'].map(isChecked)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  await person.click(dialog.getByLabelText('Backup to tape'));
  await person.click(dialog.getByLabelText('Backup'));
  await person.click(dialog.getByRole('button', { name: 'Save hint' }));
  await page.findByText('The hint Hint 1 has been changed.');
  expect(answers.asked(editHint)[0]?.body.jobTypes).toEqual([
    'BackupVm',
    'SimpleBackupCopy',
    'CloudDirector',
    'Backup',
    'BackupJob',
  ]);
});

test('opens the hint of a link that the search does not find, and says that one is gone', async () => {
  const { page, person, address } = openPortal({
    path: `${path}?search=Hint 2&open=${buildId(1)}`,
    user: admin,
    answers: answersWith(buildHint(1), buildHint(2)),
  });
  await page.findByRole('complementary', { name: 'Hint 1' });
  page.getByText('Hint 2');
  page.unmount();
  const gone = openPortal({ path: `${path}?open=${buildId(7)}`, user: admin, answers: answersWith(buildHint(1)) });
  await person.click(await gone.page.findByRole('button', { name: 'Reset filters' }));
  await gone.page.findByText('Hint 1');
  expect(gone.address()).toBe(path);
  expect(address()).toContain('open=');
});

test('deletes a hint after one question', async () => {
  const answers = answersWith(buildHint(1)).on(deleteHint, { success: true });
  const { page, person, address } = openPortal({ path, user: admin, answers });
  await person.click(await page.findByText('Hint 1'));
  const panel = within(await page.findByRole('complementary', { name: 'Hint 1' }));
  await person.click(panel.getByRole('button', { name: 'Delete' }));
  const question = within(await page.findByRole('dialog', { name: 'Delete Hint 1?' }));
  answersWith();
  await person.click(question.getByRole('button', { name: 'Delete hint' }));
  await page.findByText('The hint Hint 1 has been deleted.');
  expect(answers.asked(deleteHint)).toMatchObject([{ params: { hintId: buildId(1) } }]);
  await waitFor(() => expect(address()).toBe(path));
});
