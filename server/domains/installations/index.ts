export { callbackPage } from './callback-page.ts';
export { installationParts } from './parts.ts';
export { SEALED_INSTALLATION_KEYS } from './seals.ts';
export { createInstallations, type Installations } from './service.ts';
export { hashText, type LinkState, newState, randomText, readState, signState } from './state.ts';
export { insertState, useState } from './states-store.ts';
export type { InstallationAccess } from './types.ts';
