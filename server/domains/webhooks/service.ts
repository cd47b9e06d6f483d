import { createWebhookConfigs, type WebhookConfigsDeps } from './config-service.ts';
import { createDeliveries, type DeliveriesDeps } from './deliveries-service.ts';
import { createOutbound, type OutboundDeps } from './outbound-service.ts';
import { createReceiver, type ReceiverDeps } from './receive-service.ts';
import { createTargetSealing, type TargetSealingDeps } from './seal-targets-service.ts';
import { createGetSecrets } from './secret-service.ts';
import { createSender, type SenderDeps } from './send-service.ts';
import { createTests, type TestsDeps } from './test-service.ts';
import { createTokens, type TokensDeps } from './token-service.ts';

/** Functions that the webhook services provide to each other. */
type InternalDeps = 'tokens' | 'deliveries' | 'getSecrets' | 'send';
type Deps = DeliveriesDeps &
  TokensDeps &
  TargetSealingDeps &
  Omit<WebhookConfigsDeps & ReceiverDeps & SenderDeps & TestsDeps & OutboundDeps, InternalDeps>;

/** Repositories that call this service, and servers that it calls. */
export function createWebhooks(deps: Deps) {
  const getSecrets = createGetSecrets(deps);
  const deliveries = createDeliveries(deps);
  const tokens = createTokens(deps);
  const send = createSender({ ...deps, getSecrets });
  return {
    configs: createWebhookConfigs({ ...deps, tokens }),
    deliveries,
    tokens,
    receiver: createReceiver({ ...deps, getSecrets, deliveries }),
    test: createTests({ ...deps, tokens, send }).test,
    outbound: createOutbound({ ...deps, send }),
    sealTargets: createTargetSealing(deps),
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;
