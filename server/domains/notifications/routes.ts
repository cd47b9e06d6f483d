import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
import type { Notifications } from './service.ts';
import type { NotificationDelivery, NotificationTarget } from './types.ts';

type NotificationOperations =
  | 'listNotificationTargets'
  | 'createNotificationTarget'
  | 'getNotificationTarget'
  | 'updateNotificationTarget'
  | 'deleteNotificationTarget'
  | 'testNotificationTarget'
  | 'listNotificationDeliveries'
  | 'redeliverNotification';

export function notificationRoutes({
  targets,
  deliveries,
  test,
}: Notifications): Pick<Handlers, NotificationOperations> {
  return {
    async listNotificationTargets({ org, query: { limit, offset } }) {
      const page = await targets.list(org.id, { limit, offset });
      const body = { notification_targets: page.targets.map(targetRecord), total: page.total, limit, offset };
      return { status: 200, body };
    },

    async createNotificationTarget({ principal, org, body, once }) {
      return once(
        (target: NotificationTarget) => {
          const Location = `/api/v2/orgs/${org.id}/notification-targets/${target.id}`;
          return { status: 201, body: targetRecord(target), headers: { Location } };
        },
        (keep) => targets.create(principal, org.id, body, keep),
      );
    },

    async getNotificationTarget({ org, path }) {
      return { status: 200, body: targetRecord(await targets.get(org.id, path.target_id)) };
    },

    async updateNotificationTarget({ principal, org, path, body }) {
      return { status: 200, body: targetRecord(await targets.update(principal, org.id, path.target_id, body)) };
    },

    async deleteNotificationTarget({ principal, org, path }) {
      await targets.remove(principal, org.id, path.target_id);
      return { status: 204 };
    },

    async testNotificationTarget({ org, path }) {
      const { delivered, status_code, error, duration_ms } = await test(org.id, path.target_id);
      return { status: 200, body: { delivered, status_code, error, duration_ms } };
    },

    async listNotificationDeliveries({ org, query: { limit, offset, target_id, status } }) {
      const page = await deliveries.list(org.id, { target_id, status }, { limit, offset });
      const body = { deliveries: page.deliveries.map(deliveryRecord), total: page.total, limit, offset };
      return { status: 200, body };
    },

    async redeliverNotification({ org, path }) {
      const delivery = await deliveries.redeliver(org.id, path.notification_delivery_id);
      return { status: 202, body: deliveryRecord(delivery) };
    },
  };
}

/** Records that must exist before the body of a request is validated. */
export function notificationPathChecks({ targets }: Pick<Notifications, 'targets'>) {
  const assertTarget = ({ org_id, path }: { org_id: string; path: Record<string, string> }) =>
    targets.get(org_id, path['target_id'] ?? '');
  return { updateNotificationTarget: assertTarget };
}

function targetRecord(target: NotificationTarget) {
  return pickFields(target, [
    'id',
    'kind',
    'label',
    'enabled',
    'min_level',
    'channel',
    'addresses',
    'url',
    'webhook_config_id',
    'last_delivery_at',
    'last_delivery_status',
    'last_error',
    'created_at',
    'updated_at',
  ]);
}

function deliveryRecord(delivery: NotificationDelivery) {
  return pickFields(delivery, [
    'id',
    'event_id',
    'event',
    'action',
    'target_id',
    'target_kind',
    'channel',
    'webhook_config_id',
    'schedule_id',
    'status',
    'http_status',
    'attempts',
    'next_attempt_at',
    'duration_ms',
    'error',
    'created_at',
    'finished_at',
  ]);
}
