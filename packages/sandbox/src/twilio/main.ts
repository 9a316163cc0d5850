import { parseArgs } from 'node:util';
import { startTwilio } from './server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '1290' },
    host: { type: 'string', default: '127.0.0.1' },
    control: { type: 'boolean', default: false },
  },
});

const running = await startTwilio({ port: Number(values.port), host: values.host, control: values.control }).catch(
  (error: unknown) => {
    console.error(`The sandbox of Twilio cannot start: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  },
);

console.log(`Twilio ready at ${running.url}
  account      ${running.accountSid}
  auth token   ${running.authToken}
  service      ${running.serviceSid}`);
if (values.control) console.log(`  phone        ${running.url}/__sandbox/phone`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void running.stop());
