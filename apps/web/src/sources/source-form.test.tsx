import { createSource, editSource, testSource } from '@keepwatch/contract/sources/sources';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';
import { OUTCOME_TEXTS } from './outcome-texts.ts';
import { answersWith, buildSource } from './testing/sources-answers.ts';

const path = '/monitoring/sources';
const user = buildUser({ roles: ['admin'] });
const works = { success: true, data: { outcome: 'works', message: 'Version 8.1' } } as const;

async function openNew() {
  const answers = answersWith({});
  const opened = openPortal({ path, user, answers });
  await opened.person.click(await opened.page.findByRole('button', { name: 'Connect a console' }));
  const dialog = within(await opened.page.findByRole('dialog', { name: 'Connect a console' }));
  await dialog.findByLabelText(/^Address/);
  return { ...opened, answers, dialog };
}

async function openEdit() {
  const answers = answersWith({ sources: [buildSource()] });
  const opened = openPortal({ path, user, answers });
  await opened.person.click(await opened.page.findByRole('button', { name: 'Edit' }));
  const dialog = within(await opened.page.findByRole('dialog', { name: 'Edit Main console' }));
  await dialog.findByLabelText(/^Address/);
  return { ...opened, answers, dialog };
}

test('draws the form that the connector describes, secrets hidden', async () => {
  const { dialog } = await openNew();
  expect(dialog.getByLabelText(/^Address/)).toHaveProperty('type', 'text');
  expect(dialog.getByLabelText(/^API key/)).toHaveProperty('type', 'password');
  dialog.getByText('Create it in the console for a dedicated user.');
});

test('connects a console once its settings were seen to work', async () => {
  const { page, dialog, person, answers } = await openNew();
  answers.on(testSource, works).on(createSource, { success: true, data: buildSource({ name: 'Berlin' }) });
  const connect = dialog.getByRole('button', { name: 'Connect' });
  await person.type(dialog.getByLabelText(/^Name/), 'Berlin');
  await person.type(dialog.getByLabelText(/^Address/), 'https://berlin.test');
  await person.type(dialog.getByLabelText(/^API key/), 'secret-key');
  expect(connect).toHaveProperty('disabled', true);
  await person.click(dialog.getByRole('button', { name: 'Test' }));
  await dialog.findByText(OUTCOME_TEXTS.works);
  await person.click(connect);
  await page.findByText('Berlin is connected.');
  const settings = { url: 'https://berlin.test', apiKey: 'secret-key' };
  expect(answers.asked(testSource)[0]?.body).toEqual({ kind: 'vac', settings });
  expect(answers.asked(createSource)[0]?.body).toEqual({
    kind: 'vac',
    name: 'Berlin',
    isEnabled: true,
    syncIntervalMinutes: 5,
    settings,
  });
  expect(page.queryByRole('dialog')).toBeNull();
});

test.each(['wrong-credentials', 'not-reachable', 'not-allowed', 'wrong-version'] as const)(
  'says in plain words what %s means, and does not connect',
  async (outcome) => {
    const { dialog, person, answers } = await openNew();
    answers.on(testSource, { success: true, data: { outcome, message: 'What the console said.' } });
    await person.type(dialog.getByLabelText(/^Name/), 'Berlin');
    await person.type(dialog.getByLabelText(/^Address/), 'https://berlin.test');
    await person.click(dialog.getByRole('button', { name: 'Test' }));
    await dialog.findByText(OUTCOME_TEXTS[outcome]);
    dialog.getByText('What the console said.');
    expect(dialog.getByRole('button', { name: 'Connect' })).toHaveProperty('disabled', true);
  },
);

test('forgets the outcome of a test when a setting is changed after it', async () => {
  const { dialog, person, answers } = await openNew();
  answers.on(testSource, works);
  await person.type(dialog.getByLabelText(/^Name/), 'Berlin');
  await person.type(dialog.getByLabelText(/^Address/), 'https://berlin.test');
  await person.click(dialog.getByRole('button', { name: 'Test' }));
  await dialog.findByText(OUTCOME_TEXTS.works);
  await person.type(dialog.getByLabelText(/^Address/), ':1280');
  expect(dialog.queryByText(OUTCOME_TEXTS.works)).toBeNull();
  expect(dialog.getByRole('button', { name: 'Connect' })).toHaveProperty('disabled', true);
});

test('continues with Enter: tests the settings first, and connects once they work', async () => {
  const { page, dialog, person, answers } = await openNew();
  answers.on(testSource, works).on(createSource, { success: true, data: buildSource({ name: 'Berlin' }) });
  await person.type(dialog.getByLabelText(/^Name/), 'Berlin');
  await person.type(dialog.getByLabelText(/^Address/), 'https://berlin.test{Enter}');
  await dialog.findByText(OUTCOME_TEXTS.works);
  expect(answers.asked(createSource)).toEqual([]);
  await person.type(dialog.getByLabelText(/^Name/), '{Enter}');
  await page.findByText('Berlin is connected.');
  expect(answers.asked(createSource)).toHaveLength(1);
});

test('cannot be tested without what is required', async () => {
  const { dialog } = await openNew();
  expect(dialog.getByRole('button', { name: 'Test' })).toHaveProperty('disabled', true);
});

test('never shows a secret again, and leaves it as it is when the name is changed', async () => {
  const { page, dialog, person, answers } = await openEdit();
  answers.on(editSource, { success: true, data: buildSource({ name: 'Berlin' }) });
  const key = dialog.getByLabelText(/^API key/);
  expect(key).toHaveProperty('value', '');
  expect(key).toHaveProperty('placeholder', 'Unchanged');
  await person.clear(dialog.getByLabelText(/^Name/));
  await person.type(dialog.getByLabelText(/^Name/), 'Berlin');
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  await page.findByText('Berlin is saved.');
  expect(answers.asked(editSource)[0]).toMatchObject({
    params: { id: buildId(600) },
    body: { name: 'Berlin', settings: { url: 'https://console.test:1280', username: '' } },
  });
  expect(answers.asked(editSource)[0]?.body.settings).not.toHaveProperty('apiKey');
});

test('tests a new secret of a connected console together with the stored ones', async () => {
  const { dialog, person, answers } = await openEdit();
  answers.on(testSource, works);
  await person.type(dialog.getByLabelText(/^API key/), 'new-key');
  expect(dialog.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
  await person.click(dialog.getByRole('button', { name: 'Test' }));
  await dialog.findByText(OUTCOME_TEXTS.works);
  expect(answers.asked(testSource)[0]?.body).toEqual({
    kind: 'vac',
    sourceId: buildId(600),
    settings: { url: 'https://console.test:1280', username: '', apiKey: 'new-key' },
  });
  expect(dialog.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', false);
});

test('keeps the stored secret if the typed one is removed again', async () => {
  const { dialog, person, answers } = await openEdit();
  answers.on(testSource, works);
  const key = dialog.getByLabelText(/^API key/);
  await person.type(key, 'new-key');
  await person.clear(key);
  expect(key).toHaveProperty('placeholder', 'Unchanged');
  await person.click(dialog.getByRole('button', { name: 'Test' }));
  await dialog.findByText(OUTCOME_TEXTS.works);
  expect(answers.asked(testSource)[0]?.body.settings).not.toHaveProperty('apiKey');
});

test('asks for the secrets again when the address is another', async () => {
  const { dialog, person } = await openEdit();
  const key = dialog.getByLabelText(/^API key/);
  const url = dialog.getByLabelText(/^Address/);
  await person.type(url, '0');
  expect(key).toHaveProperty('placeholder', 'Enter it again for the new address');
  await person.type(url, '{Backspace}');
  expect(key).toHaveProperty('placeholder', 'Unchanged');
});

test('refuses an interval that the server would refuse', async () => {
  const { dialog, person } = await openEdit();
  const interval = dialog.getByLabelText(/^Sync interval/);
  await person.clear(interval);
  await person.type(interval, '0');
  dialog.getByText('Enter 1 to 1440 minutes.');
  expect(dialog.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
});

test('stays open with what was typed when it could not be saved', async () => {
  const { dialog, person, answers } = await openEdit();
  const errors = [
    { path: 'body.name', message: 'is in use' },
    { path: 'body.isEnabled', message: 'must be on' },
  ];
  answers.refuse(editSource, 422, { code: 'INVALID_INPUT', message: 'Some fields are not right.', errors });
  await person.type(dialog.getByLabelText(/^Name/), ' 2');
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('Some fields are not right.');
  dialog.getByText('is in use');
  expect(dialog.getByLabelText(/^Name/)).toHaveProperty('value', 'Main console 2');
});
