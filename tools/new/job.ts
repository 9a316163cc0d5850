import { camelOf, nounOf } from './names.ts';
import type { Plan } from './plan.ts';

/** A job with a schedule: `job remove-old-hints --capability watch`. */
export function planJob(kebab: string, capability: string, exists: (path: string) => boolean): Plan {
  const name = camelOf(kebab);
  const list = `${nounOf(capability).camel}Jobs`;
  const folder = `apps/server/src/${capability}`;
  const file = `${folder}/${capability}.jobs.ts`;
  const declaration = `const ${name}Job = declareJob({
  name: '${capability}.${kebab}',
  payload: z.object({}),
  cron: '9 4 * * *',
  concurrency: 1,
  timeLimitSeconds: 280,
});

`;
  const work = `  work(${name}Job, ({ database, now }, _payload, signal) => ${name}(database, now(), signal)),\n`;
  const own = { name, from: `./${kebab}.ts` };
  const isFirst = !exists(file);
  const jobs = `import * as z from 'zod/mini';
import { declareJob, type JobWork, work } from '../foundation/jobs.ts';
import { ${name} } from './${kebab}.ts';

${declaration}export const ${list}: JobWork[] = [
${work}];
`;
  return {
    files: {
      ...(isFirst ? { [file]: jobs } : {}),
      [`${folder}/${kebab}.ts`]: `import type { Pool } from '../foundation/database.ts';

/** TODO: say what it does. It may begin again where an earlier run of it was ended. */
export async function ${name}(_database: Pool, _now: Date, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
}
`,
      [`${folder}/${kebab}.test.ts`]: `import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { ${name} } from './${kebab}.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

it.todo('does what it says');

it('does nothing once it is stopped', async () => {
  await expect(${name}(portal.database, TEST_NOW, AbortSignal.abort())).rejects.toThrow();
});
`,
    },
    lines: isFirst
      ? [
          {
            file: 'apps/server/src/program/jobs.ts',
            before: '];\n\nexport const jobs',
            text: `  ...${list},\n`,
            imports: [{ name: list, from: `../${capability}/${capability}.jobs.ts` }],
          },
        ]
      : [
          { file, before: 'export const ', text: declaration, imports: [own] },
          { file, before: '];', text: work },
        ],
    next: [`${file}: its schedule (UTC), limits and retries`, `${folder}/${kebab}.ts and its test: what it does`],
  };
}
