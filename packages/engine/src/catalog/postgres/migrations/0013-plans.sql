-- Plans of groups, with buckets and tasks; roles of persons and groups in sites, lists and rows.
ALTER TYPE item_kind ADD VALUE 'plan';
ALTER TYPE item_kind ADD VALUE 'plan-bucket';
ALTER TYPE item_kind ADD VALUE 'plan-task';
ALTER TYPE item_kind ADD VALUE 'role-assignments';
