/** Who owns a host name or a URL: the registered domain, or the tenant of a service that many organizations share. */

const list = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/));

/** Suffixes under which every organization has a name of its own: the label before them decides. */
const SHARED_SUFFIXES = list(
  `co.uk org.uk gov.uk ac.uk com.au net.au co.nz co.jp com.br co.in com.mx co.za com.sg com.tr com.cn
  github.io gitlab.io herokuapp.com pages.dev workers.dev vercel.app netlify.app web.app firebaseapp.com appspot.com
  run.app cloudfunctions.net fly.dev onrender.com azurewebsites.net azurecr.io azureedge.net azurefd.net azure-api.net
  blob.core.windows.net queue.core.windows.net table.core.windows.net file.core.windows.net dfs.core.windows.net
  vault.azure.net database.windows.net servicebus.windows.net documents.azure.com cloudapp.azure.com
  b2clogin.com ciamlogin.com onmicrosoft.com sharepoint.com
  s3.amazonaws.com cloudfront.net awsapps.com my.salesforce.com service-now.com zendesk.com atlassian.net slack.com
  okta.com oktapreview.com okta-emea.com auth0.com us.auth0.com eu.auth0.com au.auth0.com onelogin.com pingone.com
  grafana.net splunkcloud.com snowflakecomputing.com mongodb.net confluent.cloud jfrog.io myshopify.com
  iam.gserviceaccount.com`,
);

/** Hosts on which the first segments of the path name the owner. */
const TENANTS_BY_PATH: ReadonlyMap<string, number> = new Map([
  ...(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org', 'dev.azure.com', 'ssh.dev.azure.com'] as const).map(
    (host) => [host, 1] as const,
  ),
  ...(['ghcr.io', 'quay.io', 'docker.io', 'index.docker.io', 'registry.gitlab.com', 'public.ecr.aws'] as const).map(
    (host) => [host, 1] as const,
  ),
  ...(['raw.githubusercontent.com', 'gist.github.com', 'api.github.com', 'app.terraform.io'] as const).map(
    (host) => [host, 1] as const,
  ),
  ...(['gcr.io', 'eu.gcr.io', 'us.gcr.io', 'asia.gcr.io', 'storage.googleapis.com'] as const).map(
    (host) => [host, 1] as const,
  ),
  ...(['login.microsoftonline.com', 'sts.windows.net', 'accounts.google.com'] as const).map(
    (host) => [host, 1] as const,
  ),
  ...(['hooks.slack.com', 'discord.com', 'api.telegram.org'] as const).map((host) => [host, 2] as const),
]);

const REGISTRY = /^(\d{12})\.dkr\.ecr\./;
const PACKAGE_REGISTRY = /^[a-z0-9-]{1,40}-(?:docker|npm|python|maven|go|apt|yum)\.pkg\.dev$/;
const QUEUE_HOST = /^(?:sqs|queue)(?:\.[a-z0-9-]{1,40})?\.amazonaws\.com$/;
const BUCKET_HOST = /^([a-z0-9.-]{3,63})\.s3(?:[.-][a-z0-9-]{1,40}){0,3}\.amazonaws\.com$/;
const BUCKET_PATH_HOST = /^s3(?:[.-][a-z0-9-]{1,40}){0,2}\.amazonaws\.com$/;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const PRIVATE_IPV4 =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
/** Names that only resolve inside of a network, and addresses of the metadata service. */
const INTERNAL =
  /(?:^localhost$|\.(?:local|localhost|internal|svc|lan|intranet|corp|home\.arpa)$|\.svc\.cluster\.local$|^\[)/;

/**
 * The owner of a host, with the path for services whose tenants are named there.
 *
 * @param host lower case, without a port
 * @param path of the URL, beginning with `/`; empty if there is none
 * @returns `account:…`, `project:…`, `bucket:…`, `address:…`, `internal` or a domain, which may end in `/tenant`
 */
export function findOwner(host: string, path: string): string {
  if (INTERNAL.test(host) || !host.includes('.')) return 'internal';
  if (IPV4.test(host)) return PRIVATE_IPV4.test(host) ? 'internal' : `address:${host}`;
  return findTenant(host, path.split('/').filter(Boolean)) ?? findDomain(host);
}

function findTenant(host: string, segments: readonly string[]): string | undefined {
  const account = REGISTRY.exec(host)?.[1] ?? (QUEUE_HOST.test(host) ? segments[0] : undefined);
  if (account !== undefined) return `account:${account}`;
  const bucket = BUCKET_HOST.exec(host)?.[1] ?? (BUCKET_PATH_HOST.test(host) ? segments[0] : undefined);
  if (bucket !== undefined) return `bucket:${bucket}`;
  if (PACKAGE_REGISTRY.test(host) && segments[0] !== undefined) return `project:${segments[0]}`;
  const depth = TENANTS_BY_PATH.get(host);
  if (depth === undefined || segments.length === 0) return undefined;
  if (host.endsWith('gcr.io')) return `project:${segments[0]}`;
  if (host === 'storage.googleapis.com') return `bucket:${segments[0]}`;
  return `${host}/${segments.slice(0, depth).join('/').toLowerCase()}`;
}

/** The registered domain, or the name below the longest shared suffix. */
export function findDomain(host: string): string {
  const labels = host.replace(/^\*\./, '').split('.');
  for (let length = Math.min(4, labels.length - 1); length >= 2; length--) {
    const suffix = labels.slice(-length).join('.');
    if (!SHARED_SUFFIXES.has(suffix)) continue;
    return suffix === 'iam.gserviceaccount.com' ? `project:${labels.at(-4)}` : labels.slice(-length - 1).join('.');
  }
  return labels.slice(-2).join('.');
}

/** Whether a domain is one that every organization uses, so that the label before it says who owns it. */
export function isSharedName(owner: string): boolean {
  return SHARED_SUFFIXES.has(owner.slice(owner.indexOf('.') + 1));
}

/** Endings of domains below which names are registered: `co.uk`, `com.ar`. */
const REGISTRY_ENDING = /^(?:ac|co|com|edu|gob|gov|net|or|org)\.[a-z]{2}$/;

/** Whether every organization can have a name or a tenant on a host, so that the host alone is nobody's own. */
export function isSharedHost(host: string): boolean {
  return SHARED_SUFFIXES.has(host) || TENANTS_BY_PATH.has(host) || REGISTRY_ENDING.test(host);
}

/** Well-known services that many organizations send data to, or get software from. */
const VENDORS = list(
  `datadoghq.com datadoghq.eu ddog-gov.com newrelic.com nr-data.net splunk.com signalfx.com sumologic.com logz.io
  elastic.co elastic-cloud.com honeycomb.io grafana.com dynatrace.com sentry.io pagerduty.com opsgenie.com
  victorops.com betterstack.com betteruptime.com statuspage.io hooks.slack.com office.com microsoft.com google.com
  googleapis.com amazonaws.com amazon.com windows.net azure.com azure.net cloudflare.com fastly.com akamai.com
  twilio.com sendgrid.net sendgrid.com mailgun.org stripe.com github.com gitlab.com githubusercontent.com
  githubapp.com hashicorp.com terraform.io docker.com docker.io k8s.io helm.sh bitnami.com mcr.microsoft.com
  letsencrypt.org okta.com auth0.com cloudfront.net akamaiedge.net edgekey.net npmjs.org pypi.org rubygems.org
  maven.org golang.org debian.org ubuntu.com snyk.io sonarcloud.io lacework.net wiz.io crowdstrike.com
  prometheus.io jetstack.io nginx.org nginx.com elastic.dev traefik.io kyverno.io`,
);
/** Projects and accounts of cloud providers and vendors that publish images, layers and add-ons. */
const PUBLISHERS = list(
  `project:debian-cloud project:ubuntu-os-cloud project:ubuntu-os-pro-cloud project:cos-cloud project:centos-cloud
  project:rhel-cloud project:rhel-sap-cloud project:windows-cloud project:windows-sql-cloud
  project:rocky-linux-cloud project:suse-cloud project:fedora-coreos-cloud project:deeplearning-platform-release
  project:cloud-builders project:google-containers project:distroless project:gke-release project:cloudrun
  project:google-samples project:cloud-sql-connectors project:cloudsql-docker
  account:602401143452 account:580247275435 account:017000801446 account:464622532012 account:451483290750
  account:137112412989 account:099720109477 account:591542846629 account:187925254637 account:209497400698
  docker.io/library docker.io/bitnami docker.io/grafana docker.io/hashicorp docker.io/prom quay.io/prometheus
  quay.io/jetstack quay.io/argoproj ghcr.io/external-secrets ghcr.io/kyverno ghcr.io/fluxcd`,
);

/** Whether an owner is a well-known vendor or a publisher of software. */
export function isVendor(owner: string): boolean {
  const [host, tenant] = owner.split('/');
  if (tenant !== undefined) return PUBLISHERS.has(owner) || host === 'hooks.slack.com';
  return PUBLISHERS.has(owner) || VENDORS.has(owner);
}

/** Whether an owner is an account or a project of a cloud, as those of registries that only we can write to. */
export function isPrivateRegistry(owner: string): boolean {
  return /^(?:account|project|subscription):|\.azurecr\.io$/.test(owner) && !PUBLISHERS.has(owner);
}

/** Tunnels, request bins, paste sites and free hosts, which give everybody an address without a contract. */
const ANONYMOUS =
  /(?:^|\.)(?:ngrok(?:-free)?\.(?:io|app|dev)|webhook\.site|requestbin\.(?:com|net)|pipedream\.net|beeceptor\.com|hookbin\.com|requestcatcher\.com|mockbin\.(?:io|org)|burpcollaborator\.net|oastify\.com|oast\.(?:pro|live|site|online|fun|me)|interact\.sh|interactsh\.com|trycloudflare\.com|loca\.lt|serveo\.net|localhost\.run|localtunnel\.me|pastebin\.com|transfer\.sh|file\.io|0x0\.st|duckdns\.org|no-ip\.(?:com|org)|ddns\.net|dyndns\.org|rbndr\.us|nip\.io|sslip\.io|workers\.dev|pages\.dev|glitch\.me|repl\.co|replit\.(?:app|dev)|onrender\.com|surge\.sh|netlify\.app|vercel\.app|000webhostapp\.com|fly\.dev|deno\.dev|hopto\.org|zapto\.org)$/;

/** Whether a host is one that anyone can register without a contract. A wildcard before it is ignored. */
export function isAnonymous(host: string): boolean {
  return ANONYMOUS.test(host.toLowerCase());
}

const FREE_MAIL = list(
  'gmail.com googlemail.com outlook.com hotmail.com live.com yahoo.com proton.me protonmail.com gmx.com gmx.net gmx.de mail.com icloud.com aol.com yandex.ru mail.ru zoho.com tutanota.com mailinator.com',
);

export function isFreeMail(domain: string): boolean {
  return FREE_MAIL.has(domain);
}
