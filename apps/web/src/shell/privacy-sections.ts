interface PrivacySection {
  title: string;
  text: string;
}

/** Younger children are not to use the portal (specification "portal", part 9). */
const AGE_MIN = 13;

/** What the Privacy Policy covers (specification "portal", part 2), a paragraph each, for the brand of this name. */
export function privacySections(brand: string): readonly PrivacySection[] {
  return [
    {
      title: 'Web logs',
      text: `When you open a page, ${brand} records the address asked for, the time, your network address and the kind of browser. These logs keep the portal running and safe.`,
    },
    {
      title: 'Cookies',
      text: `${brand} keeps small pieces of data in your browser, in cookies or in its local storage, to hold your session and your settings. You can delete them in your browser; you then have to log in again.`,
    },
    {
      title: 'Beacons',
      text: `Pages and e-mails may contain a small image or link that shows ${brand} whether they were opened. It is used to see which messages arrive.`,
    },
    {
      title: 'E-mails',
      text: `${brand} uses your e-mail address to inform you about your account and your backups, and to answer what you write. Your messages are stored as long as they are needed for that.`,
    },
    {
      title: 'Surveys',
      text: `${brand} may ask for your opinion. Taking part is your choice, and the answers are used only to make the service better.`,
    },
    {
      title: 'Messages',
      text: `Notes, support requests and other messages that you enter into the portal are stored with your account and are read by the people who need them to help you.`,
    },
    {
      title: 'Card data',
      text: `Where you pay by card, the card's data goes to a payment processor and is used for that payment alone. ${brand} does not use it for anything else.`,
    },
    {
      title: `Children under ${AGE_MIN}`,
      text: `The portal is not meant for children under ${AGE_MIN}. ${brand} does not knowingly collect data about them, and deletes it on learning of it.`,
    },
    {
      title: 'Disclosures',
      text: `${brand} does not sell your data. It is passed on only to those who help to provide the service, where the law demands it, or to protect the rights and the safety of others.`,
    },
  ];
}
