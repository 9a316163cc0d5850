-- When the locks of the objects in the store were looked at last, by the store's clock. Not from commits.
ALTER TABLE repositories ADD locks_reviewed_at timestamptz;
