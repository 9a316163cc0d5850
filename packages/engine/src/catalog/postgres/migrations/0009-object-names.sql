-- Pages of objects in the order that people read them.
CREATE INDEX objects_name ON objects (repository, lower(name), name, key);
