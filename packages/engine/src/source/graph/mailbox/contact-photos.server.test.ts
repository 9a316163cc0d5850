import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import type { TenantFault } from '../../../../../sandbox/src/microsoft365/faults/fault.ts';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import { mailboxOf } from '../../../testing/graph/graph-mailbox.ts';
import { startConnected } from '../../../testing/graph/graph-tenant.ts';
import { Replica } from '../../../testing/replica.ts';
import { openGraphSource } from '../graph-source.ts';
import { objectsOf, textOf } from '../json.ts';
import { heldText } from '../requests/held-text.ts';
import { openTransport, type Send } from '../requests/transport.ts';
import { SINGLE } from './mailbox-paths.ts';

let tenant: RunningTenant | undefined;
afterEach(() => tenant?.stop());

const PHOTO = 'photo/$value';

/** Counts the requests on the wire that ask for photos, and leaves as many parts out of the next answer as a test says. */
function watched() {
  const send = openTransport();
  const watch = { asked: 0, partsLeftOut: 0 };
  const watching: Send = async (request) => {
    const reply = await send(request);
    const isPhotos = request.url.endsWith(PHOTO) || String(request.body).includes(PHOTO);
    if (!isPhotos || request.method === 'PUT') return reply;
    watch.asked += 1;
    if (watch.partsLeftOut === 0) return reply;
    const responses = objectsOf(JSON.parse(await heldText(reply))['responses']).slice(watch.partsLeftOut);
    watch.partsLeftOut = 0;
    return { ...reply, body: Readable.from([Buffer.from(JSON.stringify({ responses }))]) };
  };
  return { watch, watching };
}

/** A mailbox with 21 contacts at least, of which two have photos. */
async function mailbox() {
  const { watch, watching } = watched();
  const { tenant: started, connection } = await startConnected({ latencyMs: 1 }, { send: watching });
  tenant = started;
  const source = openGraphSource(connection, { keepExchangeStream: false });
  const object = await mailboxOf(source);
  const path = `/users/${object.id}/contacts`;
  const ids: string[] = [];
  for (let number = 0; number < 21; number += 1) {
    const body = { displayName: `Contact ${number}` };
    ids.push(textOf((await connection.ask({ method: 'POST', path, headers: SINGLE, body }))['id']) ?? '');
  }
  const photos = new Map([ids[3], ids[20]].map((id = '', index) => [id, Buffer.alloc(400 + index, 0xd8)]));
  const headers = { 'content-type': 'image/jpeg' };
  for (const [id, body] of photos)
    await connection.askBytes({ method: 'PUT', path: `${path}/${id}/${PHOTO}`, headers, body });
  started.resetRequests();
  const replica = new Replica(source, object);
  return { started, replica, watch, ids, photos, path };
}

type Mailbox = Awaited<ReturnType<typeof mailbox>>;

const photosIn = ({ replica }: Mailbox) =>
  new Map(
    [...replica.items].flatMap(([id, { bytes }]) => {
      const photo = bytes.get('attachments/photo');
      return photo === undefined ? [] : [[id, photo]];
    }),
  );
const contactsIn = ({ replica }: Mailbox) => [...replica.items.values()].filter(({ item }) => item.kind === 'contact');
const photoOf = ({ ids }: Mailbox, index: number) => `/users/*/contacts/${ids[index]?.replace(/=+$/, '')}*/${PHOTO}`;

test('photos of contacts are read twenty in a request, within the limits of the mailbox', async () => {
  const one = await mailbox();
  await one.replica.read();
  const asked = contactsIn(one).length;
  expect(photosIn(one)).toEqual(one.photos);
  expect(one.watch.asked).toBeLessThanOrEqual(Math.ceil(asked / 20) + 1);
  const { byStatus, peakByMailbox } = one.started.requests();
  expect(byStatus[429]).toBeUndefined();
  expect(Math.max(...Object.values(peakByMailbox))).toBeLessThanOrEqual(4);
});

test('photos that are put off, answered 503 or left out of an answer are asked for again', async () => {
  const one = await mailbox();
  one.started.setFaults([
    { kind: 'throttle', path: photoOf(one, 3), times: 1, parameters: { retryAfterSeconds: 0.01 } },
    { kind: 'server-error', path: photoOf(one, 20), times: 1, parameters: { status: 503 } },
  ]);
  one.watch.partsLeftOut = 5;
  await one.replica.read();
  expect([one.replica.lost.size, one.replica.failures]).toEqual([0, []]);
  expect(photosIn(one)).toEqual(one.photos);
});

test('a contact whose photo is refused is lost by its name until it can be read, and the others are stored', async () => {
  const one = await mailbox();
  const fault: TenantFault = { kind: 'corrupt', path: photoOf(one, 3) };
  one.started.setFaults([fault]);
  await one.replica.read();
  expect([...one.replica.lost.values()]).toMatchObject([
    { id: one.ids[3], name: 'Contact 3', reason: expect.stringMatching(/ErrorCorruptData.*\/photo/) },
  ]);
  expect([...photosIn(one).keys()]).toEqual([one.ids[20]]);
  one.started.setFaults([]);
  await one.replica.read();
  expect(one.replica.lost.size).toBe(0);
  expect(photosIn(one)).toEqual(one.photos);
});

test('a contact that vanishes before its photo is read is no failure', async () => {
  const one = await mailbox();
  one.started.setFaults([{ kind: 'vanished', path: `/users/*/contacts/${one.ids[3]?.replace(/=+$/, '')}*` }]);
  await one.replica.read();
  expect([one.replica.lost.size, one.replica.failures]).toEqual([0, []]);
  expect([...photosIn(one).keys()]).toEqual([one.ids[20]]);
});
