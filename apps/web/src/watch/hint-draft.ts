import type { DataSourceGroup, Result } from '@keepwatch/contract/runs/values';
import type { Hint } from '@keepwatch/contract/watch/hints';
import { formatJobType, jobTypesOf } from '../kit/format/job-types.ts';
import type { HintFields } from './hints.data.ts';

/** A hint as its form has it: a kind of jobs by its word, which means several of the vendors' words. */
export interface HintDraft {
  title: string;
  text: string;
  words: string;
  result: Result | '';
  sourceGroups: readonly DataSourceGroup[];
  jobType: string;
  isActive: boolean;
}

export const NEW_HINT: HintDraft = {
  title: '',
  text: '',
  words: '',
  result: '',
  sourceGroups: [],
  jobType: '',
  isActive: true,
};

export function bodyOf({ title, text, words, result, sourceGroups, jobType, isActive }: HintDraft): HintFields {
  return {
    title: title.trim(),
    text: text.trim(),
    words: words.trim(),
    ...(result === '' ? {} : { result }),
    sourceGroups: [...sourceGroups],
    jobTypes: jobTypesOf(jobType),
    isActive,
  };
}

export function draftOf({ title, text, words, result, sourceGroups, jobTypes: [jobType], isActive }: Hint): HintDraft {
  const word = jobType === undefined ? '' : formatJobType(jobType);
  return { title, text, words, result: result ?? '', sourceGroups, jobType: word, isActive };
}
