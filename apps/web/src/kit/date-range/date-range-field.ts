import type { UrlField } from '../address/url-state.ts';
import { DEFAULT_RANGE, namesRange } from './date-range.ts';

/** A date range in a screen's address, by its text. A text that names no range reads as the fallback. */
export function dateRangeField(fallback: string = DEFAULT_RANGE): UrlField<string> {
  return {
    read: ([text]) => (text !== undefined && namesRange(text) ? text : fallback),
    write: (value) => (value === fallback ? [] : [value]),
  };
}
