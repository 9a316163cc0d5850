import { Ajv } from 'ajv';
import type { AnyValidateFunction } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from './server.ts';
import { ask, at, listAt, sendForm, textAt } from './testing/console-client.ts';
import { describeAgainstVendor } from './testing/vendor-description.ts';
import { resources } from './vspc/resources.ts';

const now = Date.parse('2026-11-21T09:00:00Z');
const span = `from=${new Date(now - 2 * 86_400_000).toISOString()}&to=${new Date(now).toISOString()}`;
const expands = ['Organization', 'BackupServerJob', 'BackupRepositoryInfo', 'Vb365Server'];
/** Resources whose published path ends with a slash. */
const slashed = ['/infrastructure/jobSessionHeatmap'];

describeAgainstVendor(
  "the sandbox's replies, as the vendor describes them",
  'vspc-v3.6.1.openapi.json',
  (published) => {
    const description = asJsonSchema(published);
    const validatorOf = validators(description);
    let sandbox: RunningSandbox;
    beforeAll(async () => {
      sandbox = await startSandbox({ tls: false, now: () => new Date(now) });
    });
    afterAll(() => sandbox.stop());

    test.each(Object.keys(resources))('a full page of %s is as the description says', async (path) => {
      const published = slashed.includes(path) ? `${path}/` : path;
      const validate = validatorOf(published, 'get', '200');
      const isCollection = !slashed.includes(path) && path !== '/about' && path !== '/users/me';
      for (const expand of isCollection ? ['', `&expand=${expands.join('&expand=')}`] : ['']) {
        const query = isCollection ? `?limit=500${expand}` : slashed.includes(path) ? `?${span}` : '';
        const { status, body } = await ask(sandbox, published + query);
        expect(status).toBe(200);
        expect({ isValid: validate(body), errors: validate.errors?.slice(0, 3) ?? null }).toEqual({
          isValid: true,
          errors: null,
        });
        expect(unknownNames(description, published, body)).toEqual([]);
      }
    });

    test('the replies about asynchronous actions are as the description says', async () => {
      const { headers } = await ask(sandbox, '/organizations/companies?limit=2', { 'x-sandbox-fault': 'async' });
      const path = textAt({ path: headers.get('location') }, 'path').slice('/api/v3'.length);
      const { body } = await ask(sandbox, path);
      const validate = validatorOf('/asyncActions/{actionId}', 'get', '200');
      expect({ isValid: validate(body), errors: validate.errors ?? null }).toEqual({ isValid: true, errors: null });
    });

    test('the page on which the people of a company sign in is as the description says', async () => {
      const { body: companies } = await ask(sandbox, '/organizations/companies?limit=4');
      const validate = validatorOf('/organizations/{organizationUid}/configuration/loginUrl', 'get', '200');
      for (const company of listAt(companies, 'data')) {
        const path = `/organizations/${textAt(company, 'instanceUid')}/configuration/loginUrl`;
        expect({ isValid: validate((await ask(sandbox, path)).body), errors: validate.errors ?? null }).toEqual({
          isValid: true,
          errors: null,
        });
      }
    });

    test('tokens, and the refusal of them, are as the description says', async () => {
      const { username, password } = sandbox;
      const granted = await sendForm(sandbox, '/token', { grant_type: 'password', username, password });
      expect(validatorOf('/token', 'post', '200')(granted.body)).toBe(true);
      const refused = await sendForm(sandbox, '/token', { grant_type: 'password', username, password: 'wrong' });
      expect(validatorOf('/token', 'post', '400')(refused.body)).toBe(true);
    });

    test('refusals are as the description says', async () => {
      const validate = validatorOf('/organizations/companies', 'get', 'default');
      for (const path of ['/organizations/companies?limit=0', '/nowhere']) {
        const { body } = await ask(sandbox, path);
        expect(validate(body)).toBe(true);
        expect(listAt(body, 'errors').length).toBeGreaterThan(0);
      }
    });
  },
);

type ValidatorOf = (path: string, method: string, status: string) => AnyValidateFunction;

function validators(description: unknown): ValidatorOf {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'vendor', ...Object(description) });
  return (path, method, status) => {
    const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
    const found = ajv.getSchema(
      `vendor#/paths/${escaped}/${method}/responses/${status}/content/application~1json/schema`,
    );
    if (!found) throw new Error(`The description has no reply ${status} to ${method} ${path}`);
    return found;
  };
}

/** OpenAPI 3.0 writes `nullable`; JSON Schema writes a choice of types. */
function asJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, asJsonSchema(entry)]),
  );
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest;
}

/** Names in the entities of a reply that the description does not have: it lets unknown ones pass. */
function unknownNames(description: unknown, path: string, body: unknown): string[] {
  const schema = at(description, 'paths', path, 'get', 'responses', '200', 'content', 'application/json', 'schema');
  const names = new Set<string>();
  collectUnknown(description, schema, body, '', names);
  return [...names];
}

function collectUnknown(
  description: unknown,
  schema: unknown,
  value: unknown,
  where: string,
  names: Set<string>,
): void {
  const known = resolve(description, schema);
  if (Array.isArray(value)) {
    for (const entry of value) collectUnknown(description, at(known, 'items'), entry, `${where}[]`, names);
    return;
  }
  const properties = at(known, 'properties');
  if (typeof value !== 'object' || value === null || properties === undefined) return;
  for (const [name, entry] of Object.entries(value)) {
    const inner = at(properties, name);
    if (inner === undefined) names.add(`${where}.${name}`);
    else collectUnknown(description, inner, entry, `${where}.${name}`, names);
  }
}

/** Follows references and the wrappings around a single schema. */
function resolve(description: unknown, schema: unknown): unknown {
  const reference = at(schema, '$ref');
  if (typeof reference === 'string') return resolve(description, at(description, ...reference.slice(2).split('/')));
  const wrapped = at(schema, 'allOf', 0) ?? at(schema, 'anyOf', 0);
  return wrapped === undefined ? schema : resolve(description, wrapped);
}
