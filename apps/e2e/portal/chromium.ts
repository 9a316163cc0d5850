import { existsSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'];

/** The browser for the journeys: the system's Chromium, else the one inside the npm package. */
export async function findChromium(): Promise<{ executablePath: string; args: string[] }> {
  const quiet = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  const system = SYSTEM.find((path) => existsSync(path));
  if (system !== undefined) return { executablePath: system, args: quiet };
  return { executablePath: await sparticuz.executablePath(), args: [...sparticuz.args, ...quiet] };
}
