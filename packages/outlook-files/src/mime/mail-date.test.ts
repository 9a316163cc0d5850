import { expect, it } from 'vitest';
import { mailDate } from './mail-date.ts';

it.each([
  ['with an offset', 'Wed, 04 Mar 2026 06:06:07 +0100', '2026-03-04T05:06:07.000Z'],
  ['without day of week and seconds', '4 Mar 2026 06:06 -0530', '2026-03-04T11:36:00.000Z'],
  ['with comments, one in the other', 'Wed (a (b)), 4 Mar 2026 06:06:07 +0100 (CET)', '2026-03-04T05:06:07.000Z'],
  ['in the zone of a name', '4 Mar 2026 06:06:07 EST', '2026-03-04T11:06:07.000Z'],
  ['in summer time', '4 Jul 2026 06:06:07 PDT', '2026-07-04T13:06:07.000Z'],
  ['in a zone of Europe', '4 Mar 2026 06:06:07 CET', '2026-03-04T05:06:07.000Z'],
  ['in a zone of two words', '4 Jul 2026 06:06:07 MET DST', '2026-07-04T04:06:07.000Z'],
  ['in a zone of one letter, which means nothing', '4 Mar 2026 06:06:07 A', '2026-03-04T06:06:07.000Z'],
  ['in a zone that is not known', '4 Mar 2026 06:06:07 XYZ', '2026-03-04T06:06:07.000Z'],
  ['with an offset behind the name of a zone', '4 Mar 2026 06:06:07 GMT+0200', '2026-03-04T04:06:07.000Z'],
  ['with an offset behind UTC', '4 Mar 2026 06:06:07 UTC -05:30', '2026-03-04T11:36:07.000Z'],
  ['without a zone', '4 Mar 2026 06:06:07', '2026-03-04T06:06:07.000Z'],
  ['with a year of two digits', '4 Mar 26 06:06:07 GMT', '2026-03-04T06:06:07.000Z'],
  ['with a year of two digits of the last century', '4 Mar 96 06:06:07 UT', '1996-03-04T06:06:07.000Z'],
  ['with a year of three digits', '4 Mar 126 06:06:07 Z', '2026-03-04T06:06:07.000Z'],
  ['with hyphens', '04-Mar-2026 06:06:07 +0100', '2026-03-04T05:06:07.000Z'],
  ['as the C library writes it', 'Wed Mar  4 06:06:07 2026', '2026-03-04T06:06:07.000Z'],
  ['as the C library writes it, with a zone', 'Wed Mar  4 06:06:07 EST 2026', '2026-03-04T11:06:07.000Z'],
  ['of ISO 8601', '2026-03-04T06:06:07Z', '2026-03-04T06:06:07.000Z'],
  ['of ISO 8601 without a zone', '2026-03-04 06:06:07', '2026-03-04T06:06:07.000Z'],
])('reads a date %s', (_, value, expected) => {
  expect(mailDate(value)?.toISOString()).toBe(expected);
});

it.each(['', 'yesterday', '12', '4 Foo 2026 06:06:07', '4 Mar 2026', '4 Mar 2026 25:00'])(
  'finds no date in %j',
  (value) => {
    expect(mailDate(value)).toBeUndefined();
  },
);
