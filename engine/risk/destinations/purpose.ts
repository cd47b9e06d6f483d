import { memoizeText } from '../../lib/memoize.ts';
import type { Path } from '../attributes/types.ts';

/** What comes from a place or goes to it. `watch` names places that a check observes, `text` names places that nothing depends on. */
export type Purpose = 'data' | 'code' | 'image' | 'identity' | 'key' | 'traffic' | 'watch' | 'text';

const TEXT =
  /^(?:description|comment|notes?|documentation|docs?|runbook|home_?page|link|help|icon|logo|picture|privacy|policy_uri|tos|terms|title|message|subject_text|readme|support|about|annotations|labels|tags|tags_all|display_name|event_selector|advanced_event_selector)(?:_|$)|_(?:docs?|documentation|runbook|homepage|logo|icon|description|tos|terms|help|support)(?:_|$|_ur[li])/;
const KEY =
  /kms|cmk|(?:^|_)(?:encryption|master|customer_managed|signing|wrapping)_key|key_vault_key|crypto_key|key_name$/;
const IMAGE =
  /^(?:image|image_uri|image_url|container_image|docker_image|image_name|repository|image_repository|registry)$/;
const CODE =
  /(?:^|_)(?:repo|repos|repository_url|repo_url|repourl|git|chart|script|code|package|template|module|plugin|layers?|lambda|function|bootstrap|startup|user_data|source_repo|helm|artifact|binary|install)(?:_|$)|^source$/;
/** Blocks that say where code comes from. */
const SOURCES = /(?:^| )(?:secondary_)?sources? /;
const IDENTITY =
  /issuer|jwks|saml|sso|login|logout|callback|redirect|web_origins|allowed_origins|oidc|oauth|openid|identity|idp|tenant|trust|principal|member|token|introspection|userinfo|authorization_endpoint|federat|certificate_url|well_known/;
const DATA =
  /log|audit|firehose|sink|export|backup|replica|webhook|hook|diagnostic|trail|notification|delivery|forward|mirror|archive|siem|splunk|collector|drain|snapshot|dump|report|transfer|share|dead_letter|subscription|destination|action_group|receiver|contact_point|stream|ingest|telemetry|collector|remote_write|exporter|upload|event_target|alarm_action|ok_action|insufficient_data_action|peering|peer_|event_bus|(?:launch|volume)_permission/;

/** Says what an argument moves, from the words of its path first and those of its type after that. */
export function findPurpose(type: string, path: Path): Purpose {
  const names = path.filter((segment): segment is string => typeof segment === 'string').map(toWords);
  if (names.some((name) => TEXT.test(name))) return 'text';
  const last = names.at(-1) ?? '';
  const all = names.join(' ');
  if (KEY.test(last)) return 'key';
  if (IMAGE.test(last)) return 'image';
  if (IDENTITY.test(last)) return 'identity';
  if (CODE.test(last) || (last === 'location' && SOURCES.test(all))) return 'code';
  // A state of a workflow hands its input to a resource.
  if (last === 'resource' && names.includes('states')) return 'data';
  if (DATA.test(all)) return 'data';
  if (IDENTITY.test(all)) return 'identity';
  return findPurposeOfType(toWords(type));
}

const WATCHES =
  /uptime|synthetic|heartbeat|pingdom|_probe(?:_|$)|_(?:http|https|url|site|api|ping|tcp|ssl|dns)?_?(?:check|monitor)$/;

function findPurposeOfType(type: string): Purpose {
  if (WATCHES.test(type)) return 'watch';
  if (/identity_provider|oidc|saml|federat|trust|_auth_backend/.test(type)) return 'identity';
  if (DATA.test(type.replace(/^(?:[a-z]{1,20}_)/, '').replace(/catalog|dialog|blog|login/g, ''))) return 'data';
  return /repository|pipeline|source_credential|application_source/.test(type) ? 'code' : 'traffic';
}

/** `repoURL`, `repo-url` and `REPO_URL` as `repo_url`. */
const toWords: (name: string) => string = memoizeText((name) =>
  name
    .slice(0, 100)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-.\s/:]/g, '_')
    .toLowerCase(),
);
