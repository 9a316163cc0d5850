import { parseArgs } from 'node:util';
import { startSandbox } from './server.ts';

/** Ends the program with one line for a person instead of a stack. */
function giveUp(reason: string): never {
  console.error(`The sandbox cannot start: ${reason}`);
  process.exit(1);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '1280' },
        host: { type: 'string', default: '127.0.0.1' },
        seed: { type: 'string', default: '1' },
        companies: { type: 'string', default: '60' },
        http: { type: 'boolean', default: false },
        control: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return giveUp(error instanceof Error ? error.message : String(error));
  }
}

const values = readOptions();

function wholeNumber(name: 'port' | 'seed' | 'companies', most: number): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  return giveUp(`--${name} is '${values[name]}', but must be a whole number from 0 to ${most}`);
}

const sandbox = await startSandbox({
  port: wholeNumber('port', 65_535),
  host: values.host,
  seed: wholeNumber('seed', 0x7fffffff),
  companyCount: wholeNumber('companies', 10_000),
  tls: !values.http,
  control: values.control,
}).catch((error: unknown) => giveUp(error instanceof Error ? error.message : String(error)));

console.log(`Sandbox console ready at ${sandbox.url}
  API key      ${sandbox.apiKey}
  user         ${sandbox.username}
  password     ${sandbox.password}`);
if (sandbox.thumbprint) console.log(`  SHA-256      ${sandbox.thumbprint}\n  SHA-1        ${sandbox.thumbprintSha1}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.stop());
