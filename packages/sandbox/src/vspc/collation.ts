/** How texts are compared: by code unit, without case, or by words and numbers. The default is ordinal. */
export type Collation = 'ordinal' | 'ignorecase' | 'lexicographic';

export const collations: readonly Collation[] = ['ordinal', 'ignorecase', 'lexicographic'];

const words = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' });
const isoInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/**
 * Orders two values of the wire: negative, zero or positive; undefined where they cannot be compared. Two texts that
 * are both instants are compared as instants, whatever their offsets.
 */
export function compareValues(one: unknown, other: unknown, collation: Collation): number | undefined {
  if (typeof one === 'string' && typeof other === 'string') return compareTexts(one, other, collation);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'boolean' && typeof other === 'boolean') return Number(one) - Number(other);
  return one === null && other === null ? 0 : undefined;
}

function compareTexts(one: string, other: string, collation: Collation): number {
  const apartMs = isoInstant.test(one) && isoInstant.test(other) ? Date.parse(one) - Date.parse(other) : Number.NaN;
  if (!Number.isNaN(apartMs)) return apartMs;
  if (collation === 'lexicographic') return words.compare(one, other);
  const left = collation === 'ignorecase' ? one.toLowerCase() : one;
  const right = collation === 'ignorecase' ? other.toLowerCase() : other;
  return left < right ? -1 : left > right ? 1 : 0;
}
