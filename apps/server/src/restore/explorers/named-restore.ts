import type { RestoreOptions } from '@keepwatch/contract/restore/explorer';
import type { FoundObject } from '../sessions/session-objects.ts';

/** What is restored, for people. */
export function nameOf({ object }: FoundObject, items: readonly string[] | null, pathName: string | undefined): string {
  if (items === null) return object.name;
  const what = items.length === 1 ? 'one entry' : `${items.length.toLocaleString('en')} entries`;
  return `${object.name}: ${pathName ?? what}`.slice(0, 1_000);
}

/** Where to, for people. */
export function targetOf({ object }: FoundObject, to: string | null, { folder }: RestoreOptions): string {
  const place = to ?? object.address ?? object.name;
  return folder === null ? place : `${place}, folder ${folder}`;
}

export const idsIn = (chosen: readonly { id: string }[]): readonly string[] => chosen.map(({ id }) => id);
