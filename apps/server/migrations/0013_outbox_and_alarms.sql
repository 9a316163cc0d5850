-- A requested sync is a job that commits with what requests it.
ALTER TABLE sources DROP COLUMN wanted_sync;
--> statement-breakpoint
-- Domain events, written in the transaction of the change that they report, until every subscriber has them.
CREATE TABLE outbox (
  provider_id integer NOT NULL REFERENCES providers,
  id bigint GENERATED ALWAYS AS IDENTITY,
  event text NOT NULL,
  -- Kind and id of what the event is about: events of one subject are delivered in their order.
  subject_kind text NOT NULL,
  subject_id text NOT NULL,
  payload jsonb NOT NULL,
  announced_at timestamptz NOT NULL DEFAULT now(),
  delivered_to text[] NOT NULL DEFAULT '{}',
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  -- Delivered to all subscribers, or given up.
  ended_at timestamptz,
  is_dead boolean NOT NULL DEFAULT false,
  PRIMARY KEY (provider_id, id)
);
--> statement-breakpoint
CREATE INDEX outbox_waiting ON outbox (id) WHERE ended_at IS NULL;
--> statement-breakpoint
CREATE INDEX outbox_waiting_of_subject ON outbox (provider_id, subject_kind, subject_id, id) WHERE ended_at IS NULL;
--> statement-breakpoint
CREATE INDEX outbox_dead ON outbox (id) WHERE is_dead;
--> statement-breakpoint

-- An alarm about a subject: raised and closed with the change that is its cause.
CREATE TABLE alarms (
  provider_id integer NOT NULL REFERENCES providers,
  id uuid NOT NULL,
  name text NOT NULL,
  subject_kind text NOT NULL,
  subject_id text NOT NULL,
  app text NOT NULL,
  severity text NOT NULL,
  message text NOT NULL,
  -- Grows with every change: a delivery of a lower version is due.
  version integer NOT NULL DEFAULT 1,
  raised_at timestamptz NOT NULL DEFAULT now(),
  closed_at timestamptz,
  PRIMARY KEY (provider_id, id)
);
--> statement-breakpoint
-- At most one open alarm of a name for a subject.
CREATE UNIQUE INDEX alarms_open ON alarms (provider_id, name, subject_id) WHERE closed_at IS NULL;
--> statement-breakpoint
-- What one recipient is to see of an alarm through one channel, and the version that was delivered last.
CREATE TABLE alarm_deliveries (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  alarm_id uuid NOT NULL,
  channel text NOT NULL,
  recipient text NOT NULL,
  delivered_version integer NOT NULL DEFAULT 0,
  PRIMARY KEY (provider_id, id),
  UNIQUE (provider_id, alarm_id, channel, recipient),
  FOREIGN KEY (provider_id, alarm_id) REFERENCES alarms ON DELETE CASCADE
);
--> statement-breakpoint

-- Banners that are open become alarms, so that they still end with their cause. A banner has the id of its delivery.
INSERT INTO alarms (provider_id, id, name, subject_kind, subject_id, app, severity, message, raised_at)
SELECT provider_id, id, CASE WHEN event LIKE 'monitoring.source-failed.%' THEN 'sources.unreadable' ELSE 'sources.jobs-vanished' END,
  'source', substring(event from '[^.]*$'), app, severity, message, created_at
FROM notifications
WHERE ended_at IS NULL AND (event LIKE 'monitoring.source-failed.%' OR event LIKE 'monitoring.jobs-vanished.%');
--> statement-breakpoint
INSERT INTO alarm_deliveries (provider_id, id, alarm_id, channel, recipient, delivered_version)
SELECT provider_id, id, id, 'banner', 'staff', 1 FROM alarms;
--> statement-breakpoint
UPDATE notifications n SET event = a.name || '.' || a.subject_id FROM alarms a WHERE a.provider_id = n.provider_id AND a.id = n.id;
--> statement-breakpoint
-- Of an alarm one is open at most; its banner is the one of its delivery.
DROP INDEX notifications_open;
--> statement-breakpoint
CREATE INDEX notifications_open ON notifications (provider_id, created_at DESC) WHERE ended_at IS NULL;
