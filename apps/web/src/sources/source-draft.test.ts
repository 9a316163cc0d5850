import { expect, test } from 'vitest';
import { draftOf, formOf, missingSettings, settingsOf } from './source-draft.ts';
import { buildKind, buildSource } from './testing/sources-answers.ts';

const kind = buildKind();
const source = buildSource({ settings: { url: 'https://one.test', username: 'reader' } });

test('begins a new console with an empty form', () => {
  expect(formOf(kind, null)).toEqual({
    name: '',
    syncIntervalMinutes: '5',
    settings: { url: '', apiKey: '', username: '' },
  });
});

test('begins a change with what is known, which no secret is', () => {
  expect(formOf(kind, source).settings).toEqual({ url: 'https://one.test', apiKey: '', username: 'reader' });
});

test('sends only what was filled in for a new console', () => {
  const form = { ...formOf(kind, null), settings: { url: 'https://two.test', username: '', apiKey: 'k' } };
  expect(settingsOf(form, kind, null)).toEqual({ url: 'https://two.test', apiKey: 'k' });
});

test('leaves a secret that was not touched as it is', () => {
  expect(settingsOf(formOf(kind, source), kind, source)).toEqual({ url: 'https://one.test', username: 'reader' });
});

test('sends an emptied setting of a connected console as empty', () => {
  const form = { ...formOf(kind, source), settings: { url: 'https://one.test', username: '' } };
  expect(settingsOf(form, kind, source)).toEqual({ url: 'https://one.test', username: '' });
});

test('keeps a disabled console disabled when its name is changed', () => {
  const disabled = buildSource({ isEnabled: false });
  const form = { ...formOf(kind, disabled), name: '  Berlin  ', syncIntervalMinutes: '15' };
  expect(draftOf(form, kind, disabled)).toMatchObject({ name: 'Berlin', syncIntervalMinutes: 15, isEnabled: false });
});

test('reports missing required settings, but not a stored secret', () => {
  const strict = { ...kind, settings: kind.settings.map((field) => ({ ...field, isRequired: true })) };
  expect(missingSettings(formOf(strict, null), strict, null).map(({ name }) => name)).toEqual([
    'url',
    'apiKey',
    'username',
  ]);
  expect(missingSettings(formOf(strict, source), strict, source)).toEqual([]);
});

test('misses a required secret again when the address is another', () => {
  const strict = { ...kind, settings: kind.settings.map((field) => ({ ...field, isRequired: true })) };
  const form = formOf(strict, source);
  const moved = { ...form, settings: { ...form.settings, url: 'https://elsewhere.test' } };
  expect(missingSettings(moved, strict, source).map(({ name }) => name)).toEqual(['apiKey']);
  const typed = { ...moved, settings: { ...moved.settings, apiKey: 'k' } };
  expect(missingSettings(typed, strict, source)).toEqual([]);
});
