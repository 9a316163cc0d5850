import { ChoicesInput } from '../kit/form/choice-fields.tsx';
import type { CallForm } from '../kit/form/use-call-form.ts';
import { formatJobType, JOB_TYPE_WORDS, jobTypesOf } from '../kit/format/job-types.ts';
import type { HintDraft } from './hint-draft.ts';

/**
 * Kinds of jobs by their words. The form has the vendors' words: one that is not known stays as it is and has a choice of its own, and
 * of a kind that only some of its vendors' words are chosen of, only those stay.
 */
export function JobTypesField({ form }: { form: CallForm<HintDraft> }) {
  const { jobTypes } = form.values;
  const chosen = [...new Set(jobTypes.map(formatJobType))];
  const words = [...new Set([...JOB_TYPE_WORDS, ...chosen])];
  const change = (next: readonly string[]) => {
    const added = next.filter((word) => !chosen.includes(word)).flatMap(jobTypesOf);
    form.set('jobTypes', [...jobTypes.filter((type) => next.includes(formatJobType(type))), ...added]);
  };
  return (
    <ChoicesInput
      label="Only these job types"
      description="None: jobs of every type"
      problem={form.problem('jobTypes')}
      choices={words.map((word) => ({ value: word, label: word }))}
      value={chosen}
      onChange={change}
    />
  );
}
