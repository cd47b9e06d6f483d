import type { PromptText } from '../types.ts';
import { NARRATIVE_1 } from './narrative-1.ts';
import { NARRATIVE_2 } from './narrative-2.ts';

const CONCERNS = `
- concerns: dangers of single changed values that no rule of the document names. Read every entry of values the way an experienced reviewer does: what does this setting protect, limit, watch, keep or route, and what can happen with the new value that could not happen with the old one? Think of units (a limit that is suddenly a thousandth), of values that mean never, always, everyone or unlimited, of checks that no longer fail, alarms that no longer fire, copies and backups that end, timeouts that are shorter than the work, rollouts that stop everything at once, and doors that open to more people or machines. An entry whose path continues the path of an attribute is inside the document of that attribute. A side that is withheld has a value that you may not see; a side that is null without being withheld has none. Where an entry shows parts, its sides are only what differs in a longer text; an outline has the operators and fields of a condition, and stands for its values with an ellipsis.
  Levels: high when an outage, a loss of data, an exposure, a silenced alarm or a wider right is likely enough that a second person should look before the plan is applied; medium when a reviewer should read the change with care; nothing for routine work: releases, growth, tuning within usual bounds, stricter settings, texts, labels. A concern must be above the level of its change. Needed as evidence: the address of the change and one entry of its values, with path, before and after copied exactly, null for a withheld side. An unknown value, or a path without an entry in values, is no evidence. Categories: exposure (more can reach it), data_loss (now or later), outage, silenced_alarm, foreign_destination (data or traffic goes to somebody else), identity (who may act as whom). One sentence says what would happen. At most ten, usually none.`;

const HOW_TO_WRITE = '\n\nHow to write:';

/** Explains values inside documents, withheld sides and levels of concerns: see ADR 0056. */
export const NARRATIVE_3: PromptText = {
  version: 'narrative-3',
  system: NARRATIVE_1.system.replace(HOW_TO_WRITE, CONCERNS + HOW_TO_WRITE),
  schema: NARRATIVE_2.schema,
};
