import { camelOf, capital, nounOf } from './names.ts';
import type { Plan } from './plan.ts';

/** An alarm about a noun that has none yet: `alarm repository-full --noun repository --capability inventory`. */
export function planAlarm(kebab: string, capability: string, noun: string): Plan {
  const name = camelOf(kebab);
  const { camel, word } = nounOf(noun);
  const state = kebab.replace(`${noun}-`, '');
  const folder = `apps/server/src/${capability}`;
  const file = `${folder}/${noun}-alarms.ts`;
  return {
    files: {
      [file]: `import { declareSubject } from '../foundation/outbox/domain-events.ts';
import { declareAlarm } from '../notifications/alarms.ts';
import { STAFF } from '../notifications/channel.ts';

export const ${camel}Subject = declareSubject('${noun}');

export const ${name} = declareAlarm({
  name: '${capability}.${kebab}',
  subject: ${camel}Subject,
  app: 'monitoring',
  severity: 'error',
  recipients: STAFF,
  text: ({ name }: { name: string }) => \`The ${word} "\${name}" is ${state.replaceAll('-', ' ')}.\`,
});

export const ${camel}Alarms = [${name}];
`,
    },
    lines: [
      {
        file: 'apps/server/src/program/subscribers.ts',
        before: '];',
        text: `, ...alarmSubscribers(${camel}Alarms)`,
        imports: [
          { name: 'alarmSubscribers', from: '../notifications/alarms.ts' },
          { name: `${camel}Alarms`, from: `../${capability}/${noun}-alarms.ts` },
        ],
      },
    ],
    next: [
      `${file}: severity, recipients and text`,
      `raise and clear it in the transaction of the change that is its cause: await raise(queue, connection, ${name}, { providerId, id }, { name })`,
      `announce(connection, ${camel}Subject.removed, …) where a ${word} is removed`,
      `a test that raises it and calls settle (docs/how-to/add-an-alarm.md). ${capital(capability)} has to be above notifications in tools/import-rules.ts`,
    ],
  };
}
