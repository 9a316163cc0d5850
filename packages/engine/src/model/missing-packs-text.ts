import { counted } from './counted.ts';

/** Says that packs are missing and how that comes, as a backup and a rebuild report it; what follows from it is theirs to add. */
export function missingPacksText(packs: number, place: string): string {
  return `${counted(packs, 'pack')} that journals speak of ${packs === 1 ? 'is' : 'are'} not in ${place}, as in a copy that was made while a backup ran.`;
}
