import type { UrlField } from '../address/url-state.ts';
import { DEFAULT_RANGE, dateRangeOf } from './date-range.ts';

/** A date range in a screen's address, by its text. A text that names no range reads as the fallback. */
export function dateRangeField(fallback: string = DEFAULT_RANGE): UrlField<string> {
  // Whether a text names a range does not depend on the moment.
  const anyMoment = new Date(0);
  return {
    read: ([text]) => (text !== undefined && dateRangeOf(text, anyMoment) !== null ? text : fallback),
    write: (value) => (value === fallback ? [] : [value]),
  };
}
