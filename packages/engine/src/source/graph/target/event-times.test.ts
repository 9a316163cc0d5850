import { expect, test } from 'vitest';
import { inOwnZone, losesItsZone } from './event-times.ts';

const utc = (dateTime: string) => ({ dateTime: `${dateTime}:00.0000000`, timeZone: 'UTC' });
const event = (zone: string, over: object = {}) => ({
  start: utc('2026-07-01T07:00'),
  end: utc('2026-07-01T08:30'),
  originalStartTimeZone: zone,
  originalEndTimeZone: zone,
  ...over,
});

test.each([
  ['W. Europe Standard Time', '2026-07-01T09:00:00', '2026-07-01T10:30:00'],
  ['Pacific Standard Time', '2026-07-01T00:00:00', '2026-07-01T01:30:00'],
  ['India Standard Time', '2026-07-01T12:30:00', '2026-07-01T14:00:00'],
  ['America/New_York', '2026-07-01T03:00:00', '2026-07-01T04:30:00'],
])('an event is in %s again, as the clock there shows it', (zone, start, end) => {
  const properties = event(zone);
  expect(inOwnZone(properties)).toEqual({
    start: { dateTime: start, timeZone: zone },
    end: { dateTime: end, timeZone: zone },
  });
  expect(losesItsZone(properties)).toBe(false);
});

test('start and end may be in different zones, as on a flight', () => {
  const flight = event('W. Europe Standard Time', { originalEndTimeZone: 'GMT Standard Time' });
  expect(inOwnZone(flight)).toMatchObject({ end: { dateTime: '2026-07-01T09:30:00', timeZone: 'GMT Standard Time' } });
});

test.each([
  ['UTC', {}, false],
  ['tzone://Microsoft/Custom', {}, true],
  ['W. Europe Standard Time', { isAllDay: true }, true],
])('an event of %s %o stays as Graph returns it', (zone, over, isLost) => {
  const properties = event(zone, over);
  expect([inOwnZone(properties), losesItsZone(properties)]).toEqual([{}, isLost]);
});
