import type { SettingField } from '@keepwatch/contract/connections/connections';
import { expect, test } from 'vitest';
import { initialSettings, missingSettings, sealedFields, settingsToSend } from './settings-draft.ts';

const field = { hint: '', isRequired: false };
const kind = {
  settings: [
    { ...field, name: 'url', label: 'Address', kind: 'url', isRequired: true },
    { ...field, name: 'apiKey', label: 'API key', kind: 'secret' },
    { ...field, name: 'username', label: 'User name', kind: 'text' },
  ] satisfies SettingField[],
};
const strict = { settings: kind.settings.map((each) => ({ ...each, isRequired: true })) };
const stored = { url: 'https://one.test', username: 'reader' };
const namesOf = (fields: readonly SettingField[]) => fields.map(({ name }) => name);

test('begins a change with what is known, which no secret is', () => {
  expect(initialSettings(kind, null)).toEqual({ url: '', apiKey: '', username: '' });
  expect(initialSettings(kind, stored)).toEqual({ url: 'https://one.test', apiKey: '', username: 'reader' });
});

test('sends only what was filled in for a new connection', () => {
  const typed = { url: 'https://two.test', username: '', apiKey: 'k' };
  expect(settingsToSend(kind, typed, null)).toEqual({ url: 'https://two.test', apiKey: 'k' });
});

test('leaves a secret that was not touched as it is', () => {
  expect(settingsToSend(kind, initialSettings(kind, stored), stored)).toEqual(stored);
});

test('sends an emptied setting of a connection as empty', () => {
  const typed = { url: 'https://one.test', username: '' };
  expect(settingsToSend(kind, typed, stored)).toEqual({ url: 'https://one.test', username: '' });
});

test('sends no for a box that was not ticked, and treats a file as a secret', () => {
  const other = {
    settings: [
      { ...field, name: 'archive', label: 'Keep a copy', kind: 'flag' },
      { ...field, name: 'key', label: 'Key', kind: 'file', isRequired: true },
    ] satisfies SettingField[],
  };
  expect(settingsToSend(other, initialSettings(other, null), null)).toEqual({ archive: 'false' });
  expect(settingsToSend(other, initialSettings(other, {}), { archive: 'true' })).toEqual({ archive: 'false' });
  expect(namesOf(missingSettings(other, initialSettings(other, null), null))).toEqual(['key']);
  expect(missingSettings(other, initialSettings(other, {}), {})).toEqual([]);
  expect(sealedFields(other)).toEqual(['settings.key']);
});

test('reports missing required settings, but not a stored secret', () => {
  expect(namesOf(missingSettings(strict, initialSettings(strict, null), null))).toEqual(['url', 'apiKey', 'username']);
  expect(missingSettings(strict, initialSettings(strict, stored), stored)).toEqual([]);
});

test('misses a required secret again when the address is another', () => {
  const moved = { ...initialSettings(strict, stored), url: 'https://elsewhere.test' };
  expect(namesOf(missingSettings(strict, moved, stored))).toEqual(['apiKey']);
  expect(missingSettings(strict, { ...moved, apiKey: 'k' }, stored)).toEqual([]);
});
