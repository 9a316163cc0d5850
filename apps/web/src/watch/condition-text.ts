import type { Hint } from '@keepwatch/contract/watch/hints';
import { RESULT_LOOKS } from '../entities/result-badge.tsx';
import { SOURCE_GROUP_WORDS } from '../entities/source-groups.ts';
import { formatJobType } from '../kit/format/job-types.ts';

/** For which runs a hint is shown: `vss timeout · Failed · Managed servers`. */
export function conditionText({ words, result, sourceGroups, jobTypes }: Hint): string {
  const groups = sourceGroups.map((group) => SOURCE_GROUP_WORDS[group]);
  const types = [...new Set(jobTypes.map(formatJobType))];
  const parts = [words, result === null ? '' : RESULT_LOOKS[result].word, groups.join(', '), types.join(', ')];
  return parts.filter((part) => part !== '').join(' · ');
}
