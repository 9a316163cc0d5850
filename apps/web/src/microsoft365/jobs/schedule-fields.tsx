import { DAILY_TYPES, SCHEDULE_TYPES } from '@keepwatch/contract/microsoft365/jobs';
import { ChoiceField, FlagField } from '../../kit/form/choice-fields.tsx';
import { NumberField, TextField } from '../../kit/form/text-fields.tsx';
import type { CallForm } from '../../kit/form/use-call-form.ts';
import styles from '../microsoft365.module.css';
import { BackupWindow } from './backup-window.tsx';
import type { JobDraft } from './job-draft.ts';
import { DAY_WORDS, SCHEDULE_WORDS } from './job-words.ts';
import { useJobsOfOrganization } from './jobs.data.ts';

type DraftForm = CallForm<JobDraft>;

const TYPE_CHOICES = SCHEDULE_TYPES.map((value) => ({ value, label: SCHEDULE_WORDS[value] }));
const DAY_CHOICES = DAILY_TYPES.map((value) => ({
  value,
  label: value === 'Everyday' ? 'Every day' : DAY_WORDS[value],
}));
const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** With that of a job, which may have a name that this browser does not list. */
const zoneChoices = (chosen: string) =>
  [...new Set([chosen, ...TIME_ZONES])].map((zone) => ({ value: zone, label: zone }));

/** When a job runs, how often a failed run is tried again, and in which hours it may run. */
export default function ScheduleFields({ form, jobId }: { form: DraftForm; jobId: string | null }) {
  const { schedulePolicy: policy } = form.values;
  const isByHand = policy.type === 'Disabled';
  return (
    <>
      <ChoiceField form={form} name="schedulePolicy.type" label="Runs" choices={TYPE_CHOICES} />
      <TypeFields form={form} jobId={jobId} />
      {!isByHand && (policy.backupWindowEnabled || policy.type === 'Daily' || policy.type === 'Monthly') && (
        <ChoiceField
          form={form}
          name="schedulePolicy.timeZone"
          label="Time zone"
          choices={zoneChoices(policy.timeZone)}
        />
      )}
      {!isByHand && <Retries form={form} />}
      {!isByHand && (
        <>
          <FlagField
            form={form}
            name="schedulePolicy.backupWindowEnabled"
            label="Run only in some hours"
            description="A run that is still going when they end stops, and goes on in the next ones."
          />
          {policy.backupWindowEnabled && (
            <BackupWindow
              hours={policy.backupWindow}
              onChange={(hours) => form.set('schedulePolicy.backupWindow', hours)}
            />
          )}
        </>
      )}
      <fieldset className={styles.fields}>
        <legend>When it is saved</legend>
        <FlagField form={form} name="schedulePolicy.runNow" label="Run it now" />
        <FlagField form={form} name="isEnabled" label="Enabled" description="A disabled job runs only by hand." />
      </fieldset>
    </>
  );
}

function TypeFields({ form, jobId }: { form: DraftForm; jobId: string | null }) {
  switch (form.values.schedulePolicy.type) {
    case 'Daily':
      return (
        <div className={styles.beside}>
          <ChoiceField form={form} name="schedulePolicy.dailyType" label="On" choices={DAY_CHOICES} />
          <Time form={form} />
        </div>
      );
    case 'Monthly':
      return (
        <div className={styles.beside}>
          <NumberField
            required
            form={form}
            name="schedulePolicy.dayOfMonth"
            label="Day of the month"
            min={1}
            max={31}
            description="In shorter months their last day"
          />
          <Time form={form} />
        </div>
      );
    case 'Periodically':
      return (
        <NumberField
          required
          form={form}
          name="schedulePolicy.periodicallyEvery"
          label="Every so many minutes"
          unit="minutes"
          min={5}
          max={1_440}
        />
      );
    case 'Chained':
      return <AfterJob form={form} jobId={jobId} />;
    case 'Continuously':
      return <p className={styles.note}>A new run begins as soon as the one before has ended.</p>;
    case 'Disabled':
      return <p className={styles.note}>It runs only when it is started by hand.</p>;
  }
}

function Time({ form }: { form: DraftForm }) {
  return <TextField form={form} name="schedulePolicy.dailyTime" label="At" placeholder="22:00" />;
}

function AfterJob({ form, jobId }: { form: DraftForm; jobId: string | null }) {
  const { data } = useJobsOfOrganization(form.values.organizationId);
  const others = data?.filter(({ id }) => id !== jobId) ?? [];
  if (data !== undefined && others.length === 0)
    return <p className={styles.warning}>The organization has no other job that it could run after.</p>;
  return (
    <ChoiceField
      required
      form={form}
      name="schedulePolicy.afterJobId"
      label="After"
      choices={others.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

function Retries({ form }: { form: DraftForm }) {
  return (
    <>
      <FlagField form={form} name="schedulePolicy.retryEnabled" label="Try a failed run again" />
      {form.values.schedulePolicy.retryEnabled && (
        <div className={styles.beside}>
          <NumberField required form={form} name="schedulePolicy.retryNumber" label="Times" min={1} max={10} />
          <NumberField
            required
            form={form}
            name="schedulePolicy.retryWaitInterval"
            label="Minutes before each"
            unit="minutes"
            min={1}
            max={1_440}
          />
        </div>
      )}
    </>
  );
}
