import { expect, it } from 'vitest';
import type { RepositoryCatalog } from '../catalog/catalog.ts';

/** What every catalog guarantees of restores into one target. */
export function targetClaimGuarantees(newRepository: () => Promise<RepositoryCatalog>): void {
  it('lets one restore at a time into a target, also from another repository, and says into what', async () => {
    const [one, other] = [await newRepository(), await newRepository()];
    const first = await one.claimTarget('mailbox/contoso/ada', 'the mailbox of Ada');
    for (const catalog of [one, other])
      await expect(catalog.claimTarget('mailbox/contoso/ada', 'the mailbox of Ada')).rejects.toMatchObject({
        code: 'locked',
        isRetryable: true,
        message: expect.stringContaining('writing into the mailbox of Ada'),
      });
    const elsewhere = await other.claimTarget('archive/contoso/ada', 'her archive');
    elsewhere.end();
    first.end();
    expect(first.lost.aborted).toBe(false);
    const second = await other.claimTarget('mailbox/contoso/ada', 'the mailbox of Ada');
    expect(second.lost.aborted).toBe(false);
    second.end();
  });
}
