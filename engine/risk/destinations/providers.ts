/** Domains and projects in which cloud providers run services for everybody: they occur in most plans and are nobody's own. */

const list = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/));

const PROVIDER_DOMAINS = list(
  `amazonaws.com.cn api.aws aws.dev on.aws awsglobalaccelerator.com elasticbeanstalk.com
  gserviceaccount.com googledomains.com googleusercontent.com gstatic.com gke.goog
  azmk8s.io azure-dns.com azure-dns.net azure-dns.org azure-dns.info microsoftonline.com trafficmanager.net cloudapp.net
  kubernetes.io x-k8s.io w3.org json-schema.org openid.net`,
);
/** Name servers of Route 53. */
const NAME_SERVER = /^awsdns-\d{1,3}\.(?:com|net|org|co\.uk)$/;
/** Projects of the agents of Google Cloud, as in `service-1@gcp-sa-pubsub.iam.gserviceaccount.com`. */
const AGENT_PROJECTS = list(
  `project:compute-system project:container-engine-robot project:serverless-robot-prod project:gs-project-accounts
  project:cloudcomposer-accounts project:dataproc-accounts project:dataflow-service-producer-prod project:gae-api-prod
  project:gcf-admin-robot project:container-analysis project:firebase-rules project:service-networking
  project:bigquery-encryption project:cloud-filer project:cloud-redis project:cloud-tpu project:endpoints-portal
  project:containerregistry project:sourcerepo-service-accounts project:cloudbuild`,
);

/** Whether an owner is a cloud provider itself, in the part of it that serves all customers. */
export function isProviderOwned(owner: string): boolean {
  return (
    PROVIDER_DOMAINS.has(owner) ||
    NAME_SERVER.test(owner) ||
    AGENT_PROJECTS.has(owner) ||
    owner.startsWith('project:gcp-sa-')
  );
}
