import { pino } from 'pino';

export type Log = pino.Logger;

/** JSON lines on standard error, so that standard output stays for people. What looks like a secret is cut out. */
export function openLog(level: string, role: string): Log {
  return pino(
    {
      level,
      base: { role },
      redact: {
        paths: ['req.headers.authorization', '*.password', '*.token', '*.apiKey', '*.secret'],
        censor: '(hidden)',
      },
    },
    pino.destination({ dest: 2, sync: false }),
  );
}
