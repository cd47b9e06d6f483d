import type { RiskLevel } from '../model/result.ts';

/** How a level is marked: by a symbol and its name, never by color alone. */
interface LevelMark {
  /** Emoji for comments and pages. */
  symbol: string;
  name: string;
  /** Three columns of ASCII, for terminals. */
  ascii: string;
}

export const LEVEL_MARKS: Record<RiskLevel, LevelMark> = {
  critical: { symbol: '🔴', name: 'Critical', ascii: '!!!' },
  high: { symbol: '🟠', name: 'High', ascii: '!! ' },
  medium: { symbol: '🟡', name: 'Medium', ascii: '!  ' },
  low: { symbol: '🟢', name: 'Low', ascii: '   ' },
  none: { symbol: '⚪', name: 'None', ascii: '   ' },
};
