import { expect, test } from 'vitest';
import type { TargetContent } from '../source/target.ts';
import { importedMessage } from './imported-message.ts';

const PNG = Buffer.from('89504e470d0a1a0a00000000', 'hex');
const hosted = (id: string, bytes = PNG): TargetContent => ({
  name: `hosted/${id}`,
  sizeBytes: bytes.length,
  async *open() {
    yield bytes;
  },
});
const POST = {
  id: '1',
  etag: '1',
  createdDateTime: '2026-01-01T08:00:00Z',
  from: { user: { id: 'u-1', displayName: 'Ada', thumbnail: 'x' } },
  body: { contentType: 'html', content: '<p>Hello</p>' },
};

test('a message is said by its author at its instant, with what the author wrote alone', async () => {
  const { message, losses } = await importedMessage({ ...POST, subject: 'News', importance: 'high' }, []);
  expect(losses).toEqual([]);
  expect(message).toEqual({
    createdDateTime: '2026-01-01T08:00:00Z',
    from: { user: { id: 'u-1', displayName: 'Ada', userIdentityType: 'aadUser' } },
    body: { contentType: 'html', content: '<p>Hello</p>' },
    importance: 'high',
    subject: 'News',
    attachments: [],
    mentions: [],
  });
});

test('its pictures are where they were, however their address was written, and other pictures are left alone', async () => {
  const base = 'https://graph.microsoft.com/v1.0/teams/1/channels/2/messages/3/hostedContents';
  const content = `<img src="${base}/a+b=/$value"><img src='${base}/a%2Bb%3D/$value'><img src="${base}/other/$value">`;
  const { message } = await importedMessage({ ...POST, body: { contentType: 'html', content } }, [hosted('a+b=')]);
  expect(message['body']).toEqual({
    contentType: 'html',
    content: `<img src="../hostedContents/1/$value"><img src='../hostedContents/1/$value'><img src="${base}/other/$value">`,
  });
  expect(message['hostedContents']).toEqual([
    { '@microsoft.graph.temporaryId': '1', contentBytes: PNG.toString('base64'), contentType: 'image/png' },
  ]);
});

test('what cannot be said again is reported: reactions, a snippet that is no picture, that a program wrote it', async () => {
  const { message, losses } = await importedMessage(
    { ...POST, from: { application: { id: 'bot' } }, reactions: [{ reactionType: 'like' }] },
    [hosted('code', Buffer.from('let x = 1;'))],
  );
  expect(losses).toEqual(['reactions', 'that a program wrote it', 'a code snippet or picture']);
  expect(message).not.toHaveProperty('hostedContents');
  expect(message['from']).toEqual({ user: null });
});

test('a message that people deleted says so', async () => {
  const { message } = await importedMessage({ ...POST, body: undefined, deletedDateTime: 'x' }, []);
  expect(message['body']).toEqual({ contentType: 'text', content: '(deleted)' });
});
