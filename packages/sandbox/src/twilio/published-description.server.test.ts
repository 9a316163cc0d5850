import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at } from '../testing/console-client.ts';
import { describeAgainstVendor } from '../testing/vendor-description.ts';
import { type RunningTwilio, startTwilio } from './server.ts';

const PHONE = '+15005550006';
let twilio: RunningTwilio;
beforeAll(async () => {
  twilio = await startTwilio();
});
afterAll(() => twilio.stop());

async function ask(path: string, form: Record<string, string> | null) {
  const authorization = `Basic ${btoa(`${twilio.accountSid}:${twilio.authToken}`)}`;
  const sent = form === null ? {} : { method: 'POST', body: new URLSearchParams(form) };
  const reply = await fetch(twilio.url + path, { ...sent, headers: { authorization } });
  return { status: reply.status, body: await reply.json() };
}

/** What is wrong with a reply, and which of its names the description does not have. */
function faultsOf(description: unknown, path: string, method: string, status: number, body: unknown) {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // Texts of other kinds than JSON Schema has.
  for (const format of ['phone-number', 'uri-map']) ajv.addFormat(format, true);
  ajv.addSchema({ $id: 'vendor', ...Object(asJsonSchema(description)) });
  const escaped = path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
  const validate = ajv.getSchema(
    `vendor#/paths/${escaped}/${method}/responses/${status}/content/application~1json/schema`,
  );
  if (validate === undefined) throw new Error(`The description has no reply ${status} to ${method} ${path}`);
  validate(body);
  const schema = at(
    description,
    'paths',
    path,
    method,
    'responses',
    String(status),
    'content',
    'application/json',
    'schema',
  );
  const reference = at(schema, '$ref');
  const known = typeof reference === 'string' ? at(description, ...reference.slice(2).split('/')) : schema;
  const names = Object.keys(Object(at(known, 'properties')));
  return [...(validate.errors ?? []), ...Object.keys(Object(body)).filter((name) => !names.includes(name))];
}

/** OpenAPI 3.0 writes `nullable`; JSON Schema writes a choice of types. A map of addresses is no text, whatever its format says. */
function asJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, asJsonSchema(entry)]),
  );
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest;
}

describeAgainstVendor(
  "the sandbox's Verify, as the vendor describes it",
  'twilio-verify-v2.openapi.json',
  (description) => {
    const [service, verifications, check] = [
      '/v2/Services/{Sid}',
      '/v2/Services/{ServiceSid}/Verifications',
      '/v2/Services/{ServiceSid}/VerificationCheck',
    ] as const;
    const path = (below: string) => `/v2/Services/${twilio.serviceSid}${below}`;

    test('a service, a verification and its checks are as the description says', async () => {
      const found = await ask(path(''), null);
      expect(faultsOf(description, service, 'get', 200, found.body)).toEqual([]);
      const begun = await ask(path('/Verifications'), { To: PHONE, Channel: 'sms' });
      expect(begun.status).toBe(201);
      expect(faultsOf(description, verifications, 'post', 201, begun.body)).toEqual([]);
      const [message = ''] = twilio.messagesTo(PHONE);
      const checked = await ask(path('/VerificationCheck'), { To: PHONE, Code: message.slice(-6) });
      expect(checked.body).toMatchObject({ status: 'approved', valid: true });
      expect(faultsOf(description, check, 'post', 200, checked.body)).toEqual([]);
    });

    test('a refused sixth message is as the description says', async () => {
      const send = () => ask(path('/Verifications'), { To: '+15005550007', Channel: 'sms' });
      for (let sent = 0; sent < 5; sent += 1) expect((await send()).status).toBe(201);
      const refused = await send();
      expect(refused.body).toMatchObject({ code: 60203, status: 429 });
      expect(faultsOf(description, verifications, 'post', 429, refused.body)).toEqual([]);
    });
  },
);

describeAgainstVendor(
  "the sandbox's Lookup, as the vendor describes it",
  'twilio-lookups-v2.openapi.json',
  (description) => {
    test('a number is as the description says', async () => {
      const { body } = await ask(`/v2/PhoneNumbers/${encodeURIComponent(PHONE)}`, null);
      // Without its fields it is there, and has nothing in it; the description gives only what it would have.
      const { line_type_intelligence: line, ...plain } = body;
      expect(line).toBeNull();
      expect(faultsOf(description, '/v2/PhoneNumbers/{PhoneNumber}', 'get', 200, plain)).toEqual([]);
      const full = await ask(`/v2/PhoneNumbers/${encodeURIComponent(PHONE)}?Fields=line_type_intelligence`, null);
      expect(faultsOf(description, '/v2/PhoneNumbers/{PhoneNumber}', 'get', 200, full.body)).toEqual([]);
    });
  },
);
