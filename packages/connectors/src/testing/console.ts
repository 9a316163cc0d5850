import type { ServerResponse } from 'node:http';
import type { ConnectorContext } from '../base/connector-context.ts';
import type { VspcClient } from '../vspc/client.ts';
import { openVspcClient } from '../vspc/client.ts';
import { parseVspcSettings } from '../vspc/settings.ts';
import type { TestContext } from './context.ts';
import { testContext } from './context.ts';
import type { ReceivedRequest, Vendor } from './vendor.ts';
import { answerJson, startVendor } from './vendor.ts';

/** What a path answers: a collection's entities, paged as asked for, or whatever the function writes. */
export type Resource = readonly unknown[] | ((request: ReceivedRequest, reply: ServerResponse, url: URL) => void);

export interface Console extends Vendor {
  client: VspcClient;
  context: TestContext;
  /** Requests for a path, without the token's. */
  requestsFor(path: string): URL[];
}

export const API_KEY = 'key-of-the-test';

/** A real HTTP server with the console's envelope over what a test gives by path below `/api/v3/`; other paths are empty. */
export async function startConsole(
  resources: Readonly<Record<string, Resource>>,
  overrides: Partial<ConnectorContext> = {},
  settings: Readonly<Record<string, string>> = { apiKey: API_KEY },
): Promise<Console> {
  const vendor = await startVendor((request, reply) => {
    const url = new URL(request.target, 'http://console.test');
    const resource = resources[url.pathname.replace('/api/v3/', '')] ?? [];
    if (typeof resource === 'function') resource(request, reply, url);
    else answerPage(reply, resource, url);
  });
  const context = testContext(overrides);
  return {
    ...vendor,
    context,
    client: openVspcClient(parseVspcSettings({ url: vendor.url.href, ...settings }, true), context),
    requestsFor: (path) =>
      vendor.requests
        .map((request) => new URL(request.target, 'http://console.test'))
        .filter((url) => url.pathname === `/api/v3/${path}`),
  };
}

export function answerPage(reply: ServerResponse, entities: readonly unknown[], url: URL): void {
  const offset = Number(url.searchParams.get('offset'));
  const data = entities.slice(offset, offset + Number(url.searchParams.get('limit') ?? 100));
  answerJson(reply, { data, meta: { pagingInfo: { total: entities.length, count: data.length, offset } } });
}

/** A different id for every number, the same every time. */
export function uidOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
