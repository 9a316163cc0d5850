import { camelOf, capital, nounOf, pascalOf } from './names.ts';
import type { Plan, Project } from './plan.ts';

/** A change of one thing of a noun that has calls: `call archive-hint --noun hint`. */
export function planCall(kebab: string, capability: string, noun: string, read: Project['read']): Plan {
  const name = camelOf(kebab);
  const { camel, camels, kebabs, word, table } = nounOf(noun);
  const verb = kebab.replace(`-${noun}`, '');
  const action = `${noun}.${verb}`;
  const contract = `packages/contract/src/${capability}/${kebabs}.ts`;
  const server = `apps/server/src/${capability}`;
  const { path, param } = addressOf(read(contract) ?? '', kebabs);
  const named = param === 'id' ? 'id' : `${param}: id`;
  return {
    files: {
      [`${server}/${kebab}.ts`]: `import { sql } from 'drizzle-orm';
import { type Connection, execute } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';

/** TODO: say what it does. Gives whether the scope has such a ${word}. */
export async function ${name}${pascalOf('row')}(connection: Connection, { providerId }: Scope, id: string): Promise<boolean> {
  return (await execute(connection, sql\`update ${table} set id = id where provider_id = \${providerId} and id = \${id}\`)) > 0;
}
`,
      [`${server}/${kebab}.test.ts`]: `import { ${name} } from '@keepwatch/contract/${capability}/${kebabs}';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestPortal, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

it.todo('200: does what it says, and records it');

it('404: refuses what is not there', async () => {
  const admin = await portal.as('admin');
  const missing = await admin.send(${name}, { params: { ${param}: '00000000-0000-4000-8000-000000000000' } });
  expect(missing.status).toBe(404);
});
`,
    },
    lines: [
      {
        file: 'packages/contract/src/audit/actions.ts',
        before: "  'intake-token.create'",
        text: `  '${action}': '${capital(word)} changed',\n`,
      },
      {
        file: `${server}/${kebabs}.calls.ts`,
        before: '];',
        text: `
  answer(${name}, async (context, { params: { ${named} } }) => {
    await change(context, { kind: '${noun}', id }, async (connection) =>
      (await ${name}Row(connection, context.scope, id)) ? { result: null } : null,
    );
    return {};
  }),
`,
        imports: [
          { name, from: `@keepwatch/contract/${capability}/${kebabs}` },
          { name: 'change', from: '../audit/change.ts' },
          { name: 'answer', from: '../foundation/http/routes.ts' },
          { name: `${name}Row`, from: `./${kebab}.ts` },
        ],
      },
      {
        file: contract,
        before: '',
        text: `
export const ${name} = declareCall({
  method: 'POST',
  path: '${path}/{${param}}/${verb}',
  access,
  audit: '${action}',
  params: z.strictObject({ ${named} }),
  ...done,
  failure: 'Error while trying to ${verb} the ${word}. Try again later.',
  summary: 'TODO: says what it does.',
});
`,
        imports: [
          { name: 'declareCall', from: '../wire/call.ts' },
          { name: 'id', from: '../wire/fields.ts' },
          { name: 'done', from: '../wire/replies.ts' },
        ],
      },
    ],
    next: [
      `${contract}: method, path, body and texts; a sentence each for people`,
      `packages/contract/src/audit/actions.ts: what the audit log says for ${action}`,
      `${server}/${kebab}.ts and its test: what it does, with before and after for the audit log`,
      `apps/web/src/${capability}/${kebabs}.data.ts: a mutation that invalidates the list of ${camels} (docs/how-to/add-a-form.md for its ${camel})`,
    ],
  };
}

/** Where the noun's calls are, and what they call the id of one, by those that its module has. */
function addressOf(contract: string, kebabs: string): { path: string; param: string } {
  const known = new RegExp(`path: '(/[^'{]*/${kebabs})['/]`);
  const [, path = `/monitoring/backoffice/${kebabs}`] = known.exec(contract) ?? [];
  const [, param = 'id'] = new RegExp(`path: '${path}/\\{(\\w+)\\}`).exec(contract) ?? [];
  return { path, param };
}
