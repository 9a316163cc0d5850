import { expect, test } from 'vitest';
import { buildFault, buildSharing, viewing } from '../testing/faults.ts';
import { followingIn, inOrderOfCauses, sharingCause, withOthersText } from './candidates.ts';

const names = (faults: ReturnType<typeof inOrderOfCauses>) => faults.map(({ jobName }) => jobName.replace('Job ', ''));

test('goes through the causes as the queue has them: the worst first, then those of most faults', () => {
  const [first, second] = buildSharing([1, 2]);
  const missed = buildFault(3, { kind: 'missed' });
  const alone = buildFault(4);
  if (first === undefined || second === undefined) throw new Error('Two faults were built.');
  expect(names(inOrderOfCauses([alone, first, missed, second], 'none'))).toEqual(['1', '2', '4', '3']);
});

test('keeps the order that was asked for, and the faults of a cause together', () => {
  const [first, second] = buildSharing([1, 2]);
  if (first === undefined || second === undefined) throw new Error('Two faults were built.');
  expect(names(inOrderOfCauses([buildFault(4), first, buildFault(3), second], 'fineAt'))).toEqual(['4', '1', '2', '3']);
});

test('goes on below the line that was opened, and at the end with what was above it', () => {
  const faults = [1, 2, 3].map((number) => buildFault(number));
  const [first, second, third] = faults;
  expect(followingIn(faults, second?._id ?? null, faults)).toBe(third);
  expect(followingIn(faults, third?._id ?? null, faults)).toBe(first);
  expect(followingIn(faults, null, faults)).toBe(first);
  expect(followingIn(faults, first?._id ?? null, first === undefined ? [] : [first])).toBeUndefined();
});

test('shares with a fault what is pending and of no other person, and says who has the others', () => {
  const faults = buildSharing([1, 2, 3, 4, 5]);
  const [first, second, third] = faults;
  if (first === undefined || second === undefined || third === undefined) throw new Error('Five faults were built.');
  const ofBen = [{ ...third, state: 'in-progress' as const, changedBy: 'ben' }];
  const all = [first, second, ...ofBen, ...faults.slice(3)];
  const viewers = [viewing(second._id, 'anna'), viewing(first._id, 'anna')];
  const around = { username: 'operator', viewers, deeds: new Map() };
  expect(names(sharingCause(all, first, around))).toEqual(['1', '4', '5']);
  expect(withOthersText(all, first, around)).toBe('1 is with anna, 1 is with ben');
  expect(withOthersText(all, buildFault(9), around)).toBeNull();
});
