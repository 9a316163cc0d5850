import { describe, expect, test } from 'vitest';
import { type DoneLine, openRestoreJournal } from '../restore/restore-journal.ts';
import type { RestoreJournals } from '../restore/restore-journals.ts';
import { gathered } from '../testing/gathered.ts';

const outcome = (id: string, targetId: string) =>
  ({ id, kind: 'message', name: id, path: [], outcome: 'restored', targetId, bytes: 5, losses: [] }) as const;

/** @param open the journals as another process opens them: nothing but what is durable is common to both */
export function restoreJournalsSuite(name: string, open: () => Promise<RestoreJournals>): void {
  describe(`restore journals: ${name}`, () => {
    async function reopened(restore: string) {
      const finished: DoneLine[] = [];
      const journal = await openRestoreJournal(await open(), restore, (done) => finished.push(done));
      return { journal, finished };
    }

    test('what was begun and what is done is known to the next process, also when many wrote at the same time', async () => {
      const { journal } = await reopened('many');
      await Promise.all(Array.from({ length: 50 }, (_, at) => journal.begin(`item ${at}`, [`before ${at}`])));
      await Promise.all(Array.from({ length: 49 }, (_, at) => journal.done(outcome(`item ${at}`, `target ${at}`))));
      // Not closed: the process was killed.
      const again = await reopened('many');
      expect(again.finished.map(({ item }) => item)).toEqual(Array.from({ length: 49 }, (_, at) => `item ${at}`));
      expect(again.journal.begun()).toEqual([['item 49', ['before 49']]]);
      expect(again.journal.isDone('item 7')).toBe(true);
      expect(again.journal.isDone('item 49')).toBe(false);
      expect(again.journal.claimed.size).toBe(49);
      await again.journal.close();
      await journal.close();
    });

    test('the lines of one append stay in their order, however long and strange they are', async () => {
      const lines = await (await open()).open('order');
      const written = ['first', '{"a":"\\u0000é𝔘"}', 'x'.repeat(200_000), '', 'last'];
      expect(await gathered(lines.earlier())).toEqual([]);
      await lines.append(written.slice(0, 3));
      await lines.append(written.slice(3));
      await lines.close();
      const again = await (await open()).open('order');
      expect(await gathered(again.earlier())).toEqual(written);
      await again.close();
    });

    test('a restore that ended has none, and is empty when it is begun again', async () => {
      const journals = await open();
      expect(await journals.has('ended')).toBe(false);
      const { journal } = await reopened('ended');
      await journal.done(outcome('item', 'target'));
      expect(await journals.has('ended')).toBe(true);
      await journal.remove();
      await journal.close();
      expect(await journals.has('ended')).toBe(false);
      const again = await reopened('ended');
      expect(again.journal.isDone('item')).toBe(false);
      await again.journal.remove();
    });

    test('two restores have a journal each', async () => {
      const [one, other] = [await reopened('one'), await reopened('other')];
      await one.journal.done(outcome('item', 'target'));
      expect(other.journal.isDone('item')).toBe(false);
      await Promise.all([one.journal.close(), other.journal.close()]);
      const again = await reopened('other');
      expect(again.finished).toEqual([]);
      await again.journal.close();
    });
  });
}
