import { expect, it } from 'vitest';
import { ProgressMeter } from './progress-meter.ts';

const reading = { type: 'phase', phase: 'reading' } as const;
const progress = { type: 'progress', what: 'Ada', done: 1, total: 4, unit: 'objects' } as const;

it('adds what earlier turns of a run read and stored, whether or not those came to an end', () => {
  const first = new ProgressMeter();
  first.add(reading);
  first.add({ ...progress, items: 10, bytes: 2_000, bytesStored: 900 });
  const second = new ProgressMeter(first.progress());
  second.add(reading);
  second.add({ ...progress, items: 3, bytes: 500, bytesStored: 70 });
  expect(second.progress()).toMatchObject({ itemsRead: 13, bytesRead: 2_500, bytesStored: 970 });
});
