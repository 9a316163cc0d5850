import { describe, expect, test } from 'vitest';
import { gathered } from '../../../testing/gathered.ts';
import { connectOffline, fine, throttled } from '../../../testing/graph/unsent-graph.ts';
import { listen } from '../../../testing/listen.ts';
import { jsonReply } from '../../../testing/made-reply.ts';
import type { Cloud } from '../cloud.ts';
import { openTransport } from './transport.ts';

describe('The hosts of a cloud', () => {
  test.each([
    ['worldwide', 'https://login.microsoftonline.com', 'https://graph.microsoft.com'],
    ['usgov', 'https://login.microsoftonline.us', 'https://graph.microsoft.us'],
    ['dod', 'https://login.microsoftonline.us', 'https://dod-graph.microsoft.us'],
    ['china', 'https://login.chinacloudapi.cn', 'https://microsoftgraph.chinacloudapi.cn'],
  ] satisfies [Cloud, string, string][])(
    'of %s are its own, for the sign-in, its scope and all that is asked',
    async (cloud, login, graph) => {
      const { connection, sent, signIns } = connectOffline(fine, { cloud });
      await connection.page({ path: '/users' });
      expect(signIns.map(({ url }) => url)).toEqual([`${login}/contoso/oauth2/v2.0/token`]);
      expect(new URLSearchParams(signIns[0]?.body).get('scope')).toBe(`${graph}/.default`);
      expect(sent).toMatchObject([{ url: `${graph}/v1.0/users`, token: 'Bearer app-1' }]);
    },
  );
});

describe('The token', () => {
  test.each([
    'https://graph.microsoft.com.evil.example/v1.0/users',
    'https://graph.microsoft.com@evil.example/v1.0/users',
    'https://evil.example/https://graph.microsoft.com/v1.0/users',
    'http://graph.microsoft.com/v1.0/users',
    'https://graph.microsoft.com:8443/v1.0/users',
    'https://contoso.sharepoint.com/_layouts/15/download.aspx?tempauth=x',
    'https://graph.microsoft.us/v1.0/users',
  ])('is not sent to %s, be it the link of a reply or given', async (link) => {
    const { connection, sent } = connectOffline((_, count) =>
      jsonReply(count === 1 ? { value: [], '@odata.nextLink': link } : { value: [] }),
    );
    await expect(gathered(connection.pages({ path: '/users' }))).rejects.toMatchObject({ code: 'source-refused' });
    const isSecret = link.startsWith('https:');
    const download = gathered(connection.download({ path: link }));
    await (isSecret ? download : expect(download).rejects.toMatchObject({ code: 'source-refused' }));
    expect(sent.map(({ url, token }) => [url, token])).toEqual([
      ['https://graph.microsoft.com/v1.0/users', 'Bearer app-1'],
      ...(isSecret ? [[link, null]] : []),
    ]);
  });

  test('does not follow a redirection to another host, as the one to the bytes of a file', async () => {
    const seen: (string | undefined)[] = [];
    const bytes = await listen((request, response) => {
      seen.push(request.headers.authorization);
      response.end('bytes');
    });
    const graph = await listen((request, response) => {
      if (request.url?.endsWith('/token')) return response.end(JSON.stringify({ access_token: 't', expires_in: 3600 }));
      seen.push(request.headers.authorization);
      return response.writeHead(302, { location: `${bytes}/file` }).end();
    });
    const { connection } = connectOffline(fine, { send: openTransport(), loginUrl: graph, graphUrl: graph });
    expect(String(await connection.askBytes({ path: '/drives/d/items/i/content' }))).toBe('bytes');
    expect(seen).toEqual(['Bearer t', undefined]);
  });

  test('is asked for after the wait for a budget: none expires in the line', async () => {
    const seen: (string | undefined)[] = [];
    let tokens = 0;
    const { connection } = connectOffline(fine, {
      send: async ({ url, headers }) => {
        if (url.endsWith('/token')) {
          tokens += 1;
          return jsonReply({ access_token: `t-${tokens}`, expires_in: 600 });
        }
        seen.push(headers['authorization']);
        return seen.length === 1 ? throttled('840') : fine();
      },
    });
    await connection.page({ path: '/users/one/messages' });
    expect(seen).toEqual(['Bearer t-1', 'Bearer t-2']);
  });
});
