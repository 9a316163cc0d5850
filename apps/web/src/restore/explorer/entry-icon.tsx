import IconAddressBook from '@tabler/icons-react/dist/esm/icons/IconAddressBook.mjs';
import IconAppWindow from '@tabler/icons-react/dist/esm/icons/IconAppWindow.mjs';
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs';
import IconChecklist from '@tabler/icons-react/dist/esm/icons/IconChecklist.mjs';
import IconCloud from '@tabler/icons-react/dist/esm/icons/IconCloud.mjs';
import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs';
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs';
import IconHash from '@tabler/icons-react/dist/esm/icons/IconHash.mjs';
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs';
import IconMailbox from '@tabler/icons-react/dist/esm/icons/IconMailbox.mjs';
import IconMessage from '@tabler/icons-react/dist/esm/icons/IconMessage.mjs';
import IconMessages from '@tabler/icons-react/dist/esm/icons/IconMessages.mjs';
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs';
import IconSitemap from '@tabler/icons-react/dist/esm/icons/IconSitemap.mjs';
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs';
import type { EntryType } from './entry.ts';

const ICONS: Readonly<Record<EntryType, typeof IconFile>> = {
  mailbox: IconMailbox,
  'mail-folder': IconFolder,
  calendar: IconCalendar,
  'contact-folder': IconAddressBook,
  'task-list': IconChecklist,
  settings: IconSettings,
  message: IconMail,
  event: IconCalendar,
  contact: IconAddressBook,
  task: IconChecklist,
  onedrive: IconCloud,
  folder: IconFolder,
  document: IconFile,
  site: IconWorld,
  subsites: IconSitemap,
  content: IconFolder,
  library: IconFolder,
  list: IconTable,
  pages: IconAppWindow,
  item: IconTable,
  page: IconAppWindow,
  team: IconUsers,
  channel: IconHash,
  posts: IconMessage,
  files: IconFolder,
  tabs: IconAppWindow,
  post: IconMessage,
  file: IconFile,
  tab: IconAppWindow,
  chats: IconMessages,
  chat: IconMessages,
  'chat-message': IconMessage,
};

/** The picture of a kind of entries. */
export function EntryIcon({ type }: { type: EntryType }) {
  const Icon = ICONS[type];
  return <Icon size={16} stroke={1.6} aria-hidden />;
}
