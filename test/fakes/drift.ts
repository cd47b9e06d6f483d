import type { ShownPreview } from '../../server/domains/chat/dialog-blocks.ts';
import type { RuleInput } from '../../server/domains/chat/ignore-service.ts';
import type { Handling } from '../../server/domains/notifications/index.ts';
import { newId } from '../../server/lib/ids.ts';

type Accounts = Awaited<ReturnType<Handling['listAccounts']>>;
type Outcome = Awaited<ReturnType<Handling['snooze']>>;

/** Messages about drift, and rules that ignore it, in memory. */
export function createFakeDrift(now: () => Date) {
  const threads = new Map<string, Accounts>();
  const rules: RuleInput[] = [];
  const shown: { ids: readonly string[]; action: string; by: string | null; what: string }[] = [];
  const first = new Map<string, string>();
  const preview: ShownPreview = { match_count: 1, protected_count: 0, items_total: 3, items: [] };

  async function attend(action: string, thread_id: string, by: string): Promise<Outcome> {
    const accounts = threads.get(thread_id) ?? [];
    if (accounts.length === 0) return { outcome: 'gone' };
    const earlier = first.get(`${action} ${thread_id}`);
    if (earlier !== undefined) return { outcome: 'before', by: earlier, at: now() };
    first.set(`${action} ${thread_id}`, by);
    return { outcome: 'done', at: now(), cloud_account_ids: accounts.map(({ cloud_account_id }) => cloud_account_id) };
  }

  return {
    threads,
    shown,
    preview,
    created: rules,
    handling: {
      snooze: (_org: string, thread_id: string, by: string) => attend('snooze', thread_id, by),
      acknowledge: (_org: string, thread_id: string, by: string) => attend('acknowledge', thread_id, by),
      listAccounts: async (_org: string, thread_id: string) => threads.get(thread_id) ?? [],
      show: async (_org: string, ids: readonly string[], { action, by, what }: Parameters<Handling['show']>[2]) =>
        void shown.push({ ids, action, by, what }),
    },
    rules: {
      preview: async () => structuredClone(preview),
      async createOnce(_principal: unknown, _org: string, input: RuleInput) {
        const { reason: _reason, expires_at: _ends, ...conditions } = input;
        const known = rules.some(
          ({ reason: _r, expires_at: _e, ...one }) => JSON.stringify(one) === JSON.stringify(conditions),
        );
        if (known) return undefined;
        rules.push(input);
        return { id: newId() };
      },
    },
  };
}
