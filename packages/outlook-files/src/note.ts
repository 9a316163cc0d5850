import type { ItemDetails } from './message.ts';

/** A sticky note. Its first line is its subject. */
export interface OutlookNote extends ItemDetails {
  kind: 'note';
  colour?: 'blue' | 'green' | 'pink' | 'yellow' | 'white';
}
