import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { type Clock, systemClock } from '@keepwatch/engine/source/graph/clock';
import { type GraphConnection, openGraphConnection } from '@keepwatch/engine/source/graph/connection';
import type { Send } from '@keepwatch/engine/source/graph/requests/transport';
import type { HeldItems } from '@keepwatch/sandbox/microsoft365/mailbox/held-items';

/** A tenant in a process of its own, as Microsoft 365 is one. */
export interface BenchTenant {
  url: string;
  tenantId: string;
  /** A connection whose requests are carried by `send`, and which goes by the clock. */
  connect(send: Send, clock?: Clock): GraphConnection;
  /** Sets the tenant's clock forward. */
  advance(ms: number): Promise<void>;
  /** What its mailboxes hold, which is what a backup of them has to contain. */
  heldItems(): Promise<HeldItems>;
  /** How many requests it has answered since the start, those within batches each for itself, and with how many bytes. */
  traffic(): Promise<{ total: number; bytesSent: number }>;
  stop(): Promise<void>;
}

const MAIN = createRequire(import.meta.url).resolve('@keepwatch/sandbox/microsoft365/main');

/** Nothing of it is refused: a benchmark needs backups that are whole. @param latencyMs of every answer, those within a batch included */
export async function startBenchTenant(size: 'small' | 'medium' | 'large', latencyMs = 0): Promise<BenchTenant> {
  const options = ['--port', '0', '--size', size, '--latency', String(latencyMs), '--control', '--kind'];
  const child = spawn(process.execPath, [MAIN, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (line.includes('client secret')) break;
  }
  const word = (label: string) => new RegExp(`${label}\\s+(\\S+)`).exec(said.join('\n'))?.[1] ?? '';
  const url = word('ready at');
  const tenantId = word('tenant');
  const credentials = { clientId: word('client id'), secret: word('client secret') };
  return {
    url,
    tenantId,
    connect: (send, clock = systemClock) =>
      openGraphConnection({
        cloud: 'worldwide',
        tenantId,
        applications: [credentials],
        loginUrl: url,
        graphUrl: url,
        send,
        clock,
        licences: 100_000,
      }),
    async advance(advanceMs) {
      const body = JSON.stringify({ advanceMs });
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(`${url}/__sandbox/clock`, { method: 'POST', headers, body });
      if (!reply.ok) throw new Error(`The tenant's clock could not be set: ${await reply.text()}`);
    },
    async heldItems() {
      const { items } = await (await fetch(`${url}/__sandbox/items`)).json();
      return items[0];
    },
    async traffic() {
      const { total, bytesSent } = await (await fetch(`${url}/__sandbox/requests`)).json();
      return { total: Number(total), bytesSent: Number(bytesSent) };
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
