import { createDecisions, type DecisionsDeps } from './decide-service.ts';
import { createDeliveries, type DeliveriesDeps } from './deliver-service.ts';
import { createDispatch, type DispatchDeps } from './dispatch-service.ts';
import { createHandling, type HandlingDeps } from './handle-service.ts';
import { createInvites, type InvitesDeps } from './invite-service.ts';
import { createIssues, type IssuesDeps } from './issue-service.ts';
import { createMaintenance } from './maintenance-service.ts';
import { createMedia, type MediaDeps } from './media-service.ts';
import { createRecorder, type RecorderDeps } from './record-service.ts';
import { createTargets, type TargetsDeps } from './targets-service.ts';
import { createTests, type TestsDeps } from './test-service.ts';

/** Functions that the notification services provide to each other. */
type InternalDeps = 'dispatch' | 'media' | 'silences' | 'issues';
type Deps = Omit<
  RecorderDeps &
    DecisionsDeps &
    Omit<DispatchDeps, 'webhooks'> &
    MediaDeps &
    HandlingDeps &
    Omit<IssuesDeps, 'webhooks'> &
    InvitesDeps &
    DeliveriesDeps &
    Omit<TargetsDeps, 'webhook_configs' | 'has_mail'> &
    Parameters<typeof createMaintenance>[0],
  InternalDeps
> & {
  webhooks: TestsDeps['webhooks'] & {
    outbound: DispatchDeps['webhooks'];
    configs: TargetsDeps['webhook_configs'];
  } & IssuesDeps['webhooks'];
};

/** What happened to the accounts and plans of an organization, and who hears of it. */
export function createNotifications(deps: Deps) {
  const { webhooks } = deps;
  const media = createMedia(deps);
  const handling = createHandling(deps);
  const issues = createIssues(deps);
  const dispatch = createDispatch({ ...deps, webhooks: webhooks.outbound });
  return {
    record: createRecorder(deps),
    invite: createInvites(deps),
    handling,
    decisions: createDecisions({ ...deps, dispatch, silences: handling.silences }),
    deliveries: createDeliveries({ ...deps, media, issues }),
    targets: createTargets({ ...deps, webhook_configs: webhooks.configs, has_mail: deps.mail !== null }),
    test: createTests({ ...deps, media }).test,
    maintenance: createMaintenance(deps),
  };
}

export type Notifications = ReturnType<typeof createNotifications>;
