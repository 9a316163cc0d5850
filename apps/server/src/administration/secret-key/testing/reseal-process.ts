/** What the worker does of a rotation, as a process that a test kills. */
import { systemClock } from '../../../foundation/clock.ts';
import { openPool } from '../../../foundation/database.ts';
import { openSecretSource } from '../../../foundation/installation-secret.ts';
import { openLog } from '../../../foundation/log.ts';
import { secretBox } from '../../../foundation/secrets.ts';
import { readSettings } from '../../../foundation/settings.ts';
import { resealSecrets } from '../reseal-secrets.ts';

const settings = readSettings(process.env);
const { read } = await openSecretSource(settings);
const database = openPool(settings.DATABASE_URL, { connectionsMax: 2, statementTimeoutMs: 0, name: 'reseal' });
const services = { database, secrets: secretBox(read), now: systemClock.now, log: openLog('silent', 'test') };
await resealSecrets(services, new AbortController().signal);
await database.end();
