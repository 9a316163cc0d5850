import {
  getSecretKey,
  removePreviousKey,
  rotateSecretKey,
  type SecretKey,
} from '@keepwatch/contract/administration/secret-key';
import { sql } from 'drizzle-orm';
import { change } from '../../audit/change.ts';
import { conflict } from '../../foundation/errors.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { removePreviousSecretFile, rotateSecretFile, type SecretSource } from '../../foundation/installation-secret.ts';
import type { SecretBox } from '../../foundation/secrets.ts';
import { requireInstallation } from '../require-installation.ts';
import { countSealed, resealSecretsJob } from './reseal-secrets.ts';
import { leaveMark, readMarks, settleMarks } from './secret-marks.ts';

/** What a request has sealed is stored within this time. */
const ON_ITS_WAY_MS = 60_000;

export interface SecretKeyParts {
  secrets: SecretBox;
  secretSource: SecretSource;
  dataDir: string;
  isEmbedded: boolean;
}

/** The calls about the key of the stored secrets. */
export function secretKeyCalls(parts: SecretKeyParts): Route[] {
  return [show(parts), rotate(parts), removePrevious(parts)];
}

function show(parts: SecretKeyParts): Route {
  return answer(getSecretKey, async (context) => {
    requireInstallation(context);
    return { data: await readKey(parts, context) };
  });
}

async function readKey(parts: SecretKeyParts, { database }: SignedInContext): Promise<SecretKey> {
  const { secrets, secretSource } = parts;
  const keys = secrets.keys();
  const [marks, counts] = await Promise.all([readMarks(database), countSealed(database, keys)]);
  const origin = secretSource.previousOrigin();
  const previous =
    keys.previous === null || origin === null
      ? null
      : { id: keys.previous, origin, values: counts.previous, isNeeded: counts.previous > 0 || marks?.next != null };
  return {
    id: keys.current,
    origin: secretSource.origin,
    since: marks?.since ?? null,
    canRotate: isOwnFile(parts),
    values: counts.all,
    lost: counts.lost,
    previous,
  };
}

/** Whether no other machine can have the key: the file is in the folder of a database that only this one works with. */
const isOwnFile = ({ secretSource, isEmbedded }: SecretKeyParts) => isEmbedded && secretSource.origin === 'file';

function rotate(parts: SecretKeyParts): Route {
  const { secrets, dataDir } = parts;
  return answer(rotateSecretKey, async (context) => {
    requireInstallation(context);
    if (!isOwnFile(parts))
      throw conflict(
        'Several machines may have this key. Set KEEPWATCH_SECRET to a new one and KEEPWATCH_PREVIOUS_SECRET to this one on all of them, and start them again.',
      );
    await change(context, null, async (connection) => {
      await leaveMark(connection, secrets, context.now());
      // Of two who rotate at once, the other one finds the key that the first one made.
      await readMarks(connection, sql`for update`);
      const before = secrets.keys();
      if (before.previous !== null)
        throw conflict('There is a previous key already. Wait until nothing is sealed with it, and delete it.');
      await rotateSecretFile(dataDir);
      await settleMarks(connection, secrets, context.now());
      await context.queue.send(connection, resealSecretsJob, {});
      return { result: null, before: { id: before.current }, after: { id: secrets.keys().current } };
    });
    return {};
  });
}

function removePrevious({ secrets, secretSource, dataDir }: SecretKeyParts): Route {
  return answer(removePreviousKey, async (context) => {
    requireInstallation(context);
    await change(context, null, async (connection) => {
      const marks = await readMarks(connection, sql`for update`);
      const keys = secrets.keys();
      if (keys.previous === null) throw conflict('There is no previous key.');
      const { previous: values } = await countSealed(connection, keys);
      if (values > 0)
        throw conflict(`${values} stored secrets are still sealed with the previous key. Wait until there are none.`);
      const since = Date.parse(marks?.since ?? '');
      if (marks?.next != null || context.now().getTime() - since < ON_ITS_WAY_MS)
        throw conflict('What was stored when the rotation began may still be on its way. Try again in a minute.');
      if (secretSource.previousOrigin() !== 'file')
        throw conflict('The previous key is a setting: remove KEEPWATCH_PREVIOUS_SECRET on all machines.');
      await removePreviousSecretFile(dataDir);
      return { result: null, before: { id: keys.previous } };
    });
    return {};
  });
}
