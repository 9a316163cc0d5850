-- What the user of an entry was limited to at that time; null: all companies of the provider. Entries up to now have null, so that only
-- users who are not limited see them.
ALTER TABLE audit_entries ADD COLUMN company_ids uuid[];
--> statement-breakpoint
CREATE UNIQUE INDEX audit_entries_id ON audit_entries (provider_id, id);
--> statement-breakpoint
CREATE INDEX audit_entries_user ON audit_entries (provider_id, user_id, at);
--> statement-breakpoint
CREATE INDEX audit_entries_target ON audit_entries (provider_id, target_id, at);
--> statement-breakpoint
-- The orders by action and by user, newest first within them.
CREATE INDEX audit_entries_action ON audit_entries (provider_id, action, at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX audit_entries_username ON audit_entries (provider_id, lower(coalesce(username, '')), at DESC, id DESC);
--> statement-breakpoint
-- Users who are limited see few of many entries.
CREATE INDEX audit_entries_limited ON audit_entries (provider_id, at, id) WHERE company_ids IS NOT NULL;
