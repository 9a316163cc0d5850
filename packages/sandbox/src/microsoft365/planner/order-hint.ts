import { badRequest } from '../wire/refusals.ts';

const FIRST = 33;
const LAST = 126;

/** A short text that sorts after one and before the other; an empty one is no bound. */
export function between(before: string, after: string): string {
  let made = '';
  for (let at = 0; ; at += 1) {
    const low = before.charCodeAt(at) || FIRST;
    // Once it is below the upper bound, everything that follows is too.
    const high = after !== '' && after.startsWith(made) ? after.charCodeAt(at) || FIRST : LAST + 1;
    const middle = Math.floor((low + high) / 2);
    if (middle > low && middle < high) return made + String.fromCharCode(middle);
    made += String.fromCharCode(low);
  }
}

/**
 * The value that the service calculates for a hint that a client sends: `<before> <after>!`, each of them a value, a hint of that form, or nothing.
 * https://learn.microsoft.com/graph/api/resources/planner-order-hint-format
 * @throws GraphError 400 for a value as the service gave it, and for what has not the form
 */
export function calculatedHint(hint: unknown): string {
  const value = typeof hint === 'string' && hint.endsWith('!') ? evaluated(hint) : null;
  if (value === null) throw badRequest(`The order hint '${String(hint)}' has not the correct format.`, '');
  return value;
}

/** The calculated value; `null` for what is neither a value nor a hint. */
function evaluated(text: string): string | null {
  if (!/[ !]/.test(text)) return text;
  if (!text.endsWith('!')) return null;
  const body = text.slice(0, -1);
  for (let at = body.indexOf(' '); at >= 0; at = body.indexOf(' ', at + 1)) {
    const [before, after] = [evaluated(body.slice(0, at)), evaluated(body.slice(at + 1))];
    if (before !== null && after !== null && (after === '' || before < after)) return between(before, after);
  }
  return null;
}
