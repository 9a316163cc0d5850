import type { ItemDetails } from './item-details.ts';

/** A sticky note. Its first line is its subject. */
export interface NoteDetails extends ItemDetails {
  kind: 'note';
  colour?: 'blue' | 'green' | 'pink' | 'yellow' | 'white';
}
