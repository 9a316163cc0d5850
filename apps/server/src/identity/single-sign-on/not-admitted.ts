const TEXTS = {
  disabled: () => 'Your account in this portal is disabled. Ask your administrator to enable it.',
  'no group': (name: string) =>
    `None of your groups at ${name} gives access to this portal. Ask your administrator to add you to one.`,
  'not known': (name: string) =>
    `Your account at ${name} is not known in this portal. Ask your administrator to add you.`,
  'too many groups': (name: string) =>
    `You are in more groups than ${name} sends. Ask your administrator to let it send only the groups that are assigned to this portal.`,
} as const;

/** A person who has proved who that is, and may not sign in here. The message is for that person. */
export class NotAdmitted extends Error {
  readonly reason: keyof typeof TEXTS;
  readonly userId: string | null;

  /** @param name of the identity provider */
  constructor(reason: keyof typeof TEXTS, name: string, userId: string | null) {
    super(TEXTS[reason](name));
    this.name = 'NotAdmitted';
    this.reason = reason;
    this.userId = userId;
  }
}
