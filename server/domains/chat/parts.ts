import type { DomainParts } from '../../contract/domain-parts.ts';
import type { BaseUrls } from '../../lib/web-links.ts';
import { CHAT_AUDIT_EVENTS } from './audit-events.ts';
import { chatJobs, chatSweeps } from './jobs.ts';
import { chatBodyReaders, chatRoutes } from './routes.ts';
import { SEALED_CHAT } from './seals.ts';
import type { Chat } from './service.ts';

export function chatParts(chat: Chat, base_urls: BaseUrls) {
  return {
    domain: 'chat',
    handlers: chatRoutes(chat, base_urls),
    body_readers: chatBodyReaders(chat),
    jobs: chatJobs(chat),
    sweeps: chatSweeps(chat),
    sealed_columns: SEALED_CHAT,
    audit_events: CHAT_AUDIT_EVENTS,
  } satisfies DomainParts;
}
