import { createServer, type RequestListener } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gathered } from '../../testing/gathered.ts';
import { connectToNobody, fine, throttled } from '../../testing/unsent-graph.ts';
import type { Cloud } from './cloud.ts';

describe('The hosts of a cloud', () => {
  test.each([
    ['worldwide', 'https://login.microsoftonline.com', 'https://graph.microsoft.com'],
    ['usgov', 'https://login.microsoftonline.us', 'https://graph.microsoft.us'],
    ['dod', 'https://login.microsoftonline.us', 'https://dod-graph.microsoft.us'],
    ['china', 'https://login.chinacloudapi.cn', 'https://microsoftgraph.chinacloudapi.cn'],
  ] satisfies [Cloud, string, string][])(
    'of %s are its own, for the sign-in, its scope and all that is asked',
    async (cloud, login, graph) => {
      const { connection, sent, signIns } = connectToNobody(fine, { cloud });
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
    const { connection, sent } = connectToNobody((_, count) =>
      Response.json(count === 1 ? { value: [], '@odata.nextLink': link } : { value: [] }),
    );
    await gathered(connection.pages({ path: '/users' }));
    await gathered(connection.download({ path: link }));
    expect(sent.map(({ url, token }) => [url, token])).toEqual([
      ['https://graph.microsoft.com/v1.0/users', 'Bearer app-1'],
      [link, null],
      [link, null],
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
    const { connection } = connectToNobody(fine, { fetch, loginUrl: graph, graphUrl: graph });
    expect(String(await connection.askBytes({ path: '/drives/d/items/i/content' }))).toBe('bytes');
    expect(seen).toEqual(['Bearer t', undefined]);
  });

  test('is asked for after the wait for a budget: none expires in the line', async () => {
    const { connection, sent } = connectToNobody((_, count) => (count === 1 ? throttled('7200') : fine()));
    await connection.page({ path: '/users/one/messages' });
    expect(sent.map(({ token }) => token)).toEqual(['Bearer app-1', 'Bearer app-2']);
  });
});

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}
