import type { AuditChainRow } from '../../../engine/index.ts';

export interface Vector {
  name: string;
  row: AuditChainRow;
  /** The canonical text after the version tag. */
  text: string;
  /** Length of the hashed text in bytes, including the version tag. */
  bytes: number;
}

const ORG = '3f1c2b9e-6a54-4f0e-9d0b-0c8a5b7e1d11';
const A1 = '8533cbd569430ab00e9c901fa6b1a0c25b5c60170916161bd280a361d99bd410';
const A2 = 'e909b613d2d9a8a7e98074e00efbf7f4691ea8970837e5548587a1b8b066e959';
const A3 = 'dac5ffb0c2dbe989f52d4cec8485e836fb42ff0fed944c8c636bc806016376c2';
const P1 = 'f85ea8f8b16bddfe0d16ee42cc7818bf2421f1fdbb39de17763424a46b968059';

/** Frozen, because v1 rows must remain verifiable. Computed in Node and in Python. */
export const VECTORS: Vector[] = [
  {
    name: 'the first row of an org',
    row: {
      id: '00000000-0000-4000-8000-000000000001',
      org_id: ORG,
      seq: 1,
      actor_email: 'ana@example.com',
      action: 'org.created',
      detail: '{"slug":"acme"}',
      created_at: '2026-01-02T03:04:05.678Z',
      prev_hash: null,
      hash: A1,
    },
    text: `{"action":"org.created","actor_email":"ana@example.com","created_at":"2026-01-02T03:04:05.678Z","detail":{"slug":"acme"},"id":"00000000-0000-4000-8000-000000000001","org_id":"${ORG}","prev_hash":null,"seq":1}`,
    bytes: 241,
  },
  {
    name: 'an event of the system',
    row: {
      id: '00000000-0000-4000-8000-000000000002',
      org_id: ORG,
      seq: 2,
      actor_email: '',
      action: 'billing.payment_failed',
      detail:
        '{"status":"past_due","stripe_customer":"cus_1","stripe_event_id":"evt_1","stripe_event_type":"invoice.payment_failed"}',
      created_at: '2026-01-02T03:04:06.000Z',
      prev_hash: A1,
      hash: A2,
    },
    text: `{"action":"billing.payment_failed","actor_email":"","created_at":"2026-01-02T03:04:06.000Z","detail":{"status":"past_due","stripe_customer":"cus_1","stripe_event_id":"evt_1","stripe_event_type":"invoice.payment_failed"},"id":"00000000-0000-4000-8000-000000000002","org_id":"${ORG}","prev_hash":"${A1}","seq":2}`,
    bytes: 402,
  },
  {
    name: 'a row beyond ASCII, with nulls and escapes',
    row: {
      id: '00000000-0000-4000-8000-000000000003',
      org_id: ORG,
      seq: 3,
      actor_email: 'zoë@example.com',
      action: 'webhook_config.created',
      detail:
        '{"api_token_expires":null,"api_token_prefix":null,"api_token_status":null,"config_id":"00000000-0000-4000-8000-0000000000aa","provider":"gitlab","provider_base_url":"https://gitlab.example.com","repo_path":"grp/préfixe \\"x\\"","secret_prefix":"whsec_Zm9v"}',
      created_at: '2026-01-02T03:04:07.010Z',
      prev_hash: A2,
      hash: A3,
    },
    text: `{"action":"webhook_config.created","actor_email":"zoë@example.com","created_at":"2026-01-02T03:04:07.010Z","detail":{"api_token_expires":null,"api_token_prefix":null,"api_token_status":null,"config_id":"00000000-0000-4000-8000-0000000000aa","provider":"gitlab","provider_base_url":"https://gitlab.example.com","repo_path":"grp/préfixe \\"x\\"","secret_prefix":"whsec_Zm9v"},"id":"00000000-0000-4000-8000-000000000003","org_id":"${ORG}","prev_hash":"${A2}","seq":3}`,
    bytes: 556,
  },
  {
    name: 'the first row of the platform',
    row: {
      id: '00000000-0000-4000-8000-00000000000a',
      org_id: null,
      seq: 1,
      actor_email: 'root@example.com',
      action: 'domain.added',
      detail: '{"domain":"example.com"}',
      created_at: '2026-01-01T00:00:00.000Z',
      prev_hash: null,
      hash: P1,
    },
    text: '{"action":"domain.added","actor_email":"root@example.com","created_at":"2026-01-01T00:00:00.000Z","detail":{"domain":"example.com"},"id":"00000000-0000-4000-8000-00000000000a","org_id":null,"prev_hash":null,"seq":1}',
    bytes: 218,
  },
];
