import { editBackupClock, type ProviderClock } from '@keepwatch/contract/backup-days/backup-clock';
import { useEditBackupClock, useStoredClock } from '../entities/backup-clock.data.ts';
import { browserClock } from '../kit/backup-clock.ts';
import { ChoiceField } from '../kit/form/choice-fields.tsx';
import { Form, SubmitButton } from '../kit/form/form.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';
import { formatDay } from '../kit/format/dates.ts';
import { hourText } from '../kit/format/zones.ts';
import { ErrorState } from '../kit/states/error-state.tsx';
import styles from './backup-day.module.css';

/** By what the provider counts days: its time zone, and when a day begins. */
export default function BackupDayScreen() {
  const { data, error, refetch } = useStoredClock();
  return (
    <div className={styles.page} aria-busy={data === undefined && error === null}>
      {data !== undefined && <ClockForm key={`${data.beginHour} ${data.timeZone}`} clock={data} />}
      {data === undefined && error !== null && (
        <ErrorState error={error} what="the time zone" onRetry={() => void refetch()} />
      )}
    </div>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }));

/** With those named, which may not be in the list of this browser. */
const zoneChoices = (...named: string[]) =>
  [...new Set([...named, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({ value: zone, label: zone }));

function ClockForm({ clock }: { clock: ProviderClock }) {
  // Where no user has chosen yet, the zone of this browser is proposed.
  const proposed = clock.isChosen ? clock.timeZone : browserClock().timeZone;
  const form = useCallForm(editBackupClock, {
    initial: { timeZone: proposed, beginHour: String(clock.beginHour) },
    send: useEditBackupClock().mutateAsync,
  });
  const begin = hourText(Number(form.values.beginHour));
  return (
    <Form form={form} actions={<SubmitButton form={form}>Save</SubmitButton>}>
      <State clock={clock} />
      <ChoiceField
        form={form}
        name="timeZone"
        label="Time zone"
        description="Dashboard, calendar, daily checks and exports show its days and times to all users."
        choices={zoneChoices(proposed, clock.timeZone)}
      />
      <ChoiceField
        form={form}
        name="beginHour"
        label="Backup day begins at"
        description={`Monday ${begin} to Tuesday ${begin} is Monday. Begin in the evening to count a night as one day.`}
        choices={HOURS}
      />
      <p className={styles.note}>
        After a change the last days are recounted at once, and older ones in the background.
      </p>
    </Form>
  );
}

/** What is not as it should be, or not yet. */
function State({ clock: { isChosen, recountedFrom, unknownTimeZone } }: { clock: ProviderClock }) {
  if (unknownTimeZone !== null)
    return (
      <p role="status">
        This server does not know the time zone {unknownTimeZone}. Days are counted in UTC. Choose another one.
      </p>
    );
  if (recountedFrom !== null)
    return <p role="status">Days before {formatDay(recountedFrom)} are still being recounted.</p>;
  return isChosen ? null : <p role="status">Days are counted in UTC until a time zone is chosen.</p>;
}
