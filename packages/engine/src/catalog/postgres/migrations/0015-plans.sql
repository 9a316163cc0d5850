-- Plans of groups, with buckets and tasks.
ALTER TYPE item_kind ADD VALUE 'plan';
ALTER TYPE item_kind ADD VALUE 'plan-bucket';
ALTER TYPE item_kind ADD VALUE 'plan-task';
