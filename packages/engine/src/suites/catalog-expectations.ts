import { expect } from 'vitest';
import type { ItemVersion } from '../model/items.ts';

/** Each item comes after the container it is in, where that comes at all. */
export function expectContainersFirst(walked: readonly ItemVersion[]): void {
  const places = new Map(walked.map(({ id }, at) => [id, at]));
  for (const [at, { parentId }] of walked.entries()) expect(places.get(parentId ?? '') ?? -1).toBeLessThan(at);
}
