import { z } from 'zod';
import { ConnectorError } from '../base/connector-error.ts';
import type { Manifest } from '../base/manifest.ts';
import type { SmsCodes } from '../ports/sms-codes.ts';
import { openTwilioClient } from './client.ts';
import { readSettings, SETTINGS } from './settings.ts';

const service = z.object({ friendly_name: z.string() });
const verification = z.object({ sid: z.string() });
const verificationCheck = z.object({ status: z.string(), valid: z.boolean() });
const phoneNumber = z.object({
  valid: z.boolean(),
  phone_number: z.nullable(z.string()),
  line_type_intelligence: z.nullish(z.object({ type: z.nullish(z.string()) })),
});

/** Lines that receive messages and cost what they usually do; not premium, shared-cost or toll-free ones, nor landlines. */
const USUAL_LINES: readonly string[] = ['mobile', 'fixedVoip', 'nonFixedVoip', 'unknown'];

/** Twilio Verify makes, sends and checks the codes; Twilio Lookup says what a number is. */
export const manifest: Manifest<SmsCodes> = {
  kind: 'twilio',
  label: 'Twilio Verify',
  settings: SETTINGS,
  open(given, context) {
    const settings = readSettings(given, context.allowPrivateAddresses);
    const { read, send } = openTwilioClient(settings, context);
    const at = (path: string) => new URL(`/v2/Services/${settings.service}${path}`, settings.verifyUrl);
    return {
      messagesADayMax: settings.messagesADayMax,
      async test(signal) {
        const found = requireService(await read(at(''), service, signal));
        return { version: `(${found.friendly_name})` };
      },
      async mobileNumber(number, signal) {
        const url = new URL(`/v2/PhoneNumbers/${encodeURIComponent(number)}`, settings.lookupsUrl);
        url.searchParams.set('Fields', 'line_type_intelligence');
        const found = await read(url, phoneNumber, signal);
        if (found === null || !found.valid) return null;
        return USUAL_LINES.includes(found.line_type_intelligence?.type ?? 'unknown') ? found.phone_number : null;
      },
      async send(number, signal) {
        const form = { To: number, Channel: 'sms' };
        return requireService(await send(at('/Verifications'), form, verification, signal)).sid;
      },
      async isCode(id, code, signal) {
        const form = { VerificationSid: id, Code: code };
        // One that is too old, or was used already, is not found.
        const checked = await send(at('/VerificationCheck'), form, verificationCheck, signal);
        return checked?.valid === true && checked.status === 'approved';
      },
    };
  },
};

function requireService<T>(found: T | null): T {
  if (found === null)
    throw new ConnectorError(
      'wrong-credentials',
      'Verify service: Twilio has none of this SID in the account. Copy it again.',
    );
  return found;
}
