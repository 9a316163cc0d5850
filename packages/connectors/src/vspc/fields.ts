import { z } from 'zod';

/** Before this, no date of a console is true: the product is younger. Year 1 is how some fields say "never". */
const EARLIEST_MS = Date.UTC(2000, 0, 1);
/** After this no plan reaches. Year 9999 is how some fields say "always". */
const LATEST_MS = Date.UTC(2100, 0, 1);

/** An id, as the vendor writes it. */
export const uid = z.guid();

/** A text that says something; an empty one is `null`. Line breaks come as `\r\n` by the vendor's description. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim().replaceAll('\r\n', '\n') || null);

/** `date-time` of the description: with offset, up to seven digits of fraction. Dates no console can mean are refused. */
export const instant = z.iso.datetime({ offset: true }).transform((value, context) => {
  const at = Date.parse(value);
  if (at >= EARLIEST_MS && at < LATEST_MS) return new Date(at);
  context.issues.push({ code: 'custom', message: `${value} is not a date that can be true`, input: value });
  return z.NEVER;
});
export const optionalInstant = instant.nullish().transform((value) => value ?? null);

/** Bytes, counts and seconds: whole and never negative. What the vendor does not say is `null`. */
export const amount = z
  .int()
  .min(0, 'must not be negative')
  .nullish()
  .transform((value) => value ?? null);

export const optionalUid = uid.nullish().transform((value) => value ?? null);
