-- Where a chunk begins in the plain bytes of the group that it is stored in; NULL: it is stored alone. Offset and stored bytes are the group's.
ALTER TABLE chunks ADD COLUMN group_start integer;
