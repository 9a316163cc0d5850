/** Owner of the mailbox of a Microsoft 365 group, which is no person's. */
export const groupOwner = (groupId: string): string => `group/${groupId}`;

export const isOfGroup = ({ owner }: { owner: string | null }): boolean => owner?.startsWith('group/') === true;
