import { expect, test } from 'vitest';
import { draftOf, formOf } from './source-draft.ts';
import { buildKind, buildSource } from './testing/sources-answers.ts';

const kind = buildKind();

test('begins a new console with an empty form', () => {
  expect(formOf(kind, null)).toEqual({
    name: '',
    syncIntervalMinutes: '5',
    settings: { url: '', apiKey: '', username: '' },
  });
});

test('keeps a disabled console disabled when its name is changed', () => {
  const disabled = buildSource({ isEnabled: false });
  const form = { ...formOf(kind, disabled), name: '  Berlin  ', syncIntervalMinutes: '15' };
  expect(draftOf(form, kind, disabled)).toMatchObject({ name: 'Berlin', syncIntervalMinutes: 15, isEnabled: false });
});
