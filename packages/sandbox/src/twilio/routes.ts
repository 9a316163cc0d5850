import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TwilioError } from './twilio-error.ts';
import { sidOf, type Verification, type Verifications } from './verifications.ts';

export interface TwilioAccount {
  accountSid: string;
  authToken: string;
  serviceSid: string;
  serviceName: string;
}

const E164 = /^\+[1-9]\d{6,14}$/;

/** Adds what the product calls of Verify and Lookup: both under one address here. */
export function addTwilioRoutes(app: FastifyInstance, account: TwilioAccount, verifications: Verifications): void {
  app.register(async (api) => {
    api.addHook('onRequest', async (request) => requireAccount(request, account));
    const service = '/v2/Services/:service';
    api.get(service, (request) => serviceOf(request, account));
    api.post(`${service}/Verifications`, (request, reply) => {
      requireService(request, account);
      const [to, channel] = [required(request, 'To'), required(request, 'Channel')];
      if (channel !== 'sms') throw invalidParameter('Channel');
      requireReceiver(to);
      return reply.code(201).send(verificationOf(account, verifications.send(to), baseOf(request)));
    });
    api.post(`${service}/VerificationCheck`, (request) => {
      requireService(request, account);
      const [to, sid, code] = [given(request, 'To'), given(request, 'VerificationSid'), required(request, 'Code')];
      if (code.length < 4 || code.length > 10) throw invalidParameter('Code');
      if (to === null && sid === null) throw new TwilioError(400, 60200, 'Missing required parameter To');
      const isAsked = (one: Verification) => (sid === null ? one.to === to : one.sid === sid);
      return checkOf(account, verifications.check(isAsked, code));
    });
    api.get('/v2/PhoneNumbers/:number', (request) => lookUp(request));
  });
}

function requireAccount({ headers }: FastifyRequest, { accountSid, authToken }: TwilioAccount): void {
  const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  if (headers.authorization !== expected) throw new TwilioError(401, 20003, 'Authenticate');
}

function requireService(request: FastifyRequest, { serviceSid }: TwilioAccount): void {
  if (parameter(request, 'service') !== serviceSid)
    throw new TwilioError(404, 20404, `The requested resource ${request.url} was not found`);
}

/** Verify sends no messages to landlines and premium numbers. */
function requireReceiver(to: string): void {
  if (!E164.test(to)) throw invalidParameter('To');
  if (lineOf(to) !== 'mobile') throw new TwilioError(403, 60205, 'SMS is not supported by landline phone number');
}

/** The ranges of North America and Britain that are no mobile ones; all others are. */
function lineOf(number: string): string {
  if (/^\+1900|^\+449/.test(number)) return 'premium';
  if (/^\+18(00|33|44|55|66|77|88)/.test(number)) return 'tollFree';
  return /^\+44[12]/.test(number) ? 'landline' : 'mobile';
}

function invalidParameter(name: string): TwilioError {
  return new TwilioError(400, 60200, `Invalid parameter \`${name}\``);
}

function required(request: FastifyRequest, name: string): string {
  const value = given(request, name);
  if (value === null || value === '') throw new TwilioError(400, 60200, `Missing required parameter ${name}`);
  return value;
}

/** A field of the form. Another body, such as JSON, has none. */
function given({ body }: FastifyRequest, name: string): string | null {
  return body instanceof URLSearchParams ? body.get(name) : null;
}

function parameter({ params }: FastifyRequest, name: string): string {
  return String(typeof params === 'object' && params !== null ? Reflect.get(params, name) : '');
}

function baseOf({ host }: FastifyRequest): string {
  return `https://${host}`;
}

function instant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

function serviceOf(request: FastifyRequest, account: TwilioAccount) {
  requireService(request, account);
  const { accountSid, serviceSid, serviceName } = account;
  const url = `${baseOf(request)}/v2/Services/${serviceSid}`;
  return {
    ...{ sid: serviceSid, account_sid: accountSid, friendly_name: serviceName, code_length: 6, url },
    ...{ lookup_enabled: false, psd2_enabled: false, skip_sms_to_landlines: true, dtmf_input_required: true },
    ...{ tts_name: null, do_not_share_warning_enabled: false, custom_code_enabled: false },
    date_created: '2026-01-05T08:00:00Z',
    date_updated: '2026-01-05T08:00:00Z',
    links: { verifications: `${url}/Verifications`, verification_checks: `${url}/VerificationCheck` },
  };
}

function commonOf({ accountSid, serviceSid }: TwilioAccount, verification: Verification) {
  const { sid, to, status, createdMs, updatedMs } = verification;
  return {
    ...{ sid, service_sid: serviceSid, account_sid: accountSid, to, channel: 'sms', status },
    ...{ valid: status === 'approved', amount: null, payee: null },
    ...{ date_created: instant(createdMs), date_updated: instant(updatedMs) },
  };
}

function verificationOf(account: TwilioAccount, verification: Verification, base: string) {
  const { sid, sends, updatedMs } = verification;
  const attempts = Array.from({ length: sends }, (_, index) => ({
    ...{ time: instant(updatedMs), channel: 'SMS', attempt_sid: sidOf('VL', `${sid} ${index}`) },
  }));
  const url = `${base}/v2/Services/${account.serviceSid}/Verifications/${sid}`;
  return { ...commonOf(account, verification), lookup: {}, send_code_attempts: attempts, sna: null, url };
}

function checkOf(account: TwilioAccount, verification: Verification) {
  return { ...commonOf(account, verification), sna_attempts_error_codes: [] };
}

/** National numbers are those of North America unless they say otherwise, as at the vendor. */
function lookUp(request: FastifyRequest) {
  const asked = parameter(request, 'number').replace(/[\s().-]/g, '');
  const number = asked.startsWith('+') ? asked : `+1${asked}`;
  const isValid = E164.test(number);
  const query = request.query;
  const fields = typeof query === 'object' && query !== null ? String(Reflect.get(query, 'Fields') ?? '') : '';
  const line = {
    type: lineOf(number),
    carrier_name: 'Sandbox Mobile',
    mobile_country_code: '310',
    mobile_network_code: '456',
  };
  return {
    ...{ calling_country_code: number.slice(1, 2), country_code: isValid ? 'US' : null, phone_number: number },
    ...{ national_format: asked, valid: isValid, validation_errors: isValid ? [] : ['INVALID_LENGTH'] },
    line_type_intelligence: isValid && fields.includes('line_type_intelligence') ? line : null,
    url: `${baseOf(request)}/v2/PhoneNumbers/${encodeURIComponent(number)}`,
  };
}
