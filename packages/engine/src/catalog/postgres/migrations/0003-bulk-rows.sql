-- Rows that come by the million are written under a lock of their repository's row, and taken away by name when it goes. To look that row up
-- again for each of them takes as long as to write them.
ALTER TABLE chunks DROP CONSTRAINT chunks_repository_fkey;
ALTER TABLE unindexed DROP CONSTRAINT unindexed_repository_fkey;
ALTER TABLE search_entries DROP CONSTRAINT search_entries_repository_fkey;
