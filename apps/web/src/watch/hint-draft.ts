import type { DataSourceGroup, Result } from '@keepwatch/contract/runs/values';
import type { Hint } from '@keepwatch/contract/watch/hints';
import type { HintFields } from './hints.data.ts';

/** A hint as its form has it. */
export interface HintDraft {
  title: string;
  text: string;
  words: string;
  result: Result | '';
  sourceGroups: readonly DataSourceGroup[];
  /** The vendors' words. */
  jobTypes: readonly string[];
  isActive: boolean;
}

export const NEW_HINT: HintDraft = {
  title: '',
  text: '',
  words: '',
  result: '',
  sourceGroups: [],
  jobTypes: [],
  isActive: true,
};

export function bodyOf({ title, text, words, result, sourceGroups, jobTypes, isActive }: HintDraft): HintFields {
  return {
    title: title.trim(),
    text: text.trim(),
    words: words.trim(),
    ...(result === '' ? {} : { result }),
    sourceGroups: [...sourceGroups],
    jobTypes: [...jobTypes],
    isActive,
  };
}

export function draftOf({ title, text, words, result, sourceGroups, jobTypes, isActive }: Hint): HintDraft {
  return { title, text, words, result: result ?? '', sourceGroups, jobTypes, isActive };
}
