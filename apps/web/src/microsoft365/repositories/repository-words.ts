import { type Microsoft365Repository, RETENTION_YEARS } from '@keepwatch/contract/microsoft365/repositories';
import { formatCounted } from '../../kit/format/numbers.ts';

/** Of a choice: for ever. */
export const FOREVER = 'forever';
export type Retention = Microsoft365Repository['retentionPolicy'];

/** `5 years`, `Keep forever`. */
export function retentionText(years: Retention): string {
  return years === null ? 'Keep forever' : formatCounted(years, 'year', 'years');
}

/** The list of the specification ("microsoft365", part 3): years, or for ever. */
export const RETENTION_CHOICES = [
  ...RETENTION_YEARS.map((years) => ({ value: String(years), label: retentionText(years) })),
  { value: FOREVER, label: retentionText(null) },
];

/** What a choice says. */
export function retentionOf(choice: string): Retention {
  return RETENTION_YEARS.find((years) => String(years) === choice) ?? null;
}

/** The choice of a retention. */
export function retentionChoice(years: Retention): string {
  return years === null ? FOREVER : String(years);
}
