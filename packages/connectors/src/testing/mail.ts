import { z } from 'zod';
import { ConnectorError } from '../base/connector-error.ts';
import type { Manifest, Testable } from '../base/manifest.ts';
import type { SettingField } from '../base/setting-field.ts';
import { openHttpClient } from '../http/client.ts';
import { parseJson } from '../http/json.ts';

/** A port of its own, as small as one can be: the example of docs/how-to/add-a-connector.md. */
export interface Mail extends Testable {
  send(message: { to: string; text: string }, signal: AbortSignal): Promise<string>;
}

const SETTINGS: readonly SettingField[] = [
  { name: 'url', label: 'Address', hint: 'https://mail.example.com', kind: 'url', isRequired: true },
  { name: 'token', label: 'Token', hint: 'Of an account that may send.', kind: 'secret', isRequired: true },
  {
    name: 'priority',
    label: 'Priority',
    hint: 'How soon a message is sent.',
    kind: 'choice',
    options: [
      { value: 'normal', label: 'Normal' },
      { value: 'high', label: 'High' },
    ],
    isRequired: true,
  },
  { name: 'perMinute', label: 'Messages a minute', hint: '', kind: 'number', min: 1, max: 600, isRequired: false },
  { name: 'archive', label: 'Keep a copy', hint: '', kind: 'flag', isRequired: false },
  { name: 'key', label: 'Signing key', hint: 'A PEM file.', kind: 'file', accept: '.pem', isRequired: false },
];

const about = z.object({ version: z.string() });

/** An invented mail service with a REST API. */
export const manifest: Manifest<Mail> = {
  kind: 'mail',
  label: 'Mail service',
  settings: SETTINGS,
  open(settings, context) {
    const send = openHttpClient(context, { thumbprint: null });
    async function ask(method: 'GET' | 'POST', path: string, body: string | null, signal: AbortSignal) {
      const url = URL.parse(path, settings['url']);
      if (url === null) throw new ConnectorError('not-reachable', 'Address: expected one that begins with https://');
      const headers = { authorization: `Bearer ${settings['token']}` };
      const reply = await send({ method, url, headers, body, isIdempotent: method === 'GET' }, signal);
      if (reply.status === 401) throw new ConnectorError('wrong-credentials', 'The token was refused; enter another.');
      if (reply.status !== 200) throw new ConnectorError('bad-reply', `${path} answered ${reply.status}`);
      return parseJson(reply, path);
    }
    return {
      async test(signal) {
        const reply = about.safeParse(await ask('GET', '/about', null, signal));
        if (!reply.success) throw new ConnectorError('wrong-version', 'What answers there is no mail service.');
        return reply.data;
      },
      async send(message, signal) {
        await ask('POST', '/messages', JSON.stringify(message), signal);
        return 'accepted';
      },
    };
  },
};
