export { chatParts } from './parts.ts';
export { slackReturnPage } from './return-page.ts';
export { SEALED_CHAT } from './seals.ts';
export { type Chat, createChat } from './service.ts';
