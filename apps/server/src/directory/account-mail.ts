import { oneLine } from '../foundation/one-line.ts';
import type { LinkKind } from './account-links.ts';

/** What a mail with a link to set a password says. */
export interface AccountMail {
  purpose: LinkKind;
  brand: string;
  name: string;
  username: string;
  link: string;
}

const SUBJECTS: Readonly<Record<LinkKind, (brand: string) => string>> = {
  invitation: (brand) => `Your account at ${brand}`,
  password: (brand) => `Set a new password for ${brand}`,
};

const LEADS: Readonly<Record<LinkKind, (brand: string) => readonly string[]>> = {
  invitation: (brand) => [`You have been invited to ${brand}.`, 'Choose your password within seven days:'],
  password: (brand) => [
    `A new password was requested for your account at ${brand}.`,
    'If that was you, choose it within an hour:',
  ],
};

const ENDINGS: Readonly<Record<LinkKind, string>> = {
  invitation: 'If you do not know what this is about, ignore this mail.',
  password: 'If that was not you, ignore this mail. Your password stays as it is.',
};

/** Returns subject and text of a mail with a link to set a password. */
export function accountMailOf({ purpose, brand, name, username, link }: AccountMail): {
  subject: string;
  text: string;
} {
  const lines = [
    `Hello ${oneLine(name)},`,
    '',
    ...LEADS[purpose](brand),
    '',
    link,
    '',
    `Your user name is ${username}.`,
    '',
    ENDINGS[purpose],
  ];
  return { subject: SUBJECTS[purpose](brand), text: lines.join('\n') };
}
