import type { EngineEvent, ObjectKind } from '@keepwatch/engine/engine';
import { expect, it } from 'vitest';
import { logLineOf } from './log-texts.ts';

type Event<Type> = Extract<EngineEvent, { type: Type }>;

const objectOf = (kind: ObjectKind): Event<'object-begun'>['object'] => ({
  kind,
  id: 'ada',
  name: 'Ada',
  address: null,
  key: 'k',
});

it.each([
  ['mailbox', 'The mailbox is being read.'],
  ['chats', 'The chats are being read.'],
  ['planner', 'The plans are being read.'],
] as const)('says in the log that %s are being read', (kind, text) => {
  expect(logLineOf({ type: 'object-begun', object: objectOf(kind) })).toMatchObject({ objectName: 'Ada', text });
});

it('names the object of an alert, by which an erasure finds the line', () => {
  const event = { type: 'alert', code: 'lost-revision', message: "'Ada' was at revision 3." } as const;
  expect(logLineOf({ ...event, objectName: 'Ada' })).toEqual({
    level: 'warning',
    objectName: 'Ada',
    text: event.message,
  });
  expect(logLineOf({ ...event, objectName: null })).toMatchObject({ objectName: null });
});
