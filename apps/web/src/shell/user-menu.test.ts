import { expect, test } from 'vitest';
import { initialsOf } from './user-menu.tsx';

test.each([
  ['Ada King Lovelace', 'AL'],
  ['ada', 'A'],
  ['  ', '?'],
])('"%s" is %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
