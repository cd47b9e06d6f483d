export type { Handling } from './handle-service.ts';
export type { Invite, InviteFacts } from './invite-service.ts';
export { notificationParts } from './parts.ts';
export type { RecordEvent } from './record-service.ts';
export { SEALED_NOTIFICATIONS } from './seals.ts';
export { createNotifications, type Notifications } from './service.ts';
