import { type DestinationStream, pino } from 'pino';
import { boundedFields, boundedText } from './log-bounds.ts';

export type Log = pino.Logger;

/**
 * JSON lines on standard error, so that standard output stays for people. What looks like a secret is cut out, and every text is
 * cut: what a caller sent may be in an address, in the message of an error, or in what the database says of it.
 */
export function openLog(
  level: string,
  role: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Log {
  return pino(
    {
      level,
      base: { role },
      redact: {
        paths: ['req.headers.authorization', '*.password', '*.token', '*.apiKey', '*.secret', 'token', 'password'],
        censor: '(hidden)',
      },
      // An error is plain fields by then (log-bounds.ts).
      serializers: { err: (fields) => fields },
      formatters: { log: boundedFields, bindings: boundedFields },
      hooks: {
        logMethod(given, method) {
          const [first, ...rest] = given.map((one: unknown) => (typeof one === 'string' ? boundedText(one) : one));
          // Without a text of its own a line would repeat the whole message of its error.
          const whole =
            first instanceof Error ? [{ err: first }, boundedText(first.message), ...rest] : [first, ...rest];
          method.apply(this, whole as typeof given);
        },
      },
    },
    destination,
  );
}
