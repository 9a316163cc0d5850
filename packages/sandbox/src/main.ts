import { parseArgs } from 'node:util';
import { startSandbox } from './server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '1280' },
    host: { type: 'string', default: '127.0.0.1' },
    seed: { type: 'string', default: '1' },
    companies: { type: 'string', default: '60' },
    http: { type: 'boolean', default: false },
    control: { type: 'boolean', default: false },
  },
});

const sandbox = await startSandbox({
  port: Number(values.port),
  host: values.host,
  seed: Number(values.seed),
  companyCount: Number(values.companies),
  tls: !values.http,
  control: values.control,
});

console.log(`Sandbox console ready at ${sandbox.url}
  API key      ${sandbox.apiKey}
  user         ${sandbox.username}
  password     ${sandbox.password}`);
if (sandbox.thumbprint) console.log(`  SHA-256      ${sandbox.thumbprint}\n  SHA-1        ${sandbox.thumbprintSha1}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.stop());
