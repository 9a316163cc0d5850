import { expect, it } from 'vitest';
import { growthPerDay } from './growth.ts';

const NOW = new Date('2026-03-11T12:00:00Z');
const day = (day: string, bytesStored: number) => ({ day, runs: 1, itemsRead: 1, bytesRead: bytesStored, bytesStored });

it('is what came after the first backup, by all days since', () => {
  expect(growthPerDay([day('2026-03-01', 9e9), day('2026-03-02', 600), day('2026-03-09', 400)], NOW)).toBe(100);
});

it('is not known of a repository without backups, or of a few days', () => {
  expect(growthPerDay([], NOW)).toBeNull();
  expect(growthPerDay([day('2026-03-09', 9e9), day('2026-03-10', 5)], NOW)).toBeNull();
});
