import { describe, expect, it } from 'vitest';
import { json, refusal, serve } from '../../../testing/graph/served-graph.ts';
import type { GraphConnection } from '../connection.ts';

interface SentPart {
  id: string;
  url: string;
  dependsOn?: string[];
}

/** What the server answers to a part; `null`: it leaves it out. */
type AnswerPart = (part: SentPart, batch: number) => object | null;

const PHOTO = Buffer.alloc(1_000, 'ä');
const photo = (bytes = PHOTO) => ({
  status: 200,
  headers: { 'Content-Type': 'image/jpeg' },
  body: bytes.toString('base64'),
});
const missing = { status: 404, headers: { 'Content-Type': 'application/json' }, body: refusal('ErrorItemNotFound') };

/** A connection to a server that has photos, and what it was sent. */
async function photos(answerPart: AnswerPart) {
  const sent: SentPart[][] = [];
  const served = await serve((_, response, body) => {
    const { requests }: { requests: SentPart[] } = JSON.parse(body);
    sent.push(requests);
    const responses = requests.flatMap((part) => {
      const answer = answerPart(part, sent.length);
      return answer === null ? [] : [{ id: part.id, ...answer }];
    });
    json(response, 200, { responses: responses.toReversed() });
  });
  return { ...served, sent };
}

const calls = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `/users/one/contacts/${index}/photo/$value` }));
const isOf = (index: number, { url }: SentPart) => url.includes(`/contacts/${index}/`);

async function ask(connection: GraphConnection, count: number) {
  const replies = await connection.batch(calls(count), undefined, { mayBeMissing: true });
  return replies.map((reply) => ('error' in reply ? reply.error.message : reply.status));
}

describe('A batch of what may be missing', () => {
  it('is one of twenty and one of the rest, depends on nothing, and has a status for what is not there', async () => {
    const { connection, sent } = await photos((part) => (isOf(20, part) ? photo() : missing));
    const replies = await connection.batch(calls(21), undefined, { mayBeMissing: true });
    expect(sent.map(({ length }) => length)).toEqual([20, 1]);
    expect(sent.flat().some(({ dependsOn }) => dependsOn !== undefined)).toBe(false);
    expect(replies.map((reply) => 'status' in reply && reply.status)).toEqual([...Array(20).fill(404), 200]);
    expect(replies[20]).toMatchObject({ body: PHOTO });
  });

  it('asks again for a part that is put off, after the pause, and for one that fails, and for these alone', async () => {
    const { connection, clock, sent } = await photos((part, batch) => {
      if (batch > 1) return photo();
      if (isOf(1, part)) return { status: 429, headers: { 'Retry-After': '7' }, body: refusal('ApplicationThrottled') };
      return isOf(2, part) ? { status: 500, body: refusal('InternalServerError') } : missing;
    });
    const beganMs = clock.now();
    expect(await ask(connection, 4)).toEqual([404, 200, 200, 404]);
    expect(sent[1]?.map(({ url }) => url)).toEqual(
      calls(3)
        .slice(1)
        .map(({ path }) => path),
    );
    expect(clock.now() - beganMs).toBeGreaterThanOrEqual(7_000);
  });

  it('asks again for a part that the reply leaves out, and never takes it for one that is not there', async () => {
    const once = await photos((part, batch) => (isOf(1, part) && batch === 1 ? null : missing));
    expect(await ask(once.connection, 3)).toEqual([404, 404, 404]);
    expect(once.sent.map(({ length }) => length)).toEqual([3, 1]);
    const never = await photos((part) => (isOf(1, part) ? null : missing));
    expect(await ask(never.connection, 3)).toEqual([404, expect.stringContaining('/contacts/1/photo'), 404]);
  });

  it('names what is refused, and a mailbox that is none is no missing photo', async () => {
    const { connection } = await photos((part) =>
      isOf(0, part)
        ? { status: 404, body: refusal('MailboxNotEnabledForRESTAPI') }
        : { status: 403, body: refusal('ErrorAccessDenied') },
    );
    const replies = await connection.batch(calls(2), undefined, { mayBeMissing: true });
    expect(replies).toMatchObject([{ error: { code: 'source-gone' } }, { error: { code: 'consent-missing' } }]);
  });

  it('is divided where its reply would be too large', async () => {
    const { connection, sent } = await photos((part) => photo(Buffer.alloc(isOf(1, part) ? 7_000_000 : 10, 1)));
    expect(await ask(connection, 3)).toEqual([200, 200, 200]);
    expect(sent.map(({ length }) => length)).toEqual([3, 1, 1, 1]);
  });

  it('is divided while a download retains a place of the mailbox, and waits for none of it', async () => {
    const sizes: number[] = [];
    const { connection } = await serve((request, response, body) => {
      if (request.method === 'GET') return void response.writeHead(200).write('the beginning');
      const { requests }: { requests: SentPart[] } = JSON.parse(body);
      sizes.push(requests.length);
      json(response, 200, { responses: requests.map(({ id }) => ({ id, ...missing })) });
    });
    const download = connection.download({ path: '/users/one/messages/1/$value' });
    await download.next();
    expect(await ask(connection, 3)).toEqual([404, 404, 404]);
    await download.return(undefined);
    expect(await ask(connection, 3)).toEqual([404, 404, 404]);
    expect(sizes).toEqual([1, 1, 1, 3]);
  });
});
