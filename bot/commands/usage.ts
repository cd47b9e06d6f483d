import type { Command } from './types.ts';

/** How each command is written. */
export const USAGE: Record<Command['verb'], string> = {
  help: '/drift help',
  explain: '/drift explain <address>',
  noise: '/drift noise',
  suppress: '/drift suppress <fingerprint> 30d <reason>',
  fix: '/drift fix <fingerprint>',
  rescan: '/drift rescan',
  quiet: '/drift quiet',
};
