import { assert, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { splitSubject } from './subject.ts';

it.each([
  ['RE: Offer', 'RE: ', 'Offer'],
  ['Fwd: RE: Offer', 'Fwd: ', 'RE: Offer'],
  ['ВС: Счёт', 'ВС: ', 'Счёт'],
  ['回复: 报告', '回复: ', '报告'],
  ['RE:no blank', '', 'RE:no blank'],
  ['ABCD: too long', '', 'ABCD: too long'],
  ['12: a number', '', '12: a number'],
  ['RE: ', 'RE: ', ''],
  ['', '', ''],
])('splits "%s"', (subject, prefix, rest) => {
  expect(splitSubject(subject)).toEqual({ prefix, rest });
});

it('loses nothing of any subject', () => {
  assert(
    property(string({ unit: 'binary' }), (subject) => {
      const { prefix, rest } = splitSubject(subject);
      expect(prefix + rest).toBe(subject);
    }),
  );
});
