-- What a person has set up in a mailbox, besides its items.
ALTER TYPE item_kind ADD VALUE 'settings';
ALTER TYPE item_kind ADD VALUE 'mailbox-settings';
ALTER TYPE item_kind ADD VALUE 'inbox-rule';
ALTER TYPE item_kind ADD VALUE 'category';
ALTER TYPE item_kind ADD VALUE 'calendar-permission';
