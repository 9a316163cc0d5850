import type { Vendor } from '../testing/vendor.ts';
import { startVendor } from '../testing/vendor.ts';

/** A request that went to a vendor and what came back. */
export interface Exchange {
  method: string;
  url: URL;
  status: number;
  /** Parsed, `undefined` when it is not JSON. */
  body: unknown;
}

/** Starts a proxy between a connector and a sandbox without TLS, which passes everything on unchanged and records it. */
export async function startRecordingProxy(target: URL): Promise<Vendor & { exchanges: Exchange[] }> {
  const exchanges: Exchange[] = [];
  const vendor = await startVendor(async (request, reply) => {
    const url = new URL(request.target, target);
    const headers = new Headers();
    for (const name of ['authorization', 'content-type', 'accept']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const body = request.method === 'GET' ? null : request.body;
    const answer = await fetch(url, { method: request.method, headers, body, redirect: 'manual' });
    const text = await answer.text();
    exchanges.push({ method: request.method, url, status: answer.status, body: parsed(text) });
    const passedOn = ['content-type', 'location', 'retry-after'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    reply.writeHead(answer.status, Object.fromEntries(passedOn)).end(text);
  });
  return { ...vendor, exchanges };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
