import type { AppointmentDetails } from '../../appointment.ts';
import type { BusyStatus, Recurrence, RecurrenceException } from '../../recurrence.ts';
import { ByteWriter } from '../byte-writer.ts';
import { minutesSince1601 } from '../filetime.ts';
import { dayNumber } from './occurrences.ts';
import { minutesOfDay, recurrencePattern } from './recurrence-pattern.ts';
import { localTime } from './zone-offsets.ts';

export const BUSY_STATUS: Readonly<Record<BusyStatus, number>> = {
  free: 0,
  tentative: 1,
  busy: 2,
  oof: 3,
  workingElsewhere: 4,
};

/** Which of an occurrence's properties differ: OverrideFlags. */
const DIFFERS = {
  subject: 0x01,
  reminderDelta: 0x04,
  reminder: 0x08,
  location: 0x10,
  busy: 0x20,
  allDay: 0x80,
  body: 0x200,
} as const;
const READER_VERSION = 0x3006;
const WRITER_VERSION = 0x3009;
const MINUTES_PER_DAY = 1_440;

export type ModifiedOccurrence = RecurrenceException & { change: 'modified' };

/** Occurrences that differ, in the order of their days as the format wants them. */
export function modifiedOccurrences(appointment: AppointmentDetails): ModifiedOccurrence[] {
  return (appointment.exceptions ?? [])
    .filter((exception) => exception.change === 'modified')
    .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
}

/** AppointmentRecurrencePattern, [MS-OXOCAL] 2.2.1.44.5. All its times are minutes on the wall clock since 1601. */
export function appointmentRecurrence(appointment: AppointmentDetails, recurrence: Recurrence, iana: string): Buffer {
  const onWall = (date: Date) => minutesSince1601(localTime(iana, date));
  const startMinutes = onWall(appointment.startsAt) % MINUTES_PER_DAY;
  const duration = Math.round((appointment.endsAt.getTime() - appointment.startsAt.getTime()) / 60_000);
  const modified = modifiedOccurrences(appointment);
  const exceptions = modified.map((exception) => ({
    exception,
    flags: overrideFlags(exception),
    times: [
      onWall(exception.startsAt),
      onWall(exception.endsAt),
      minutesOfDay(dayNumber(exception.originalDate)) + startMinutes,
    ],
  }));
  const writer = new ByteWriter()
    .bytes(recurrencePattern(recurrence, changedDays(appointment, onWall)))
    .u32(READER_VERSION, WRITER_VERSION, startMinutes, startMinutes + duration)
    .u16(exceptions.length);
  for (const { exception, flags, times } of exceptions) {
    writer.u32(...times).u16(flags);
    writeOverrides(writer, exception);
  }
  writer.u32(0);
  for (const { exception, flags, times } of exceptions) {
    writer.u32(4, 0, 0); // nothing to highlight, no further block
    if (flags & (DIFFERS.subject | DIFFERS.location)) {
      writer.u32(...times);
      writeWideText(writer, exception.subject);
      writeWideText(writer, exception.location);
      writer.u32(0);
    }
  }
  return writer.u32(0).toBuffer();
}

function changedDays(appointment: AppointmentDetails, onWall: (date: Date) => number) {
  const exceptions = appointment.exceptions ?? [];
  const deleted = exceptions.map((exception) => minutesOfDay(dayNumber(exception.originalDate)));
  const modified = modifiedOccurrences(appointment).map(({ startsAt }) => {
    const minutes = onWall(startsAt);
    return minutes - (minutes % MINUTES_PER_DAY);
  });
  return { deleted: ascending(deleted), modified: ascending(modified) };
}

function ascending(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

function overrideFlags(exception: ModifiedOccurrence): number {
  const { reminderMinutesBefore: reminder } = exception;
  return (
    (exception.subject === undefined ? 0 : DIFFERS.subject) |
    (exception.location === undefined ? 0 : DIFFERS.location) |
    (exception.busyStatus === undefined ? 0 : DIFFERS.busy) |
    (exception.isAllDay === undefined ? 0 : DIFFERS.allDay) |
    (reminder === undefined ? 0 : DIFFERS.reminder) |
    (typeof reminder === 'number' ? DIFFERS.reminderDelta : 0) |
    (exception.bodyText === undefined && exception.bodyHtml === undefined ? 0 : DIFFERS.body)
  );
}

/** What differs, in the order of the flags' bits. */
function writeOverrides(writer: ByteWriter, exception: ModifiedOccurrence): void {
  const { reminderMinutesBefore: reminder } = exception;
  writeNarrowText(writer, exception.subject);
  if (typeof reminder === 'number') {
    writer.u32(reminder);
  }
  if (reminder !== undefined) {
    writer.u32(reminder === null ? 0 : 1);
  }
  writeNarrowText(writer, exception.location);
  if (exception.busyStatus !== undefined) {
    writer.u32(BUSY_STATUS[exception.busyStatus]);
  }
  if (exception.isAllDay !== undefined) {
    writer.u32(exception.isAllDay ? 1 : 0);
  }
}

/** A copy for versions of Outlook that know no Unicode; what others read comes in the extended part. */
function writeNarrowText(writer: ByteWriter, text: string | undefined): void {
  if (text !== undefined) {
    const bytes = Buffer.from(text.replace(/[^\x20-\xff]/g, '?'), 'latin1');
    writer
      .u16(bytes.length + 1)
      .u16(bytes.length)
      .bytes(bytes);
  }
}

function writeWideText(writer: ByteWriter, text: string | undefined): void {
  if (text !== undefined) {
    writer.u16(text.length).bytes(Buffer.from(text, 'utf16le'));
  }
}
